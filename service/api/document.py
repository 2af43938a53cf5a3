"""The OpenAPI document as a file: `python -m service.api.document > openapi/openapi.json`.

The document depends on the code alone: no settings, no database.
"""

from __future__ import annotations

import json
from typing import Any

from flask import Flask

from service.api.blueprints import register_api


def openapi_document() -> dict[str, Any]:
    """The OpenAPI document of this version of the service."""
    document: dict[str, Any] = register_api(Flask("service.api", static_folder=None)).spec.to_dict()
    return document


def openapi_text() -> str:
    """The document as the text of `openapi/openapi.json`."""
    return json.dumps(openapi_document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(openapi_text(), end="")
