"""The page behind the link of a mail that nobody proved to have written: it shows the order that
the mail carried, and its button carries it out (``service.web.forms``).
"""

from __future__ import annotations

from flask import Blueprint, Response

from service.api.problems import kind_of
from service.api.requests import context
from service.errors import ServiceError
from service.inbox import held, releasing
from service.web import forms

LONGEST_ID = 64


def add_pages(web: Blueprint) -> None:
    """Adds `/orders/{order}`."""

    def show_order(order: str) -> Response:
        return _page(order[:LONGEST_ID])

    def carry_out_order(order: str) -> Response:
        order_id = order[:LONGEST_ID]
        if not forms.is_from_our_page():
            return _page(order_id, 403, forms.another_browser())
        try:
            found = held.waiting(context(), order_id)
            done = releasing.carry_out(context(), found)
        except ServiceError as error:
            return forms.page("order.html", kind_of(error).status, found=None, problem=str(error), done=None)
        return forms.page("order.html", found=found, problem="", done=done)

    web.add_url_rule("/orders/<order>", "show_order", show_order)
    web.add_url_rule("/orders/<order>", "carry_out_order", carry_out_order, methods=["POST"])


def _page(order_id: str, status: int = 200, problem: str = "") -> Response:
    """The page with the button for the order, or with why there is none."""
    found = None
    try:
        found = held.waiting(context(), order_id)
    except ServiceError as error:
        status, problem = (status, problem) if problem else (kind_of(error).status, str(error))
    return forms.page("order.html", status, found=found, problem=problem, done=None)
