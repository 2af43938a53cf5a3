"""The log, narrated for the caller, and the record: a match as one file."""

from __future__ import annotations

from typing import Any

from flask import Response

from engine.record import write_record
from service.api.answers.views import LogPage
from service.api.auth import Caller
from service.api.current import context
from service.api.etags import UNCHANGED, conditional, conditional_operation
from service.api.inputs.views import LogQuerySchema
from service.api.operations import Answer, Blueprint, written
from service.api.paging import page
from service.views.log import match_log
from service.views.record import match_record

blueprint = Blueprint("log", __name__, url_prefix="/v1", description="What happened, as the caller may know it.")


@conditional_operation(
    blueprint,
    "GET",
    "/matches/<id:match>/log",
    Answer(LogPage, description="A page of the log.", headers=("Link", "ETag")),
    UNCHANGED,
    query=LogQuerySchema,
)
def get_log(caller: Caller | None, query: dict[str, Any], match: str) -> Any:
    """Read what happened, entry by entry, as the caller may know it."""

    def told() -> Response:
        found = match_log(context(), caller, match, after_ply=query["after"], limit=query["limit"] + 1)
        return written(page(LogPage, found, query["limit"], lambda entry: str(entry["ply"])))

    return conditional(caller, match, told, "log", query["after"], query["limit"])


@conditional_operation(
    blueprint,
    "GET",
    "/matches/<id:match>/record",
    Answer({"$ref": "#/components/schemas/Record"}, description="The match as one file.", headers=("ETag",)),
    UNCHANGED,
)
def get_record(caller: Caller | None, match: str) -> Any:
    """Download a match as one file.

    While the match runs, what the caller may not know is `null`. Once it is over the record holds
    everything, the secret of its luck included: `overland verify FILE` checks it offline.
    """
    return conditional(caller, match, lambda: written(write_record(match_record(context(), caller, match))), "record")
