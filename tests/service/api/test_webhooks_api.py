"""Webhooks over HTTP: entered, seen, changed, tried and removed."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from tests.service.api.conftest import Person, SignUp

HOOK = {"url": "https://example.org/overland/secret"}
MINE = "/v1/me/webhooks"


def entered(by: Person, path: str = MINE, **body: Any) -> dict[str, Any]:
    answer = by.post(path, HOOK | body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def listed(by: Person, path: str = MINE) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = by.get(path).get_json()["items"]
    return found


def test_a_secret_is_shown_once_and_only_where_it_signs(ada: Person) -> None:
    webhook = entered(ada)
    assert webhook["secret"].startswith("whsec_")
    assert entered(ada, format="discord")["secret"] is None
    assert "secret" not in listed(ada)[0]
    assert listed(ada)[0]["url"] == HOOK["url"]
    renewed = ada.post(f"{MINE}/{webhook['id']}/secret").get_json()
    assert renewed["secret"] != webhook["secret"]


def test_the_same_key_enters_one_and_shows_its_secret_again(ada: Person) -> None:
    answers = [ada.post(MINE, HOOK, headers={"Idempotency-Key": "k1"}).get_json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(listed(ada)) == 1


def test_a_webhook_is_changed_switched_off_and_on_and_removed(ada: Person) -> None:
    path = f"{MINE}/{entered(ada)['id']}"
    assert ada.patch(path, {"url": "https://example.org/other"}).get_json()["url"] == "https://example.org/other"
    assert ada.patch(path, {"on": False}).get_json()["on"] is False
    assert ada.post(f"{path}/ping").get_json()["code"] == "webhook_off"
    assert ada.patch(path, {"on": True, "format": "slack"}).get_json()["format"] == "slack"
    assert ada.post(f"{path}/ping").status_code == 202
    assert ada.delete(path).status_code == 204
    assert listed(ada) == []
    assert ada.delete(path).status_code == 404


def test_a_hostile_address_is_refused_at_its_field(ada: Person) -> None:
    for url in ("http://127.0.0.1/", "http://169.254.169.254/latest", "ftp://example.org/", "https://example.org:22/"):
        refused = ada.post(MINE, {"url": url})
        assert refused.status_code == 422, url
        assert refused.get_json()["errors"][0]["pointer"] == "/url"
        assert "Enter an address such as https://example.org/overland." in refused.get_json()["detail"]


def test_so_many_can_be_entered_and_no_more(ada: Person, match: str) -> None:
    for _ in range(5):
        entered(ada)
    assert ada.post(MINE, HOOK).get_json()["code"] == "too_many_webhooks"
    for _ in range(3):
        entered(ada, f"/v1/matches/{match}/webhooks")
    assert ada.post(f"/v1/matches/{match}/webhooks", HOOK).get_json()["code"] == "too_many_webhooks"


def test_all_players_of_a_match_see_and_may_remove_its_webhooks_but_read_no_secret(
    client: FlaskClient, ada: Person, bela: Person, match: str, sign_up: SignUp
) -> None:
    path = f"/v1/matches/{match}/webhooks"
    webhook = entered(ada, path)
    (seen,) = listed(bela, path)
    assert (seen["place"], seen["you"], seen["on"]) == ("https://example.org", False, True)
    assert "secret" not in bela.get(path).text
    assert listed(ada, path)[0]["you"] is True
    assert listed(ada)[0]["match"] == match
    cleo = sign_up("Cleo")
    assert cleo.get(path).status_code == 403
    assert cleo.post(path, HOOK).status_code == 403
    assert cleo.delete(f"{path}/{webhook['id']}").status_code == 403
    assert client.get(path).status_code == 401
    assert bela.delete(f"{MINE}/{webhook['id']}").status_code == 404, "it is not hers"
    assert bela.delete(f"{path}/{webhook['id']}").status_code == 204
    assert listed(ada) == []


def test_a_webhook_of_another_match_is_not_of_this_one(ada: Person, match: str) -> None:
    own = entered(ada)
    assert ada.delete(f"/v1/matches/{match}/webhooks/{own['id']}").status_code == 404


def test_ids_in_discord_and_slack_are_preferences(ada: Person) -> None:
    changed = ada.patch("/v1/me/preferences", {"discord": "80351110224678912", "slack": "U012AB3CDE"}).get_json()
    assert (changed["discord"], changed["slack"]) == ("80351110224678912", "U012AB3CDE")
    for bad in ({"discord": "@ada"}, {"slack": "<!here>"}):
        refused = ada.patch("/v1/me/preferences", bad)
        assert refused.status_code == 422
        assert "looks like" in refused.get_json()["detail"]
