"""Pages: what is refused in place of a page is answered as a page."""

from __future__ import annotations

from flask.testing import FlaskClient


def test_a_problem_is_told_to_a_person_as_a_page(client: FlaskClient) -> None:
    refused = client.get("/dev/mail/none.eml")
    assert (refused.status_code, refused.mimetype) == (404, "text/html")
    assert "There is nothing here" in refused.text
    assert "script-src 'self'" in refused.headers["Content-Security-Policy"]
    assert client.get("/v1/games/none").mimetype == "application/problem+json"
