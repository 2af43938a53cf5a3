"""What refuses a request before its view: the size of its body, a maintenance, in which nothing is
written, and, where the settings enable it, the rate limit (decision 0017).

What a request of each operation and page costs is counted of the budgets of its caller: 1 is about
2 ms. Reads and turns have budgets of their own, so that whoever has read too much can still play.
A caller is a player with all their tokens and browsers, where a request of the API has a valid
token or one of a page a valid cookie; otherwise an address. An address of IPv6 stands for its
network of 64 bits, since whoever has one address of it has all.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from flask import Flask, Response, g, request

from service.api.auth import identify, visitor
from service.api.parsing import read_json
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.clocks.spans import duration_words
from service.config import Settings
from service.rates import Limit, Use
from service.store.maintenance import Maintenance
from service.store.players import Player


class Budget(Enum):
    """What a request is counted as: asking, submitting a turn, or changing something else."""

    READS = "reads"
    TURNS = "turns"
    CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class Weight:
    """The cost of a request: ``cost`` in any case, ``afresh`` in addition where the answer was not
    kept (``service.api.conditional``).
    """

    budget: Budget
    cost: int = 1
    afresh: int = 0


MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
UNITS: Final = {MINUTE: "minute", HOUR: "hour", DAY: "day"}

BUDGETS: Mapping[Budget, Limit] = {
    budget: Limit(budget.value, most, MINUTE)
    for budget, most in ((Budget.READS, 600), (Budget.TURNS, 120), (Budget.CHANGES, 120))
}
"""What a caller may use in a minute: of each budget a request costs its weight."""
SIGN_UPS = (Limit("sign-ups", 10, MINUTE), Limit("sign-ups", 60, DAY))
CONFIRMATIONS = (Limit("confirmations", 30, MINUTE),)
GUESTS = (Limit("guests", 5, HOUR),)
MAILS_TO_ONE = (Limit("sign-in-mails", 10, HOUR), Limit("sign-in-mails", 30, DAY))
TOKENS = (Limit("tokens", 10, MINUTE), Limit("tokens", 60, DAY))
MATCHES = (Limit("matches", 20, MINUTE), Limit("matches", 200, DAY))
OF_ADDRESSES: Mapping[str, tuple[Limit, ...]] = {
    **dict.fromkeys("players.sign_up web.sign_up web.sign_up_to_join web.sign_up_to_open_seat".split(), SIGN_UPS),
    "web.mail_sign_in": SIGN_UPS,
    **dict.fromkeys("players.confirm web.ask_confirmation web.confirm".split(), CONFIRMATIONS),
    **dict.fromkeys("web.ask_sign_in web.sign_in web.invitation web.take_invited_seat".split(), CONFIRMATIONS),
}
"""By endpoint, for each address: requests that send mail or could be used to guess a token."""
OF_PLAYERS: Mapping[str, tuple[Limit, ...]] = {
    **dict.fromkeys("tokens.issue_token bots.make_bot bots.issue_bot_token web.change_programs".split(), TOKENS),
    **dict.fromkeys("matches.create_match web.create_match web.play_again".split(), MATCHES),
}
"""By endpoint, for each player with all their tokens: what multiplies a caller, and what sends
invitations by mail.
"""
UNLIMITED: Final = ("healthz", "readyz", "metrics")


def _reads(endpoints: str, cost: int, afresh: int = 0) -> Mapping[str, Weight]:
    return dict.fromkeys(endpoints.split(), Weight(Budget.READS, cost, afresh))


WEIGHTS: Final[Mapping[str, Weight]] = {
    **dict.fromkeys(("turns.submit_turn", "web.play_in_match"), Weight(Budget.TURNS)),
    **_reads("matches.list_matches openapi turns.list_turns web.calendar web.game", 2),
    **_reads("turns.list_legal_actions turns.list_legal_actions_after joining.get_joining", 4),
    **_reads("web.match web.join web.board_of_link web.invitation web.matches", 4),
    **_reads("boards.get_board_text observation.get_observation", 1, afresh=2),
    **_reads("awaiting.list_awaiting boards.get_board_svg web.board_of_match", 1, afresh=4),
    **_reads("log.get_log", 1, afresh=8),
    **_reads("boards.get_board_png", 1, afresh=20),
    **_reads("log.get_record", 1, afresh=40),
    **_reads("web.check_draws", 40),
    **_reads("players.export_me web.export", 100),
}
"""By endpoint. Others cost 1 of the reads where their method reads, else 1 of the changes."""
TOO_OFTEN = "You have asked too often"
READING_METHODS: Final = ("GET", "HEAD", "OPTIONS")
READING_ENDPOINTS: Final = ("turns.list_legal_actions_after", "web.confirm")
"""An operation that reads, though a body makes it ``POST``; and a page, which says it itself."""
PREVIEWS: Final = ("turns.submit_turn",)
"""Operations that only read where the body says ``dry_run``."""
USUAL_SECONDS: Final = 60
SHORTEST_SECONDS: Final = 10
LONGEST_SECONDS: Final = 3600
MOST_BYTES = 64 * 1024
LARGER_BODIES = {"matches.create_match": 256 * 1024, "web.create_match": 256 * 1024}
"""Bytes of a body, by endpoint: a new match may contain a whole component set."""


def limit_requests(app: Flask, settings: Settings) -> None:
    """Refuses bodies that are too large, what would write in a maintenance and, where
    ``settings.rate_limit`` is on, requests beyond the limits.
    """
    if settings.trusted_proxies:
        app.wsgi_app = _behind(settings.trusted_proxies, app.wsgi_app)  # type: ignore[method-assign]
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = MOST_BYTES
    app.before_request(_allow_larger_body)
    if settings.rate_limit:
        app.before_request(_limit_request)
        app.after_request(_tell_limits)
    app.before_request(_refuse_write)


def _behind(proxies: int, wsgi: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The application, told that a request comes from the peer of the outermost proxy: what is
    further left in the header could be forged by the client. Each comma divides, because a quote
    that the client opened there would swallow what the proxies wrote after it.
    """

    def answer(environ: dict[str, str], start_response: object) -> Iterable[bytes]:
        written = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
        if len(written) >= proxies:
            environ["REMOTE_ADDR"] = written[-proxies].strip(' \t"') or environ["REMOTE_ADDR"]
        return wsgi(environ, start_response)

    return answer


