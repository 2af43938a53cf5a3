"""The OpenAPI document: equal to the code, valid, and complete."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from service.api.openapi import DOCUMENT, openapi_document, openapi_text
from service.api.problems import KINDS, MEDIA_TYPE
from service.app import app_of, described, with_context
from service.context import Context
from service.events.gate import TOLD
from service.webhooks.bodies import TYPES

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi_document()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield method, path, operation


def resolve(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in part:
        found: Any = document
        for token in part["$ref"].removeprefix("#/").split("/"):
            found = found[token.replace("~1", "/").replace("~0", "~")]
        part = found
    return part


def test_the_file_in_the_repository_is_equal_to_the_code() -> None:
    assert (ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8") == openapi_text(), "run `overland openapi`"


def test_the_document_that_a_fork_has_made_is_served_whole(context: Context) -> None:
    made = described(app_of(context.settings))
    assert json.loads(made.extensions[DOCUMENT]) == json.loads(openapi_text())
    answer = with_context(made, context).test_client().get("/openapi.json")
    assert answer.text == made.extensions[DOCUMENT]


def test_the_document_is_valid_openapi(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_every_schema_is_valid_json_schema(document: dict[str, Any]) -> None:
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    for reference in set(re.findall(r'"\$ref": "(#[^"]+)"', json.dumps(document))):
        assert resolve(document, {"$ref": reference}) is not None


def test_operation_ids_are_unique_and_in_camel_case(document: dict[str, Any]) -> None:
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", name) for name in ids)


def test_every_operation_has_a_summary_a_tag_and_says_who_may_call_it(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        assert operation["summary"], (method, path)
        assert len(operation["tags"]) == 1
        assert "security" in operation
    assert all(tag["description"] for tag in document["tags"])


def test_no_call_of_a_webhook_shares_its_tag_with_an_operation(document: dict[str, Any]) -> None:
    """OpenAPI Generator writes a file for each tag of the calls over that of the operations."""
    called = {tag for item in document["webhooks"].values() for tag in item["post"]["tags"]}
    assert called.isdisjoint(tag for _, _, operation in operations(document) for tag in operation["tags"])
    assert called <= {tag["name"] for tag in document["tags"]}


def is_described(document: dict[str, Any], part: dict[str, Any]) -> bool:
    return bool(part.get("description") or ("$ref" in part and resolve(document, part).get("description")))


def parts(whole: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a document, with its place."""
    if isinstance(whole, dict):
        yield path, whole
    for name, part in whole.items() if isinstance(whole, dict) else enumerate(whole) if isinstance(whole, list) else ():
        yield from parts(part, f"{path}/{name}")


def test_everything_is_described(document: dict[str, Any]) -> None:
    silent = []
    for name, found in document["components"]["schemas"].items():
        silent += [] if is_described(document, found) else [name]
        properties = found.get("properties", {})
        silent += [f"{name}.{each}" for each, part in properties.items() if not is_described(document, part)]
    for method, path, operation in operations(document):
        silent += [] if is_described(document, operation) else [f"{method} {path}"]
        for part in (*operation.get("parameters", ()), *document["paths"][path].get("parameters", ())):
            silent += [] if is_described(document, part) else [f"{method} {path} {part}"]
    assert silent == []


def test_every_pattern_is_read_alike_in_every_language(document: dict[str, Any]) -> None:
    """No escapes that ECMA-262, Python, RE2 and Java do not share, or that generators write out, as
    of a line separator, which ends a regular expression in JavaScript; no look around.
    """
    alike = re.compile(r"(\\x[0-7][0-9a-f]|\[(\\x[0-7][0-9a-f]|[^\\\[\]&~|])+\]|[^\\\[\]?]|(?<!\()\?)+", re.ASCII)
    patterns = {found["pattern"] for _, found in parts(document) if isinstance(found.get("pattern"), str)}
    assert len(patterns) > 10
    for pattern in patterns:
        assert re.fullmatch(r"\^[ -~]*\$", pattern), pattern
        assert alike.fullmatch(pattern), pattern
        assert re.compile(pattern)


