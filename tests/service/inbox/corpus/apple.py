"""Mail on Macs, iPhones and iPads."""

from __future__ import annotations

from tests.service.inbox.corpus.cases import Build, Case, alternative, body_of, mail, marked, nested, page, part, parts
from tests.service.inbox.sent_mails import Sent

ON = "On 21 Nov 2026, at 10:30, Overland <overland@play.example> wrote:"
LE = "Le 21 nov. 2026 à 10:30, Overland <overland@play.example> a écrit :"
IL = "Il giorno 21 nov 2026, alle ore 10:30, Overland <overland@play.example> ha scritto:"
AM = "Am 21.11.2026 um 10:30 schrieb Overland <overland@play.example>:"


def html(sent: Sent, typed: str, attribution: str = ON) -> str:
    return (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
        f'{typed}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div>'
        f'<div dir="ltr"><br><blockquote type="cite">{page(attribution)}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">{body_of(sent.html)}</div></blockquote></body></html>'
    )


def phone(typed: str, attribution: str = ON, footer: str = "Sent from my iPhone") -> Build:
    def build(sent: Sent) -> bytes:
        quoted = marked(f"{attribution}\n\n{sent.texts[1]}")
        return alternative(f"{typed}\n\n{footer}\n\n{quoted}\n", html(sent, page(typed), attribution), "base64")

    return build


def mac(sent: Sent) -> bytes:
    text = f"4\n\n> {ON}\n> \n{marked(sent.texts[1])}\n"
    return mail(text, "text/plain; charset=utf-8; format=flowed; delsp=yes")


def mac_in_two(sent: Sent) -> bytes:
    """A picture in the text divides it into several parts."""
    return parts(
        "multipart/mixed",
        part("4\n\n", "text/plain; charset=us-ascii"),
        part(b"\x89PNG", "image/png", "base64", extra='Content-Disposition: inline; filename="board.png"\n'),
        part(f"\n\n{ON}\n\n{marked(sent.text)}", "text/plain; charset=utf-8"),
    )


def blank_text(sent: Sent) -> bytes:
    return parts(
        "multipart/alternative",
        part("\n\u00a0\n\n", "text/plain; charset=utf-8"),
        nested("multipart/related", "=_b2", part(html(sent, "<div>4</div>"), "text/html; charset=utf-8")),
    )


def selected(sent: Sent) -> bytes:
    """Apple Mail quotes only what was selected."""
    return mail(f"Is this one good?\n\n{ON}\n\n> {sent.legal[3]}\n")


def attached(sent: Sent) -> bytes:
    return parts(
        "multipart/mixed",
        part(f"Look.\n\n{ON}\n\n{marked(sent.text)}", "text/plain; charset=utf-8"),
        part("4\n", "text/plain; charset=utf-8", extra='Content-Disposition: attachment; filename="moves.txt"\n'),
    )


CASES = (
    Case("Apple Mail", "iPhone, a number", "plays 4", phone("4")),
    Case("Apple Mail", "iPhone in French", "plays 4", phone("4", LE, "Envoyé de mon iPhone")),
    Case("Apple Mail", "iPad in Italian", "plays 4", phone("4", IL, "Inviato da iPad")),
    Case("Apple Mail", "iPhone in German", "plays 4", phone("4", AM, "Von meinem iPhone gesendet")),
    Case("Apple Mail", "iPhone, a number and a chat", "plays 4, says: good luck", phone("4\nSay good luck")),
    Case("Apple Mail", "iPhone, a capital and a stop", "says help", phone("Help.")),
    Case("Apple Mail", "Mac, format=flowed", "plays 4", mac),
    Case("Apple Mail", "Mac, text in two parts around a picture", "plays 4", mac_in_two),
    Case("Apple Mail", "a blank text beside the HTML", "plays 4", blank_text),
    Case("Apple Mail", "one move of ours quoted, none typed", "asks for nothing", selected),
    Case("Apple Mail", "a number in an attached text", "asks for nothing (attachment)", attached),
)