def limit_mails_to(email: str) -> None:
    """Refuses to send one more mail with a sign-in token to the address, whoever asks for it. Those
    that were sent keep working, so nobody is locked out. Raises ``ProblemDetails``.
    """
    if context().settings.rate_limit:
        who = hashlib.sha256(email.encode()).hexdigest()
        _count([Use(limit, who) for limit in MAILS_TO_ONE], "This address was sent too many mails to sign in with")


def limit_guests() -> None:
    """Refuses to seat one more guest from this network. Raises ``ProblemDetails``."""
    if context().settings.rate_limit:
        uses = [Use(limit, address_of(request.remote_addr)) for limit in GUESTS]
        _count(uses, "As many guests as may have begun to play from your network")


def count_afresh(times: int = 1) -> None:
    """Counts what this request costs in addition because its answer has to be made, or so many
    parts of it. Raises ``ProblemDetails`` where that is more than its caller has left.
    """
    if "caller" in g and times:
        weight = weight_of(request.endpoint or "", request.method)
        _count([Use(BUDGETS[weight.budget], g.caller, weight.afresh * times)], TOO_OFTEN)


def weight_of(endpoint: str, method: str) -> Weight:
    """What a request costs; an address that leads nowhere has the endpoint ""."""
    reads = not endpoint or method in READING_METHODS
    return WEIGHTS.get(endpoint, Weight(Budget.READS if reads else Budget.CHANGES))


def address_of(remote: str | None) -> str:
    """Whose requests are counted for an address as a server or a proxy writes it: an address of
    IPv4, or the network of 64 bits of one of IPv6.
    """
    text = remote or "unknown"
    with_port = re.fullmatch(r"\[(.*)\](?::\d+)?|([\d.]+):\d+", text)
    if with_port is not None:
        text = with_port[1] or with_port[2]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return text[:64]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, 64), strict=False))


