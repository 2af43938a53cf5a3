"""Parses JSON bodies and parameters; faults are reported with their place and with what would work.

A body must be JSON in UTF-8 with the type `application/json`, without numbers or texts that a
database cannot store.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import flask
import marshmallow as ma
from flask import request
from webargs.flaskparser import FlaskParser

from engine.documents import escape, quoted
from service.api.problems import ProblemDetails, invalid
from service.errors import Fault
from service.store.tables import UNSTORABLE

DEEPEST = 16
LARGEST_INTEGER = 2**53 - 1
_HAS_UNSTORABLE = "has a character that no text may have (NUL, or half of a surrogate pair)."
IDEMPOTENCY_KEY = "[\\x21-\\x7e]{1,128}"
SENTENCES: Final = {
    "Invalid input type.": "A JSON object is expected here.",
    "Field may not be null.": "null is not allowed here.",
    "Not a valid aware datetime.": "A time with its offset from UTC is expected here, as in 2026-12-23T18:00:00+01:00.",
    "Not a valid list.": "A list is expected here.",
    "Not a valid string.": "A text is expected here.",
}
"""By marshmallow's own, which do not say what would work."""


class Parser(FlaskParser):
    """Parses requests. Raises problems: 415 (other media type), 400 (not JSON) or 422."""

    def load_querystring(self, req: flask.Request, schema: ma.Schema) -> Any:
        """The parameters, of which each may be given once."""
        twice = [name for name, values in req.args.lists() if len(values) > 1]
        if twice:
            raise invalid(tuple(Fault(parameter=name, detail=f"{name} is given twice.") for name in twice))
        return super().load_querystring(req, schema)

    def load_json(self, req: flask.Request, schema: ma.Schema) -> Any:
        """The body as JSON data."""
        is_optional = getattr(schema, "optional", False)
        if is_optional and not req.get_data(cache=True):
            return {}
        if req.mimetype != "application/json" and not req.mimetype.endswith("+json"):
            raise ProblemDetails(
                "unsupported_media_type",
                f"The body came {f'as {req.mimetype}' if req.mimetype else 'without a media type'}; send it with"
                " Content-Type: application/json.",
            )
        document = read_json(req.get_data(cache=True))
        return {} if is_optional and document is None else document

    def handle_error(self, error: ma.ValidationError, req: flask.Request, schema: ma.Schema, **more: Any) -> NoReturn:
        """Raises one problem with everything that marshmallow found."""
        messages = error.messages if isinstance(error.messages, dict) else {"json": error.messages}
        faults = tuple(fault for location, found in messages.items() for fault in _faults(location, found, schema))
        raise invalid(faults)


