"""Narrates entries in sentences, which are the same for all viewers, as nothing is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.games.ozeanien.actions import Action, DrawTile, Explore, Place, PlaceExplorer, Skip, UseDiscarded
from engine.games.ozeanien.board import IMAGINED, start_said
from engine.games.ozeanien.score import Island, chart, islands, outcome
from engine.games.ozeanien.sentences import ENDINGS, SCORE_LABELS
from engine.games.ozeanien.state import Phase, State
from engine.games.ozeanien.tiles import KIND_OF, KINDS, LANDS, a, sides_of
from engine.sentences import filled_in
from engine.types import ScoreLine, Seat, Viewer
from engine.wording import listed, victory

Names = Sequence[str]


def narrate(before: State, seat: Seat, action: Action, after: State, viewer: Viewer, names: Names) -> str:
    """The sentences for one log entry."""
    sentences = [_what(before, seat, action, after, names)]
    if isinstance(action, Place):
        sentences += [_filled(after), _completed(before, after)]
    if after.phase is Phase.OVER:
        sentences.append(_result(after, names))
    return " ".join(sentence for sentence in sentences if sentence)


def _what(before: State, seat: Seat, action: Action, after: State, names: Names) -> str:
    match action:
        case Explore():
            return f"{names[seat]} sails {_to(action.start)}."
        case UseDiscarded():
            taken = (
                f"{'the' if before.seats[seat].discarded[KINDS.index(action.tile)] == 1 else 'a'} discarded"
                f" {'open sea' if action.tile == 'sea' else action.tile} tile"
            )
            return (
                f"{names[seat]} sails {_to(action.start)} and takes {taken}, giving up an explorer of value"
                f" {action.explorer}."
            )
        case DrawTile():
            drawn = f"{names[before.seat]} draws {a(action.tile)}"
            if after.phase is Phase.PLACE:
                return f"{drawn}."
            fate = "it leaves the match" if before.table.solo else "it is discarded"
            return f"{drawn}, which fits nowhere from there: {fate}."
        case Place():
            kind = KINDS[KIND_OF[LANDS[action.land]]]
            return f"{names[seat]} places {a(kind)} on {action.space}{_land(action.land)}."
        case PlaceExplorer():
            side = "" if action.part is None else f", in the {action.part}"
            return f"{names[seat]} puts an explorer of value {action.value} on the tile just placed{side}."
        case Skip():
            return f"{names[seat]} puts no explorer there."
    assert_never(action)


def _to(start: str) -> str:
    return f"to {'the circle ' if ' ' in start else ''}{start_said(start)}"


def _land(land: str) -> str:
    sides = [side.value for side in sides_of(LANDS[land])]
    return f", land on the {listed(sides)}" if 0 < len(sides) < 4 else ""


def _filled(after: State) -> str:
    """R5: the sentences about enclosed spaces and about tiles that the reserve lacked."""
    spaces, names = after.last[1:], after.table.ground.names
    if not spaces:
        return ""
    lacking = [names[space] for space in spaces if after.board[space] & IMAGINED]
    fills = f"fills {'it' if len(spaces) == 1 else 'them'}"
    if lacking:
        fills = (
            f"has no tile left for {listed(lacking)}, so {'one is' if len(lacking) == 1 else 'some are'} imagined there"
        )
    return f"That encloses {listed([names[space] for space in spaces])}; the reserve {fills}."


def _completed(before: State, after: State) -> str:
    """The sentences about the islands that the placement completes and their current points."""
    marks = chart(after.table.ground, after.board)
    changed = {island for space in after.last for island in marks.island[4 * space : 4 * space + 4] if island >= 0}
    found = islands(after)
    done = [found[island] for island in sorted(changed) if found[island].complete]
    if not done:
        return ""
    worth = listed([_worth(island, after) for island in done])
    return f"An island is complete: {worth}." if len(done) == 1 else f"{len(done)} islands are complete: {worth}."


def _worth(island: Island, after: State) -> str:
    size = f"{len(island.spaces)} tile{'' if len(island.spaces) == 1 else 's'} at {island.spaces[0]}"
    return f"{size} ({island.points} point{'' if island.points == 1 else 's'})" if after.table.solo else size


def _result(after: State, names: Names) -> str:
    result = outcome(after)
    assert result is not None
    order = sorted(range(len(result.scores)), key=lambda seat: (result.ranks[seat], seat))
    sheet = "; ".join(f"{names[seat]} {result.scores[seat]} ({_lines(result.details[seat])})" for seat in order)
    ended = filled_in(ENDINGS, result.ended)
    if after.table.solo:
        return f"{ended} The match is over: {sheet}."
    winners = [names[seat] for seat in result.winners]
    return f"{ended} The match is over: {sheet}. {victory(winners)}."


def _lines(lines: Sequence[ScoreLine]) -> str:
    return ", ".join(f"{SCORE_LABELS[line.code]} {line.number}" for line in lines)