def _allow_larger_body() -> None:
    if request.endpoint in LARGER_BODIES:
        request.max_content_length = request.max_form_memory_size = LARGER_BODIES[request.endpoint]


def _limit_request() -> None:
    if request.endpoint not in UNLIMITED and request.method != "OPTIONS":
        _count(list(_uses()), TOO_OFTEN)


def _uses() -> Iterator[Use]:
    endpoint = request.endpoint or ""
    address = address_of(request.remote_addr)
    player = _player(endpoint)
    # A bot is counted with its owner, who would have more by having many.
    who = address if player is None else player.owner_id or player.id
    g.caller = address if player is None else f"player-{who}"
    weight = weight_of(endpoint, request.method)
    yield Use(BUDGETS[weight.budget], g.caller, weight.cost)
    yield from (Use(limit, address) for limit in OF_ADDRESSES.get(endpoint, ()))
    if player is not None:
        yield from (Use(limit, who) for limit in OF_PLAYERS.get(endpoint, ()))


def _player(endpoint: str) -> Player | None:
    """Who sends this request, where it has a token or a cookie that is read and known."""
    if request.blueprint == "web":
        return None if endpoint == "web.static" else visitor()
    found = None if request.blueprint is None else identify()
    return None if found is None else found[0]


def _count(uses: list[Use], reason: str) -> None:
    """Counts what this request costs, and notes for its answer the limit that is nearest: of those
    that are used up the one that is so for longest. Raises ``ProblemDetails`` beyond one, and then
    counts for no other: whoever repeats what a minute refuses has not used up the day.
    """
    now = context().clock().timestamp()
    counted = zip(uses, context().rates.count(uses, now), strict=True)
    left = {each.limit: each.limit.most - used for each, used in counted}
    limit = min(left, key=lambda each: (max(0, left[each]), -each.seconds))
    seconds = max(1, math.ceil((now // limit.seconds + 1) * limit.seconds - now))
    if "limit" not in g or left[limit] <= g.limit[1]:
        g.limit = limit.most, max(0, left[limit]), seconds
    if min(left.values()) < 0:
        context().rates.count([each._replace(cost=-each.cost) for each in uses if left[each.limit] >= 0], now)
        often = f"{limit.most} per {UNITS[limit.seconds]}"
        after = f"{seconds} seconds" if seconds <= MINUTE else duration_words(math.ceil(seconds / MINUTE) * MINUTE)
        raise ProblemDetails(
            "too_many_requests",
            f"{reason}: the maximum of {limit.name} is {often}. Ask again in {after}.",
            extras={"retry_after": seconds, "limit": limit.name},
        )


def _tell_limits(response: Response) -> Response:
    """Writes the limit that is nearest into headers (draft-ietf-httpapi-ratelimit-headers-07)."""
    if "limit" in g:
        for name, number in zip(("Limit", "Remaining", "Reset"), g.limit, strict=True):
            response.headers[f"RateLimit-{name}"] = str(number)
    return response


def seconds_left(maintenance: Maintenance) -> int:
    """After how many seconds a request that a maintenance refuses may be repeated."""
    if maintenance.expected_end is None:
        return USUAL_SECONDS
    left = math.ceil((maintenance.expected_end - context().clock()).total_seconds())
    return min(max(left, SHORTEST_SECONDS), LONGEST_SECONDS)


def _refuse_write() -> None:
    if request.endpoint is None or request.method in READING_METHODS or request.endpoint in READING_ENDPOINTS:
        return
    found = context().maintenance()
    if found is None or (request.endpoint in PREVIEWS and _is_dry_run()):
        return
    raise ProblemDetails("maintenance", found.sentence, extras={"retry_after": seconds_left(found)})


def _is_dry_run() -> bool:
    try:
        body = read_json(request.get_data(cache=True))
    except ProblemDetails:
        return False
    return isinstance(body, dict) and body.get("dry_run") is True
