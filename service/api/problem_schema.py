"""The OpenAPI schema of a problem (RFC 9457)."""

from __future__ import annotations

from typing import Any

FAULT = {
    "type": "object",
    "description": "One thing wrong: where, and a sentence.",
    "properties": {
        "pointer": {
            "type": "string",
            "description": "A JSON pointer (RFC 6901) into the body.",
            "examples": ["/actions/1/space"],
        },
        "parameter": {"type": "string", "description": "The name of a query parameter."},
        "header": {"type": "string", "description": "The name of a header."},
        "detail": {"type": "string", "description": "A sentence saying what was wrong and what would work."},
        "line": {"type": "string", "description": "The line of notation that could not be read."},
        "column": {"type": "integer", "minimum": 0, "description": "Where in `line` parsing failed, 0-based."},
        "expected": {
            "type": "array",
            "items": {"type": "string"},
            "description": "What would have worked at `column`.",
        },
    },
    "required": ["detail"],
}

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": (
        "Why a request was refused (RFC 9457). Members beyond `instance` are present only where they apply."
    ),
    "properties": {
        "type": {
            "type": "string",
            "format": "uri-reference",
            "description": "The kind of problem, explained at this address.",
        },
        "title": {"type": "string", "description": "The kind of problem in a few words; always the same for one kind."},
        "status": {"type": "integer", "description": "The status of the answer."},
        "code": {"type": "string", "description": "A stable code; of a rejected turn the game's own code."},
        "detail": {"type": "string", "description": "What was wrong this time, and what would work."},
        "instance": {"type": "string", "description": "Names this occurrence in our logs."},
        "errors": {"type": "array", "items": FAULT, "description": "Everything wrong with the request, one by one."},
        "scope": {"type": "string", "description": "The scope the token lacks."},
        "ply": {"type": "integer", "description": "The ply the turn answered (`stale_ply`)."},
        "current_ply": {"type": "integer", "description": "The ply the match is at now (`stale_ply`)."},
        "changes": {
            "type": "array",
            "items": {"type": "string"},
            "description": "What happened since `ply`, as the caller may know it.",
        },
        "retry_after": {"type": "integer", "description": "How many seconds to wait."},
        "checks": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Every check by name: `ok`, `unavailable`, or what is missing.",
        },
        "rule": {"type": "string", "description": "The number of the broken rule in the game's rules text."},
        "others": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/BrokenRule"},
            "description": "Further rules that the same action breaks.",
        },
        "legal": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/LegalAction"},
            "description": "What would have been legal in place of the refused action; at most 200.",
        },
        "legal_total": {"type": "integer", "description": "How many actions would have been legal."},
        "turn": {"$ref": "#/components/schemas/Turn", "description": "The rejected turn with its verdict."},
    },
    "required": ["type", "title", "status", "code", "detail", "instance"],
    "examples": [
        {
            "type": "/docs/problems#invalid",
            "title": "The request does not fit the schema",
            "status": 422,
            "code": "invalid",
            "detail": "/ply: ply is missing.",
            "instance": "/v1/matches/m7Kq2/turns#8f14e45f",
            "errors": [{"pointer": "/ply", "detail": "ply is missing."}],
        }
    ],
}