def test_no_schema_is_called_like_what_generated_clients_make_of_another(document: dict[str, Any]) -> None:
    names = set(document["components"]["schemas"])
    assert not {f"{made}{name}" for name in names for made in ("New", "Nullable")} & names


def test_a_union_is_one_of_its_parts_unless_they_are_codes(document: dict[str, Any]) -> None:
    """Of `anyOf` a client in Rust has one structure, with the members of all parts or with none.
    The forms of a turn exclude each other by a member that may be left out, which a linter does not
    see.
    """
    for pointer, part in parts(document):
        told = [each for each in part.get("anyOf", ()) if each.get("type") != "null"]
        all_codes = all("enum" in resolve(document, each) for each in told)
        of_a_turn = pointer in ("/components/schemas/Prefix", "/components/schemas/TurnRequest")
        assert len(told) < 2 or all_codes or of_a_turn, pointer


def test_no_union_without_a_discriminator_holds_another(document: dict[str, Any]) -> None:
    for pointer, part in parts(document):
        if "discriminator" not in part:
            assert not [each for each in part.get("oneOf", ()) if "oneOf" in resolve(document, each)], pointer
    answer = document["paths"]["/v1/matches/{match}/turns"]["post"]["responses"]["200"]["content"]["application/json"]
    told = [each["$ref"].rpartition("/")[2] for each in answer["schema"]["oneOf"]]
    assert told == ["Turn", "MontanaPreview", "OregonPreview", "OzeanienPreview"]


def test_everything_has_a_type(document: dict[str, Any]) -> None:
    """So that generated clients have one: no object of any form, no list of anything, no tuple."""
    for path, found in parts(document):
        if "/examples/" in path or not isinstance(found.get("type"), str):
            continue
        if found.get("type") == "object" and "properties" not in found:
            assert found["additionalProperties"] not in (True, {}), path
        assert found.get("type") != "array" or found["items"], path
        assert "prefixItems" not in found, path


NAMED: Final = re.compile(
    r"(.*_)?(id|name|cursor|code|secret|token|digest|commitment|nonce)|match|player|turn|after|before|next"
)
BOUNDS: Final = {"const", "enum", "format", "maxLength", "pattern"}


def test_every_id_name_cursor_code_and_secret_has_a_form(document: dict[str, Any]) -> None:
    loose = set()
    for path, found in parts(document):
        fields = dict(found.get("properties", {})) if "/examples/" not in path else {}
        if "in" in found and "schema" in found:
            fields[found["name"]] = found["schema"]
        for name, field in fields.items():
            if NAMED.fullmatch(name) and "string" in json.dumps(field.get("type")) and not BOUNDS & field.keys():
                loose.add(f"{path} {name}")
    assert loose == set()


def test_no_object_has_further_properties_but_a_problem(document: dict[str, Any]) -> None:
    """A client has to ignore the members of a problem that it does not know (RFC 9457, 3.2)."""
    schemas = document["components"]["schemas"]
    forms = {name: found.get("additionalProperties") for name, found in schemas.items() if "properties" in found}
    assert {name for name, more in forms.items() if more is not False} == {"Fault", "Problem"}


def test_nothing_has_a_default_which_generated_clients_would_always_send(document: dict[str, Any]) -> None:
    for path, found in parts(document):
        assert "default" not in found or "/examples/" in path or path.endswith("/properties"), path


