"""A match as a player or spectator may see it, by the game's ``observe`` for that one viewer, so
without any secret of a running match: as data, and its board as text and as a picture; and its
version: while that is the same, so is what they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, TypedDict

from sqlalchemy import Connection

from engine.documents import About, to_document
from engine.game import AnyGame
from engine.picks import choices
from engine.play import legal_actions, prompt
from engine.sentences import prompt_told
from engine.types import CHANCE, Layout, Seat, ToldStatement, Viewer
from service.context import Context
from service.ids import ID_PATTERN
from service.matches import mending, replays
from service.matches.access import check_ply, check_started, existing, join_url_for, match_seen_by, with_times
from service.matches.replays import MatchUnreadable
from service.matches.types import Document, Match, OfGame
from service.pictures.picture import in_pixels
from service.players.admission import admitted
from service.statuses import MatchStatus
from service.store import clocks
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player

SCREENS: Final = (Layout.DESKTOP, Layout.PHONE)
"""The layouts of pictures in which a player may pick."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A match, its state at a ply and the viewer."""

    match: StoredMatch
    game: AnyGame
    ply: int
    state: Any
    viewer: Viewer


class Awaited(TypedDict):
    """A seat that the match waits for, its player, and its prompt."""

    seat: Annotated[int, About("The seat.")]
    player: Annotated[str, About("The name of its player.")]
    prompt: Annotated[ToldStatement, About("What the seat is asked.")]


class LookedAt(TypedDict):
    """A match as one caller may know it: ``seat`` is ``None`` for a spectator.

    ``awaited`` has the prompt of each seat in ``to_act``; ``prompt`` is the caller's own, or the
    first of them where the caller is not awaited.
    """

    match: Annotated[str, About("The id of the match.", pattern=ID_PATTERN)]
    game: Annotated[str, OfGame("game"), About("The name of the game.")]
    status: Annotated[MatchStatus, About("What has become of the match.")]
    ply: Annotated[int, About("The ply a turn has to answer.")]
    seat: Annotated[int | None, About("The seat of the viewer; `null` for a spectator.")]
    nonces_digest: Annotated[str | None, About("The digest of the nonces, as in the match: it must never change.")]
    to_act: Annotated[tuple[int, ...], About("The seats the match waits for.")]
    awaited: Annotated[
        tuple[Awaited, ...], About("What each of these seats is asked; everybody may know that, spectators too.")
    ]
    prompt: Annotated[
        ToldStatement | None,
        About(
            "What you are asked; where the match does not wait for you, what the first of `awaited` is asked; `null` if"
            " nobody is."
        ),
    ]
    observation: Annotated[Document, OfGame("observation"), About("What the viewer may know.")]


def match(context: Context, player: Player | None, match_id: str, link: str | None = None) -> Match:
    """The match with the prompt of each awaited seat, as the player, or a spectator, may see it;
    ``link`` as for ``sight``. Raises ``NotFound``.
    """
    with context.database.read() as connection:
        admitted(connection, rows.find(connection, match_id), match_id, player, link)
    return told(context, player, match_id)


def told(context: Context, player: Player | None, match_id: str) -> Match:
    """The same for somebody who may know of the match in any case. Raises ``NotFound``."""
    try:
        with context.database.read() as connection:
            found = existing(rows.find(connection, match_id), match_id)
            viewer = found.seat_of(player.id if player is not None else None)
            seen = match_seen_by(found, player.id if player is not None else None)
            seen = with_times(connection, [found], [seen], context.clock())[0]
            seen = replace(
                seen,
                longest=replays.longest_of(connection, context, found),
                join_url=join_url_for(context, found, None if player is None else player.id),
            )

            # Without a state there are no prompts; the rest is shown all the same.
            if not found.is_on or not replays.at_hand(found):
                return seen
            state = replays.load(connection, context, found)
    except MatchUnreadable as error:
        mending.report(context, error)
        return seen
    at = Sight(found, replays.game_of(found), found.ply, state, viewer)
    prompts = mending.of_several(context, match_id, lambda: asked(at)) or {}
    return replace(seen, seats=tuple(replace(seat, prompt=prompts.get(seat.seat)) for seat in seen.seats))


def observation(context: Context, player: Player | None, match_id: str, ply: int | None = None) -> LookedAt:
    """What the player, or a spectator, may know at a ply. Raises as ``sight``."""
    looked = sight(context, player, match_id, ply)
    match, viewer = looked.match, looked.viewer
    with replays.ruled(match_id):
        seen = to_document(looked.game.observe(looked.state, viewer))
        awaited = tuple(
            Awaited(seat=seat, player=match.names[seat], prompt=prompt) for seat, prompt in asked(looked).items()
        )
    mine = next((each for each in awaited if each["seat"] == viewer), next(iter(awaited), None))
    return LookedAt(
        match=match.id,
        game=match.game,
        status=match.status,
        ply=looked.ply,
        seat=viewer,
        nonces_digest=replays.digest_of(match),
        to_act=tuple(each["seat"] for each in awaited),
        awaited=awaited,
        prompt=None if mine is None else mine["prompt"],
        observation=seen,
    )