def read_key() -> str | None:
    """The idempotency key of this request; ``None`` without one. Raises ``ProblemDetails``."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not re.fullmatch(IDEMPOTENCY_KEY, key):
        sentence = "An Idempotency-Key is 1 to 128 printable ASCII characters without spaces."
        faults = (Fault(header="Idempotency-Key", detail=sentence),)
        raise ProblemDetails("invalid", sentence, members={"errors": faults})
    return key


def check_coding() -> None:
    """Raises ``ProblemDetails`` for a body that is compressed (RFC 9110, section 15.5.16)."""
    coding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise ProblemDetails(
            "unsupported_media_type",
            f"The body came compressed ({coding[:40]}); send it as it is, without Content-Encoding.",
            headers={"Accept-Encoding": "identity"},
        )


def check_conditions() -> None:
    """Raises ``ProblemDetails`` for a request that would change something under a condition that is
    false (RFC 9110, section 13.1): our entity tags are weak, and ``If-Match`` compares strong ones.
    """
    wanted, unwanted = (request.headers.get(name, "").strip() for name in ("If-Match", "If-None-Match"))
    if wanted not in ("", "*") or unwanted == "*":
        raise ProblemDetails(
            "precondition_failed",
            "Nothing was changed: If-Match matches no weak entity tag, and all here are weak, and If-None-Match: * is"
            " for what is not there yet. Send the request without these headers.",
        )


def read_json(body: bytes) -> Any:
    """Parses the JSON of a body. Raises ``ProblemDetails``."""
    if not body.strip():
        raise ProblemDetails("malformed_json", "The body is empty; a JSON object is expected.")
    try:
        document = json.loads(
            body.decode("utf-8-sig"),  # some editors and shells put a mark before it (RFC 8259, section 8.1)
            parse_int=lambda digits: int(digits[:20]),  # which tell that a longer one is too large
            parse_constant=_no_constant,
            object_pairs_hook=_members,
        )
    except UnicodeDecodeError as error:
        raise ProblemDetails("malformed_json", f"The body is not UTF-8: byte {error.start} cannot be read.") from None
    except json.JSONDecodeError as error:
        place = f"{error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}"
        raise ProblemDetails("malformed_json", f"The body is not JSON: {place}.") from None
    except (ValueError, RecursionError) as error:
        too_deep = isinstance(error, RecursionError)
        reason = "it is nested too deeply" if too_deep else str(error).split(";")[0].rstrip(".")
        raise ProblemDetails("malformed_json", f"The body cannot be read: {reason}.") from None
    faults = tuple(_unstorable(document, "", 0))
    if faults:
        raise invalid(faults)
    return document


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, of which each name may be given once (RFC 8259, section 4)."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object in it has the name {twice[:40]!r} twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _unstorable(document: Any, pointer: str, depth: int) -> Iterator[Fault]:
    """Faults for what a database or mail cannot hold: NUL, lone surrogates, numbers that are not
    exact as floats, deep nesting.
    """
    if depth > DEEPEST:
        yield Fault(pointer=pointer, detail=f"The body is nested more than {DEEPEST} levels deep here.")
    elif isinstance(document, str):
        if UNSTORABLE.search(document):
            yield Fault(pointer=pointer, detail=f"This text {_HAS_UNSTORABLE}")
    elif isinstance(document, int | float) and abs(document) > LARGEST_INTEGER:
        yield Fault(pointer=pointer, detail="This number is too large.")
    elif isinstance(document, list):
        for index, item in enumerate(document):
            yield from _unstorable(item, f"{pointer}/{index}", depth + 1)
    elif isinstance(document, dict):
        for key, item in document.items():
            if UNSTORABLE.search(key):
                yield Fault(pointer=pointer, detail=f"A name here {_HAS_UNSTORABLE}")
            else:
                yield from _unstorable(item, f"{pointer}/{escape(key)}", depth + 1)


def _faults(location: str, found: Any, schema: ma.Schema) -> Iterator[Fault]:
    """Flattens marshmallow's nested dictionary of messages."""
    for path, sentence in _flattened(found, ()):
        if location == "json":
            pointer = "".join(f"/{escape(str(part))}" for part in path if part != "_schema")
            yield Fault(pointer=pointer, detail=_sentence(sentence, path, schema, "field"))
        else:
            parameter = str(path[0]) if path else location
            yield Fault(parameter=parameter, detail=_sentence(sentence, path, schema, "parameter"))


def _flattened(found: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(found, dict):
        for key, inner in found.items():
            yield from _flattened(inner, (*path, key))
    else:
        for sentence in found if isinstance(found, list) else [found]:
            yield path, str(sentence)


def _sentence(sentence: str, path: tuple[Any, ...], schema: ma.Schema, what: str) -> str:
    """Replaces marshmallow's terse messages by sentences that say what would work."""
    if sentence == "Unknown field.":
        names = [field.data_key or name for name, field in schema.load_fields.items()] if len(path) == 1 else []
        return f"There is no {what} {quoted(path[-1])} here" + (f"; known: {', '.join(names)}." if names else ".")
    if sentence == "Missing data for required field.":
        return f"{path[-1]} is missing."
    return SENTENCES.get(sentence, sentence)