def test_every_error_is_documented_as_a_problem(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        errors = {
            status: resolve(document, answer) for status, answer in operation["responses"].items() if int(status) >= 400
        }
        assert {"429", "500"} <= set(errors), (method, path)
        assert all(list(answer["content"]) == [MEDIA_TYPE] for answer in errors.values())
        assert "401" in errors or operation["security"] == []


def test_every_problem_of_a_status_has_the_same_headers(document: dict[str, Any]) -> None:
    """What a client needs to come back, or to sign in, is said wherever it is answered."""
    everywhere = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"}
    further = {
        "401": {"WWW-Authenticate"},
        "403": {"WWW-Authenticate"},
        "415": {"Accept-Encoding"},
        "429": {"Retry-After"},
        "503": {"Retry-After"},
    }
    of_a_turn = {"409": {"Location", "Preference-Applied"}, "422": {"Location", "Preference-Applied"}}
    for method, path, operation in operations(document):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                headers = set(resolve(document, answer)["headers"])
                own = of_a_turn.get(status, set()) if operation["operationId"] == "submitTurn" else set()
                assert headers == everywhere | further.get(status, set()) | own, (method, path, status)


def test_no_address_that_is_told_has_a_format_that_clients_would_check(document: dict[str, Any]) -> None:
    """Those of guests and bots are nobody's: generated clients refuse to read them as addresses."""
    found: dict[str, str] = {}
    left = [json.dumps(operation["responses"]) for _, _, operation in operations(document)]
    while left:
        references = set(re.findall(r'"\$ref": "(#[^"]+)"', left.pop())) - found.keys()
        found |= {each: json.dumps(resolve(document, {"$ref": each})) for each in references}
        left += [found[each] for each in references]
    assert "#/components/schemas/Player" in found
    assert [name for name, part in found.items() if '"format": "email"' in part] == []


def test_only_a_body_that_may_be_left_out_is_not_required(document: dict[str, Any]) -> None:
    bodies = {
        operation["operationId"]: operation["requestBody"]["required"]
        for _, _, operation in operations(document)
        if "requestBody" in operation
    }
    assert set(bodies.values()) == {True, False}
    assert [name for name, required in bodies.items() if not required] == ["joinMatch"]


def test_the_codes_of_every_problem_are_listed(document: dict[str, Any]) -> None:
    """Each has a page at its `type` (`tests/service/web/test_pages.py`)."""
    for method, path, operation in operations(document):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                schema = resolve(document, resolve(document, answer)["content"][MEDIA_TYPE]["schema"])
                code = schema["allOf"][1]["properties"]["code"]
                codes = code.get("enum") or re.findall("`([a-z_]+)`", code["description"])
                assert codes, (method, path, status)
                assert {KINDS[each].status for each in codes} == {int(status)}, (method, path, codes)


def test_every_body_has_an_example_that_fits_its_schema(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            schema = {**content["schema"], "components": document["components"]}
            for example in content["examples"].values():
                assert Draft202012Validator(schema).is_valid(example["value"]), (method, path, example)


def test_every_call_of_a_webhook_is_described(document: dict[str, Any]) -> None:
    assert set(TOLD.values()) == TYPES.keys()
    assert set(document["webhooks"]) == {*TYPES.values(), "ping"}
    for item in document["webhooks"].values():
        call = item["post"]
        assert {"summary", "description", "requestBody"} < call.keys()
        assert call["responses"].keys() == {"2XX", "410"}
        assert [each["name"] for each in call["parameters"]] == ["webhook-id", "webhook-timestamp", "webhook-signature"]


def test_a_submitted_turn_has_its_headers_documented(document: dict[str, Any]) -> None:
    turn = document["paths"]["/v1/matches/{match}/turns"]["post"]
    for status in ("200", "202"):
        assert {"Location", "Preference-Applied"} <= set(turn["responses"][status]["headers"])
    names = {resolve(document, parameter)["name"] for parameter in turn["parameters"]}
    assert {"Prefer", "Idempotency-Key"} <= names


def test_actions_are_a_union_told_apart_by_type(document: dict[str, Any]) -> None:
    action = document["components"]["schemas"]["Action"]
    assert action["discriminator"]["propertyName"] == "type"
    assert len(action["oneOf"]) == len(action["discriminator"]["mapping"])


def test_it_names_no_machine(document: dict[str, Any]) -> None:
    assert [server["url"] for server in document["servers"]] == ["/"]