def components(context: Context, player: Player | None, match_id: str) -> Mapping[str, Any]:
    """The component set as a JSON document, before the start, too. Raises ``NotFound``."""
    with context.database.read() as connection:
        admitted(connection, rows.find(connection, match_id), match_id, player)
        return rows.components(connection, match_id)


def board_text(context: Context, player: Player | None, match_id: str, link: str | None = None) -> str:
    """The board as text of at most 78 columns; ``link`` as for ``sight``. Raises as that."""
    seen = sight(context, player, match_id, link=link)
    with replays.ruled(match_id):
        return seen.game.text(seen.game.observe(seen.state, seen.viewer), seen.match.names)


def board_svg(
    context: Context,
    player: Player | None,
    match_id: str,
    layout: Layout = Layout.DESKTOP,
    *,
    ply: int | None = None,
    pixels: bool = False,
    link: str | None = None,
) -> str:
    """The board as SVG, which is remembered; ``pixels`` if it is to be drawn as PNG, where only the
    bundled fonts are at hand. For a screen, what an awaited viewer may choose now is marked. Raises
    as ``sight``.
    """
    seen = sight(context, player, match_id, ply, link)
    asked = _awaited_viewer(seen) if layout in SCREENS and not pixels else None

    def draw(names: Sequence[str]) -> str:
        legal = () if asked is None else legal_actions(seen.game, seen.state, asked)
        allowed = choices(map(to_document, legal))
        return seen.game.svg(seen.game.observe(seen.state, seen.viewer), names, layout, allowed)

    shown = seen.match.id, seen.ply, seen.viewer, seen.match.names, layout, pixels, asked
    with replays.ruled(match_id):
        return context.pictures.svg(
            shown, lambda: in_pixels(seen.match.names, draw) if pixels else draw(seen.match.names)
        )


def sight(
    context: Context, player: Player | None, match_id: str, ply: int | None = None, link: str | None = None
) -> Sight:
    """The match and its state at a ply, by default the present one, for the player or, with
    ``None``, a spectator; ``link`` is the secret of the join link that they have followed. Raises
    ``NotFound``, or ``Conflict`` (``match_not_started``, ``ply_ahead``).
    """
    with context.database.read() as connection:
        match, viewer = started(connection, player, match_id, link)
        check_ply(match, ply)
        at = match.ply if ply is None else ply
        return Sight(match, replays.game_of(match), at, replays.load(connection, context, match, at), viewer)


def asked(sight: Sight) -> dict[Seat, ToldStatement]:
    """The prompt of each seat that was awaited then, by seat, as the viewer may read it."""
    if sight.ply == sight.match.ply:
        awaited = [seat.seat for seat in sight.match.seats if seat.to_act]  # None once players have ended the match.
    else:
        awaited = [seat for seat in sight.game.to_act(sight.state) if seat != CHANCE]
    return {seat: prompt_told(sight.game, prompt(sight.game, sight.state, seat, sight.viewer)) for seat in awaited}


def started(
    connection: Connection, player: Player | None, match_id: str, link: str | None = None
) -> tuple[StoredMatch, Viewer]:
    """The match and the player's seat. Raises ``NotFound`` or ``Conflict``."""
    match = admitted(connection, rows.find(connection, match_id), match_id, player, link)
    check_started(match)
    return match, match.seat_of(player.id if player is not None else None)


def version(context: Context, player: Player | None, match_id: str) -> tuple[object, ...]:
    """All on which the log, the record, the boards and the observation of a match depend for the
    player, or a spectator, as values that ``json`` or ``str`` can write. Raises ``NotFound``.
    """
    with context.database.read() as connection:
        match = admitted(connection, rows.find(connection, match_id), match_id, player)
        steps = clocks.lengths(connection, [match_id])
    return (
        match.id,
        match.rules_version,
        match.status,
        match.ply,
        match.seat_of(player.id if player is not None else None),
        [(seat.player_id, seat.player_name, seat.to_act, seat.by_bot, seat.resigned_ply) for seat in match.seats],
        match.handed_over,
        match.early_end,
        match.outcome,
        (match.started_at, match.finished_at),
        (match.unreadable_at, match.unreadable_reason),
        steps,
    )


def _awaited_viewer(seen: Sight) -> Seat | None:
    """The seat of the viewer if it is awaited, and this is the position in which it may act."""
    is_awaited = seen.viewer is not None and seen.ply == seen.match.ply and seen.match.seats[seen.viewer].to_act
    return seen.viewer if is_awaited else None
