"""Plays two matches of a game with a client that openapi-python-client has generated: the second
has the options and components of the first, as they were answered.

    python play.py URL GAME TOKEN TOKEN

Each token is of another player. They submit one legal action at a time, after a dry run of it.
"""

from __future__ import annotations

import random
import sys

from overland_client import AuthenticatedClient
from overland_client.api.games import get_game_components
from overland_client.api.log import get_log, get_record
from overland_client.api.matches import create_match, get_match, get_match_components, join_match
from overland_client.api.observation import get_observation
from overland_client.api.turns import list_legal_actions, submit_turn
from overland_client.models import (
    LegalActions,
    LogPage,
    MontanaComponentSet,
    MontanaLogEntry,
    MontanaMatch,
    MontanaMatchComponents,
    MontanaMatchObservation,
    MontanaMatchRequest,
    MontanaPreview,
    MontanaRecord,
    OregonComponentSet,
    OregonLogEntry,
    OregonMatch,
    OregonMatchComponents,
    OregonMatchObservation,
    OregonMatchRequest,
    OregonPreview,
    OregonRecord,
    OzeanienComponentSet,
    OzeanienLogEntry,
    OzeanienMatch,
    OzeanienMatchComponents,
    OzeanienMatchObservation,
    OzeanienMatchRequest,
    OzeanienPreview,
    OzeanienRecord,
    SeatForPlayer,
    SeatForPlayerKind,
    TrialOfActions,
    Turn,
    TurnOfActions,
)

Match = MontanaMatch | OregonMatch | OzeanienMatch
MatchRequest = MontanaMatchRequest | OregonMatchRequest | OzeanienMatchRequest
Client = AuthenticatedClient


class Refused(Exception):
    """The service answered something else than was asked for."""


def main(url: str, game: str, *tokens: str) -> None:
    """Plays, and prints how it ended."""
    clients = [Client(base_url=url, token=token, raise_on_unexpected_status=True) for token in tokens]
    first = seated(clients, new_match(clients[0], game))
    match = seated(clients, like(clients[0], first))
    if match.options.to_dict() != first.options.to_dict() or match.components_digest != first.components_digest:
        raise Refused(f"{match.id} is not like {first.id}")
    turns = play(clients, match.id)
    print(f"{match.game}: {turns} turns of one action, {summary(clients[0], match.id)}")


def seats() -> list[SeatForPlayer]:
    return [SeatForPlayer(kind=SeatForPlayerKind.ME), SeatForPlayer(kind=SeatForPlayerKind.OPEN)]


def new_match(client: Client, game: str) -> MatchRequest:
    """A match with the components of the catalogue, as a whole document."""
    found = get_game_components.sync(game, client=client)
    if isinstance(found, MontanaComponentSet):
        return MontanaMatchRequest(game="montana", seats=[*seats()], components=found.components)
    if isinstance(found, OregonComponentSet):
        return OregonMatchRequest(game="oregon", seats=[*seats()], components=found.components)
    if isinstance(found, OzeanienComponentSet):
        return OzeanienMatchRequest(game="ozeanien", seats=[*seats()], components=found.components)
    raise Refused(found)


def like(client: Client, match: Match) -> MatchRequest:
    """A match with the options and components of another."""
    used = get_match_components.sync(match.id, client=client)
    if isinstance(match, MontanaMatch) and isinstance(used, MontanaMatchComponents):
        return MontanaMatchRequest(game=match.game, seats=[*seats()], options=match.options, components=used.components)
    if isinstance(match, OregonMatch) and isinstance(used, OregonMatchComponents):
        return OregonMatchRequest(game=match.game, seats=[*seats()], options=match.options, components=used.components)
    if isinstance(match, OzeanienMatch) and isinstance(used, OzeanienMatchComponents):
        return OzeanienMatchRequest(
            game=match.game, seats=[*seats()], options=match.options, components=used.components
        )
    raise Refused(used)


def seated(clients: list[Client], wanted: MatchRequest) -> Match:
    """The match, begun: the first client has created it, the others have joined."""
    match = create_match.sync(client=clients[0], body=wanted)
    if not isinstance(match, Match):
        raise Refused(match)
    for client in clients[1:]:
        joined = join_match.sync(match.id, client=client)
        if not isinstance(joined, Match):
            raise Refused(joined)
        match = joined
    return match


def play(clients: list[Client], match_id: str) -> int:
    """Plays a match to its end. Returns the number of turns."""
    luck, turns = random.Random(match_id), 0
    while True:
        match = get_match.sync(match_id, client=clients[0])
        if not isinstance(match, Match):
            raise Refused(match)
        if match.status != "running":
            return turns
        (client, *_) = [clients[seat.seat] for seat in match.seats if seat.to_act]
        legal = list_legal_actions.sync(match_id, client=client)
        if not isinstance(legal, LegalActions) or not legal.items:
            raise Refused(legal)
        action = luck.choice(legal.items).action
        tried = submit_turn.sync(
            match_id, client=client, body=TrialOfActions(actions=[action], ply=legal.ply, dry_run=True)
        )
        if not isinstance(tried, MontanaPreview | OregonPreview | OzeanienPreview):
            raise Refused(tried)
        turn = submit_turn.sync(
            match_id, client=client, body=TurnOfActions(actions=[action], ply=legal.ply), prefer="wait=30"
        )
        if not isinstance(turn, Turn) or turn.status != "accepted":
            raise Refused(turn)
        turns += 1


def summary(client: Client, match_id: str) -> str:
    """What is to be seen of a match that is over."""
    match = get_match.sync(match_id, client=client)
    looked = get_observation.sync(match_id, client=client)
    page = get_log.sync(match_id, client=client)
    record = get_record.sync(match_id, client=client)
    if not isinstance(match, Match) or match.outcome is None:
        raise Refused(match)
    if not isinstance(looked, MontanaMatchObservation | OregonMatchObservation | OzeanienMatchObservation):
        raise Refused(looked)
    if not isinstance(page, LogPage):
        raise Refused(page)
    if not all(isinstance(entry, MontanaLogEntry | OregonLogEntry | OzeanienLogEntry) for entry in page.items):
        raise Refused(page)
    if not isinstance(record, MontanaRecord | OregonRecord | OzeanienRecord) or record.outcome is None:
        raise Refused(record)
    return f"{len(record.log)} entries, scores {record.outcome.scores}: {match.outcome.ended.sentence}"


if __name__ == "__main__":
    main(*sys.argv[1:])
