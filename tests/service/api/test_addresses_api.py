"""Mail addresses over the API, and the page that confirms one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from service.context import Context
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem
from tests.service.fakes import notices


def code(context: Context) -> str:
    return str(notices(context, "confirm_another_address")[-1].payload["token"])


def test_an_address_is_added_confirmed_made_primary_and_the_other_removed(ada: Person, context: Context) -> None:
    new = ada.post("/v1/me/addresses", {"email": "Ada@bücher.example"})
    assert new.status_code == 202
    document: dict[str, Any] = new.get_json()
    assert (document["email"], document["primary"], document["confirmed_at"]) == ("Ada@bücher.example", False, None)
    problem(ada.patch(f"/v1/me/addresses/{document['id']}", {"primary": True}), 409, "address_unconfirmed")
    confirmed = ada.post("/v1/confirm", {"token": code(context)}).get_json()["address"]
    assert confirmed["confirmed_at"] is not None
    primary = ada.patch(f"/v1/me/addresses/{document['id']}", {"primary": True}).get_json()
    assert primary["primary"] is True
    listed = ada.get("/v1/me/addresses").get_json()["items"]
    assert [(each["email"], each["primary"]) for each in listed] == [
        ("Ada@bücher.example", True),
        (ada.email, False),
    ]
    problem(ada.delete(f"/v1/me/addresses/{document['id']}"), 409, "primary_address")
    assert ada.delete(f"/v1/me/addresses/{listed[1]['id']}").status_code == 204
    problem(ada.delete(f"/v1/me/addresses/{listed[1]['id']}"), 404, "address_not_found")


def test_a_token_that_was_not_got_by_mail_changes_no_address(ada: Person, context: Context) -> None:
    stolen = ada.post("/v1/tokens", {"label": "clerk", "scopes": ["account", "read"]}).get_json()["token"]
    listed = ada.get("/v1/me/addresses").get_json()["items"]
    thief = replace(ada, token=stolen)
    problem(thief.post("/v1/me/addresses", {"email": "eve@example.net"}), 403, "proof_needed")
    problem(thief.patch(f"/v1/me/addresses/{listed[0]['id']}", {"primary": True}), 403, "proof_needed")
    problem(thief.delete(f"/v1/me/addresses/{listed[0]['id']}"), 403, "proof_needed")
    problem(thief.post("/v1/tokens", {"label": "more", "scopes": ["account"]}), 403, "proof_needed")
    assert thief.post("/v1/tokens", {"label": "bot", "scopes": ["read"]}).status_code == 201


def test_the_page_in_the_mail_undoes_a_change_by_its_button(ada: Person, context: Context) -> None:
    ada.post("/v1/me/addresses", {"email": "eve@example.net"})
    ada.post("/v1/confirm", {"token": code(context)})
    token = notices(context, "address_changed")[-1].payload["token"]
    page = ada.client.get(f"/undo-address?token={token}")
    assert (page.status_code, ada.email in page.text) == (200, True)
    nonce = re.search(r'name="nonce" value="([^"]*)"', page.text)
    assert nonce is not None
    assert ada.client.post("/undo-address", data={"token": token, "nonce": "x"}).status_code == 403
    assert len(ada.get("/v1/me/addresses").get_json()["items"]) == 2
    done = ada.client.post("/undo-address", data={"token": token, "nonce": nonce[1]})
    assert (done.status_code, "It is undone" in done.text) == (200, True)
    assert ada.client.get(f"/undo-address?token={token}").status_code == 409
    assert ada.client.get("/undo-address?token=guessed").status_code == 404


def test_what_cannot_be_added_or_changed_is_refused_with_a_reason(ada: Person, bela: Person) -> None:
    problem(ada.post("/v1/me/addresses", {"email": "ada"}), 422, "invalid")
    problem(ada.post("/v1/confirm", {"token": "guessed-token"}), 404, "confirmation_not_found")
    listed = ada.get("/v1/me/addresses").get_json()["items"]
    problem(ada.patch(f"/v1/me/addresses/{listed[0]['id']}", {"primary": False}), 422, "invalid")
    problem(bela.patch(f"/v1/me/addresses/{listed[0]['id']}", {"primary": True}), 404, "address_not_found")


def test_the_page_in_the_mail_confirms_by_its_button_and_signs_nobody_in(ada: Person, context: Context) -> None:
    ada.post("/v1/me/addresses", {"email": "ada@home.example"})
    page = ada.client.get(f"/confirm-address?token={code(context)}")
    assert "ada@home.example" in page.text
    nonce = re.search(r'name="nonce" value="([^"]*)"', page.text)
    assert nonce is not None
    unshown = ada.client.post("/confirm-address", data={"token": code(context), "nonce": "x"})
    assert unshown.status_code == 403
    done = ada.client.post("/confirm-address", data={"token": code(context), "nonce": nonce[1]})
    assert (done.status_code, "is confirmed" in done.text) == (200, True)
    assert not any("session" in cookie or "overland-visitor" in cookie for cookie in done.headers.getlist("Set-Cookie"))
    assert [each["confirmed_at"] is not None for each in ada.get("/v1/me/addresses").get_json()["items"]] == [True] * 2
    again = ada.client.get(f"/confirm-address?token={code(context)}")
    assert (again.status_code, "has been used" in again.text) == (409, True)
    assert 'name="token"' in ada.client.get("/confirm-address").text
