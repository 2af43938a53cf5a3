"""The mails of the folder, shown to developers and to nobody else."""

from __future__ import annotations

import os
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import app_of, with_context
from service.config import load
from service.context import Context

PICTURE = b"\x89PNG not really"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mail"
    folder.mkdir()
    return folder


def app_with(folder: Path) -> Flask:
    """The application with this folder of mails, without its context."""
    settings = load({"OVERLAND_DATA_DIR": str(folder.parent), "OVERLAND_MAIL_URL": f"folder:{folder}"})
    return app_of(replace(settings, base_url="http://own.example"))


@pytest.fixture
def client(context: Context, folder: Path) -> FlaskClient:
    return with_context(app_with(folder), context).test_client()


@pytest.fixture(scope="module")
def app_with_secret(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The application with a mail, and with files beside it that are none; no test changes them."""
    folder = tmp_path_factory.mktemp("data") / "mail"
    folder.mkdir()
    drop(folder, "a.eml", "Secret", "<p>Secret</p>")
    for file in (folder.parent / "secret.eml", folder / ".hidden.eml"):
        file.write_text("secret")
    return app_with(folder)


@pytest.fixture
def secret(app_with_secret: Flask, context: Context) -> FlaskClient:
    return with_context(app_with_secret, context).test_client()


def drop(
    folder: Path, name: str, subject: str = "Your turn", html: str | None = None, to: str = "Ada <ada@example.org>"
) -> None:
    message = EmailMessage()
    message["Subject"], message["To"], message["From"] = subject, to, "Overland <overland@example.org>"
    message["Date"], message["Message-ID"] = "Fri, 20 Nov 2026 10:00:00 +0000", "<notice-1@example.org>"
    message.set_content("It is your turn.\n")
    if html is not None:
        message.add_alternative(html, subtype="html")
        message.get_payload()[1].add_related(PICTURE, "image", "png", cid="<board>")  # type: ignore[union-attr, index]
    (folder / name).write_bytes(message.as_bytes())


def test_the_list_shows_the_latest_mail_first(client: FlaskClient, folder: Path) -> None:
    drop(folder, "20261120T100000Z-a.eml", "First")
    drop(folder, "20261121T100000Z-b.eml", "Second")
    page = client.get("/dev/mail").text
    assert page.index("Second") < page.index("First")


def test_mails_of_the_same_second_are_in_the_order_they_were_written(client: FlaskClient, folder: Path) -> None:
    for number, name in enumerate(("20261120T100000Z-z.eml", "20261120T100000Z-a.eml", "20261120T100000Z-m.eml")):
        drop(folder, name, f"Number {number}")
        os.utime(folder / name, ns=(number, number))
    assert [mail["subject"] for mail in client.get("/dev/mail.json").get_json()] == ["Number 2", "Number 1", "Number 0"]


def test_an_empty_folder_is_said_to_be_empty(client: FlaskClient) -> None:
    assert "No mail has been sent yet" in client.get("/dev/mail").text


def test_mails_can_be_read_as_json_by_address(client: FlaskClient, folder: Path) -> None:
    drop(folder, "20261120T100000Z-a.eml")
    drop(folder, "20261120T100001Z-b.eml", to="bela@example.org")
    found = client.get("/dev/mail.json", query_string={"to": "ADA@example.org"}).get_json()
    assert [(mail["name"], mail["subject"], mail["text"]) for mail in found] == [
        ("20261120T100000Z-a.eml", "Your turn", "It is your turn.\n")
    ]


def test_a_subject_cannot_smuggle_html_into_the_page(client: FlaskClient, folder: Path) -> None:
    drop(folder, "20261120T100000Z-a.eml", "<script>alert(1)</script>", to='"<img src=x>" <a@example.org>')
    for path in ("/dev/mail", "/dev/mail/20261120T100000Z-a.eml"):
        assert "<script>alert" not in client.get(path).text
        assert "<img src=x>" not in client.get(path).text


def test_a_mail_shows_headers_text_and_html_in_a_frame_without_scripts(client: FlaskClient, folder: Path) -> None:
    drop(folder, "20261120T100000Z-a.eml", html="<p>Board</p>")
    page = client.get("/dev/mail/20261120T100000Z-a.eml").text
    assert "It is your turn." in page
    assert "notice-1@example.org" in page
    assert 'sandbox="allow-popups allow-popups-to-escape-sandbox"' in page


def test_the_html_part_carries_its_pictures_and_loads_nothing(client: FlaskClient, folder: Path) -> None:
    drop(folder, "20261120T100000Z-a.eml", html='<img src="cid:board"><script>steal()</script>')
    answer = client.get("/dev/mail/20261120T100000Z-a.eml/html")
    assert 'src="data:image/png;base64,iVBORyBub3QgcmVhbGx5"' in answer.text or "data:image/png;base64," in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy


def test_the_source_is_shown_as_it_was_sent(client: FlaskClient, folder: Path) -> None:
    drop(folder, "20261120T100000Z-a.eml")
    answer = client.get("/dev/mail/20261120T100000Z-a.eml/source")
    assert answer.mimetype == "text/plain"
    assert answer.data == (folder / "20261120T100000Z-a.eml").read_bytes()


@pytest.mark.parametrize(
    "name",
    ["../secret.eml", "..%2Fsecret.eml", ".hidden.eml", "missing.eml", "secret-key", "a" * 300 + ".eml"],
)
def test_nothing_but_mails_of_the_folder_can_be_read(secret: FlaskClient, name: str) -> None:
    for suffix in ("", "/html", "/source"):
        assert secret.get(f"/dev/mail/{name}{suffix}").status_code == 404


def test_a_link_in_the_folder_is_not_followed(client: FlaskClient, folder: Path) -> None:
    (folder.parent / "secret").write_text("secret")
    (folder / "link.eml").symlink_to(folder.parent / "secret")
    assert client.get("/dev/mail/link.eml/source").status_code == 404


PAGES = [f"/dev/mail{end}" for end in ("", ".json", "/a.eml", "/a.eml/html", "/a.eml/source")]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("peer", "host", "headers"),
    [
        ("10.0.0.9", "localhost", {}),
        ("127.0.0.1", "overland.example", {}),
        ("127.0.0.1", "[::1", {}),
        ("127.0.0.1", "localhost", {"X-Forwarded-For": "127.0.0.1"}),
        ("127.0.0.1", "localhost", {"Forwarded": "for=127.0.0.1"}),
        ("127.0.0.1", "localhost", {"X-Real-IP": "192.0.2.7"}),
        ("127.0.0.1", "localhost", {"Via": "1.1 proxy"}),
    ],
)
def test_a_mail_is_shown_to_nobody_on_another_machine(
    secret: FlaskClient, path: str, peer: str, host: str, headers: dict[str, str]
) -> None:
    answer = secret.get(path, environ_base={"REMOTE_ADDR": peer}, headers={"Host": host, **headers})
    assert answer.status_code == 403
    assert "Secret" not in answer.text


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "own.example"])
def test_a_mail_is_shown_to_this_machine_under_each_of_its_names_and_never_stored(
    secret: FlaskClient, path: str, host: str
) -> None:
    answer = secret.get(path, environ_base={"REMOTE_ADDR": "::1"}, headers={"Host": host})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store, no-transform"
