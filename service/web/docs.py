"""The documentation of the API, usable offline: Swagger UI over `/openapi.json`, and an explanation
of every kind of problem.
"""

from __future__ import annotations

from flask import Blueprint, render_template

from service.api.problem_kinds import KINDS


def add_pages(web: Blueprint) -> None:
    """Adds `/docs` and `/docs/problems`."""

    def docs() -> str:
        return render_template("docs.html")

    def problems() -> str:
        return render_template("problems.html", kinds=sorted(KINDS.values(), key=lambda kind: (kind.status, kind.code)))

    web.add_url_rule("/docs", "docs", docs)
    web.add_url_rule("/docs/problems", "problems", problems)
