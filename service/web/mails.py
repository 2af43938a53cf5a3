"""The mails in the folder, for developers: a list (also as JSON), one mail as rendered, and its
source.

Mails contain tokens, so the pages answer only requests from this machine: a proxy, a tunnel or a
page of another site in the developer's browser could pass others on. The HTML of a mail is shown in
a frame that runs no scripts and loads nothing external.
"""

from __future__ import annotations

import base64
import email
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import default as policy
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from service.setting_values import is_loopback_address

NAME = r"[A-Za-z0-9_.-]{1,200}"
FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups"
    " allow-popups-to-escape-sandbox"
)
MOST_LISTED = 200
FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via", "CF-Connecting-IP")
"""Headers of proxies and tunnels; a request with one of them comes from elsewhere."""
MOST_HEADERS = 32 * 1024
SHOWN_HEADERS = (
    *("From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted"),
    "X-Overland-Notice",
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A mail in the list."""

    name: str
    subject: str
    to: str
    date: datetime | None


def add_pages(web: Blueprint, mail_url: str, data_dir: Path, names: Collection[str]) -> None:
    """Adds `/dev/mail` and its pages; where mails are sent to a server, the list says so.

    ``names`` are the host names of this service, besides localhost and addresses of loopback.
    """
    scheme, _, rest = mail_url.partition(":")
    folder = (Path(rest) if rest else data_dir / "mail") if scheme == "folder" else None

    def refuse_others() -> None:
        if (request.endpoint or "").removeprefix("web.") in shown and not _from_this_machine(names):
            abort(403, "The mails of a service in development are shown only to this machine, at its own address.")

    def forbid_storing(response: Response) -> Response:
        if (request.endpoint or "").removeprefix("web.") in shown:
            response.headers["Cache-Control"] = "no-store"
        return response

    def list_mails() -> str:
        names = _names(folder)
        return render_template(
            "mails.html",
            mails=[_listed(_path(folder, name)) for name in names[:MOST_LISTED]],
            count=len(names),
            folder=folder,
        )

    def list_mails_as_json() -> Response:
        wanted = request.args.get("to", "").lower()
        paths = [_path(folder, name) for name in _names(folder)]
        return jsonify([_as_document(path) for path in paths if wanted in _listed(path).to.lower()])

    def show_mail(name: str) -> str:
        message = _read(folder, name)
        headers = [(header, str(message[header])) for header in SHOWN_HEADERS if message[header]]
        text, html = _part(message, "plain"), _part(message, "html")
        return render_template(
            "mail.html", name=name, headers=headers, subject=str(message["Subject"]), text=text, html=html is not None
        )

    def show_html(name: str) -> Response:
        message = _read(folder, name)
        html = _with_pictures(_part(message, "html") or "", message)
        headers = {"Content-Security-Policy": FRAME_POLICY}
        return Response(html, content_type="text/html; charset=utf-8", headers=headers)

    def show_source(name: str) -> Response:
        return Response(_path(folder, name).read_bytes(), content_type="text/plain; charset=utf-8")

    shown: dict[str, tuple[str, Callable[..., ResponseReturnValue]]] = {
        "list_mails": ("/dev/mail", list_mails),
        "list_mails_as_json": ("/dev/mail.json", list_mails_as_json),
        "show_mail": ("/dev/mail/<name>", show_mail),
        "show_mail_html": ("/dev/mail/<name>/html", show_html),
        "show_mail_source": ("/dev/mail/<name>/source", show_source),
    }
    for endpoint, (rule, view) in shown.items():
        web.add_url_rule(rule, endpoint, view)
    web.before_request(refuse_others)
    web.after_request(forbid_storing)


def _from_this_machine(names: Collection[str]) -> bool:
    """Whether the request came over loopback, not through a proxy, and for a name of this machine.

    The name is checked because a page of another site can have its own name resolve to loopback and
    then read answers as its own.
    """
    try:
        host = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:  # an unfinished bracket
        return False
    return (
        is_loopback_address(request.remote_addr or "")
        and (host == "localhost" or host in names or is_loopback_address(host))
        and not any(name in request.headers for name in FORWARDING_HEADERS)
    )


def _names(folder: Path | None) -> list[str]:
    """The names of the files, latest first; they begin with the second of sending."""
    if folder is None or not folder.is_dir():
        return []
    paths = folder.glob("[!.]*.eml")
    latest_first = sorted(paths, key=lambda path: (path.name[:16], path.stat().st_mtime_ns), reverse=True)
    return [path.name for path in latest_first]


@lru_cache(maxsize=1024)
def _as_document(path: Path) -> dict[str, str | None]:
    """A mail in JSON; cached, as it never changes, and to parse its picture takes milliseconds."""
    listed = _listed(path)
    return {
        "name": path.name,
        "to": listed.to,
        "subject": listed.subject,
        "date": listed.date.isoformat() if listed.date else None,
        "text": _part(email.message_from_bytes(path.read_bytes(), policy=policy), "plain") or "",
    }


def _path(folder: Path | None, name: str) -> Path:
    """The file of that name directly in the folder; aborts with 404 for any other name."""
    if folder is None or not re.fullmatch(NAME, name) or name.startswith(".") or not name.endswith(".eml"):
        abort(404)
    path = folder / name
    if not path.is_file() or path.is_symlink():
        abort(404)
    return path


def _read(folder: Path | None, name: str) -> EmailMessage:
    return email.message_from_bytes(_path(folder, name).read_bytes(), policy=policy)


@lru_cache(maxsize=4096)
def _listed(path: Path) -> Listed:
    """What the headers of a mail say, which are read without its large parts."""
    with path.open("rb") as file:
        headers = BytesHeaderParser(policy=policy).parsebytes(file.read(MOST_HEADERS))
    date = getattr(headers["Date"], "datetime", None)
    return Listed(path.name, str(headers["Subject"] or "(no subject)"), str(headers["To"] or ""), date)


def _part(message: EmailMessage, kind: str) -> str | None:
    part = message.get_body((kind,))
    content = None if part is None else part.get_content()
    return content if isinstance(content, str) else None


def _with_pictures(html: str, message: EmailMessage) -> str:
    """The HTML with `cid:` references replaced by the pictures as data URLs."""
    pictures = {}
    for part in message.walk():
        content_id = str(part["Content-ID"] or "").strip("<> ")
        if content_id and part.get_content_maintype() == "image":
            data = part.get_payload(decode=True)
            if isinstance(data, bytes):
                pictures[content_id] = f"data:{part.get_content_type()};base64,{base64.b64encode(data).decode()}"
    return re.sub(r"cid:([^\"'\s)>]+)", lambda found: pictures.get(found.group(1), found.group(0)), html)
