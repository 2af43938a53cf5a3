"""Composes the mail for a row of the outbox.

1. ``compose`` reads the match and turn that the notice is about, as of the notice's ply.
2. ``pages`` computes the values of the mail; the templates turn them into text and HTML.
3. ``build`` makes the message.
"""

from __future__ import annotations

from email.message import EmailMessage

from service.context import Composing
from service.notices.mail import pages
from service.notices.mail.errors import CannotCompose
from service.notices.mail.message import Letter, Picture, Thread, build
from service.notices.mail.render import kinds, render
from service.notices.material import judged_turn_of, material_of, reader_of
from service.notices.picture import png
from service.store.outbox import Notice

PICTURE_WIDTH = 1000


def compose(context: Composing, notice: Notice) -> EmailMessage:
    """Gives the mail for a notice.

    Uses the database only while it reads. Raises ``CannotCompose`` where the notice lacks content
    or a recipient.
    """
    if notice.kind not in kinds():
        raise CannotCompose(f"There is no mail of the kind {notice.kind}.")
    payload, base_url = notice.payload, context.settings.base_url
    with context.database.read() as connection:
        reader = reader_of(connection, notice)
        turn_id = payload.get("turn_id") if notice.kind == "verdict" else None
        turn = None if turn_id is None else judged_turn_of(connection, context, turn_id)
        material = None
        if notice.match_id is not None:
            since = pages.told_since(notice.kind, turn)
            material = material_of(connection, context, notice.match_id, payload.get("ply"), reader.player_id, since)
    page = pages.page(notice.kind, reader, material, payload, turn, base_url)
    rendered = render(notice.kind, page.context)
    return build(
        Letter(
            notice_id=notice.id,
            kind=notice.kind,
            sender=context.settings.mail_from,
            to_name=reader.name,
            to_address=reader.address,
            written_at=notice.created_at,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            pictures=(Picture(pages.PICTURE, png(page.svg, PICTURE_WIDTH)),) if page.svg else (),
            thread=Thread(material.match_id, reader.player_id or reader.address, material.title)
            if material is not None
            else None,
        )
    )
