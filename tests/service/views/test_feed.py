"""What readers may know of the log of events: everything that they may, nothing else, and by
cursors that tell nothing.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import replace

import pytest
from sqlalchemy import select

from service import following
from service.context import Context
from service.errors import CursorExpired, CursorOfEvents, NotFound, TooMany
from service.following import Following, Hear
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.players import blocks
from service.store.database import Database
from service.store.events import EventsOwner
from service.store.players import Player
from service.store.tables import events, matches, player_events, players
from service.sweeps import sweep
from service.views import feed
from service.views.feed import Feed, Source
from tests.service.fakes import Clock, Round, Timer, person, played, started

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "pearls")


def own(player: Player) -> Source:
    return feed.of_player(player)


def watched(table: Round, viewer: Player | None) -> Source:
    return feed.of_match(viewer, table.match.id, "192.0.2.1")


def begin(context: Context, source: Source) -> str:
    """The cursor of this moment."""
    found = feed.feed(context, source, None, 0)
    assert found.items == ()
    return found.cursor


def after(context: Context, source: Source, cursor: str, seconds: float = 0, limit: int = feed.MOST) -> Feed:
    return feed.feed(context, source, cursor, seconds, limit)


def kinds(found: Feed) -> list[tuple[str, int | None]]:
    return [(each.kind, each.seat) for each in found.items]


def test_each_reader_is_told_in_order_what_they_may_know(context: Context, table: Round) -> None:
    (ada, bela), cleo = table.players, person(context, "Cleo")
    sources = [own(ada), own(bela), own(cleo), *(watched(table, who) for who in (ada, bela, cleo, None))]
    begun = [begin(context, source) for source in sources]
    played(context, ada, table.match.id, "dive")
    chat.say(context, bela, table.match.id, "A good one!")
    of_ada, of_bela, of_cleo, *of_match = (
        kinds(after(context, source, cursor)) for source, cursor in zip(sources, begun, strict=True)
    )
    assert of_ada == [("turn_played", 0), ("verdict", 0), ("chat", 1)]
    assert of_bela == [("turn_played", 0), ("turn_awaited", 1), ("chat", 1)]
    assert of_cleo == []
    assert of_match == [of_ada, of_bela, [("turn_played", 0)], [("turn_played", 0)]]


def test_an_event_names_what_is_to_be_read_and_is_the_same_for_all(context: Context, table: Round) -> None:
    ada = table.players[0]
    by_match, by_player = watched(table, ada), own(ada)
    begun = begin(context, by_match), begin(context, by_player)
    turn = played(context, ada, table.match.id, "dive")
    in_match, in_mine = after(context, by_match, begun[0]), after(context, by_player, begun[1])
    assert [each.id for each in in_match.items] == [each.id for each in in_mine.items]
    move, verdict = in_mine.items
    assert (move.match, move.since, move.ply, move.at) == (table.match.id, 0, 2, context.clock())
    assert (verdict.turn, verdict.line) == (turn.id, None)


def test_nothing_tells_how_much_a_reader_is_not_told(context: Context, table: Round) -> None:
    spectator = watched(table, None)
    cursors = [begin(context, spectator)]
    for player in table.players:  # the verdicts are private to them
        played(context, player, table.match.id, "dive", ply=lobby.find(context, None, table.match.id).ply)
        cursors.append(after(context, spectator, cursors[-1]).cursor)
    assert len({len(cursor) for cursor in cursors}) == 1
    for cursor in cursors:
        assert table.match.id.encode() not in base64.urlsafe_b64decode(cursor + "==")
    assert begin(context, spectator) != begin(context, spectator), "not even whether anything happened"


def test_pages_follow_each_other_without_gap_and_double(context: Context, table: Round) -> None:
    ada = own(table.players[0])
    begun = begin(context, ada)
    for text in "abcde":
        chat.say(context, table.players[1], table.match.id, text)
    everything, cursor, lines = after(context, ada, begun), begun, list[int | None]()
    while (found := after(context, ada, cursor, limit=2)).items:
        cursor = found.cursor
        lines += [each.line for each in found.items]
    assert lines == [each.line for each in everything.items] == [1, 2, 3, 4, 5]
    assert [each.line for each in after(context, ada, everything.items[2].cursor).items] == [4, 5]


def test_what_somebody_says_whom_the_reader_has_blocked_is_left_out(context: Context, table: Round) -> None:
    ada, bela = table.players
    blocks.block(context, ada, table.match.id, 1)
    readers = own(ada), watched(table, ada), own(bela)
    begun = [begin(context, source) for source in readers]
    chat.say(context, bela, table.match.id, "Hello?")
    chat.say(context, ada, table.match.id, "Nobody here.")
    told = [[each.line for each in after(context, *pair).items] for pair in zip(readers, begun, strict=True)]
    assert told == [[2], [2], [1, 2]]


def test_what_is_left_out_takes_the_place_of_nothing(context: Context, table: Round) -> None:
    """However small a page is, it has what there is for its reader."""
    ada, bela = table.players
    blocks.block(context, ada, table.match.id, 1)
    cursor = begin(context, own(ada))
    for _ in range(5):
        chat.say(context, bela, table.match.id, "Hello?")
    assert after(context, own(ada), cursor, limit=2).items == ()
    chat.say(context, ada, table.match.id, "Nobody here.")
    chat.say(context, bela, table.match.id, "Hello?")
    found = after(context, own(ada), cursor, limit=2)
    assert [each.line for each in found.items] == [6]
    assert after(context, own(ada), found.cursor, limit=2).items == ()


def test_a_cursor_works_for_thirty_days_whatever_the_sweeper_deletes(context: Context, table: Round) -> None:
    assert isinstance(context.clock, Clock)
    ada, bela = table.players
    readers = own(ada), watched(table, ada)
    begun = [begin(context, source) for source in readers]
    chat.say(context, bela, table.match.id, "Still there?")
    early = [after(context, *pair).items[0].cursor for pair in zip(readers, begun, strict=True)]
    context.clock.advance(days=29, hours=23)
    chat.say(context, bela, table.match.id, "Hm.")
    sweep(context)
    for source, cursor, later in zip(readers, begun, early, strict=True):
        assert [each.line for each in after(context, source, cursor).items if each.line] == [1, 2]
        assert [each.line for each in after(context, source, later).items if each.line] == [2]
    context.clock.advance(hours=1)
    for source, cursor in zip(readers, begun, strict=True):
        assert after(context, source, cursor).items
    context.clock.advance(seconds=1)
    for source, cursor in zip(readers, begun, strict=True):
        with pytest.raises(CursorExpired, match=r"older than 30 days, for which one works\. Ask without `after`"):
            after(context, source, cursor)
    context.clock.advance(days=40)
    sweep(context)
    assert after(context, readers[0], begin(context, readers[0])).items == ()


def test_what_is_no_cursor_of_this_list_is_refused_and_what_would_work_is_said(context: Context, table: Round) -> None:
    ada, bela = table.players
    mine, other = begin(context, own(ada)), started(context, "pearls", names=("Cleo", "Dora"))
    changed = ("B" if mine[40] == "A" else "A").join((mine[:40], mine[41:]))
    none = "This is no cursor of this service."
    others = (
        "This is a cursor of another list of events: that of a player, or of a match, goes on with its own cursors."
    )
    for source, cursor, sentence in (
        (own(ada), "nothing", none),
        (own(ada), "", none),
        (own(ada), "é" * 10, none),
        (own(ada), "A" * 5000, none),
        (own(ada), changed, none),
        (own(bela), mine, others),
        (watched(table, ada), mine, others),
        (own(ada), begin(context, watched(table, ada)), others),
        (watched(table, None), begin(context, watched(other, None)), "This is a cursor of another match."),
    ):
        with pytest.raises(CursorOfEvents, match="Ask without `after` for a new cursor") as refused:
            after(context, source, cursor)
        assert str(refused.value).startswith(f"after: {sentence} Ask ")
        assert refused.value.code == "unknown_cursor"
        assert refused.value.members()["errors"][0]["parameter"] == "after"


def test_a_cursor_from_before_a_backup_was_restored_is_refused(context: Context, table: Round) -> None:
    """Also once as much has happened since as was lost."""
    assert isinstance(context.clock, Clock)
    ada, bela = table.players
    readers = own(ada), watched(table, ada)
    begun = [begin(context, source) for source in readers]
    chat.say(context, bela, table.match.id, "This will be lost.")
    lost = [after(context, *pair).items[0].cursor for pair in zip(readers, begun, strict=True)]
    moments = [begin(context, source) for source in readers]
    lose_the_last_event(context)
    for minutes in (0, 1, 1):
        for source, cursor in zip(readers * 2, lost + moments, strict=True):
            with pytest.raises(CursorOfEvents, match="restored"):
                after(context, source, cursor)
        context.clock.advance(minutes=1)
        chat.say(context, bela, table.match.id, f"Said {minutes} later.")
    for source, cursor in zip(readers, begun, strict=True):
        assert len(after(context, source, cursor).items) == 3


@pytest.mark.parametrize(("seconds", "works"), [(10, True), (11, False)])
def test_clocks_may_differ_by_ten_seconds(context: Context, table: Round, seconds: float, works: bool) -> None:
    assert isinstance(context.clock, Clock)
    ada, bela = table.players
    begun = begin(context, own(ada))
    chat.say(context, bela, table.match.id, "This will be lost.")
    cursor = after(context, own(ada), begun).cursor
    lose_the_last_event(context)
    context.clock.advance(seconds=seconds)
    chat.say(context, bela, table.match.id, "This takes its place.")
    with nullcontext() if works else pytest.raises(CursorOfEvents, match="restored"):
        after(context, own(ada), cursor)


def lose_the_last_event(context: Context) -> None:
    with context.database.write() as connection:
        for counter in (players, matches):
            connection.execute(counter.update().values(events=counter.c.events - 1))
        kept = select(matches.c.events).scalar_subquery()
        connection.execute(player_events.delete().where(player_events.c.event > kept))
        connection.execute(events.delete().where(events.c.number > kept))


def test_cursors_work_also_while_a_clock_that_was_ahead_is_put_back(context: Context, table: Round) -> None:
    assert isinstance(context.clock, Clock)
    ada, bela = table.players
    context.clock.advance(hours=1)
    chat.say(context, bela, table.match.id, "By a clock that is ahead.")
    context.clock.advance(hours=-1)
    for source in (own(ada), watched(table, ada)):
        begun = begin(context, source)
        nothing = after(context, source, begun)
        assert nothing.items == ()
        assert after(context, source, nothing.cursor).items == ()
        chat.say(context, bela, table.match.id, "By one that is right.")
        assert len(after(context, source, nothing.cursor).items) == 1
        context.clock.advance(minutes=1)
        assert after(context, source, begin(context, source)).items == ()


def test_a_match_that_is_not_there_has_no_events(context: Context) -> None:
    with pytest.raises(NotFound):
        feed.feed(context, feed.of_match(None, "nothing", "192.0.2.1"), None, 0)


def test_who_waits_is_told_as_soon_as_something_happens_to_them(context: Context, table: Round) -> None:
    ada, bela = table.players
    cursor, found = begin(context, own(ada)), list[Feed]()
    waits = threading.Thread(target=lambda: found.append(after(context, own(ada), cursor, seconds=600)))
    waits.start()
    chat.say(context, bela, table.match.id, "Are you there?")
    waits.join(300)
    assert [kinds(each) for each in found] == [[("chat", 1)]]


def test_a_spectator_who_waits_is_not_told_of_what_is_private(context: Context, table: Round) -> None:
    spectator = watched(table, None)
    cursor, found = begin(context, spectator), list[Feed]()
    waits = threading.Thread(target=lambda: found.append(after(context, spectator, cursor, seconds=600)))
    waits.start()
    chat.say(context, table.players[1], table.match.id, "Between us.")
    played(context, table.players[0], table.match.id, "dive")
    waits.join(300)
    assert [kinds(each) for each in found] == [[("turn_played", 0)]]


def test_who_waits_for_nothing_is_answered_in_the_end(context: Context, table: Round) -> None:
    cursor = begin(context, own(table.players[0]))
    assert after(context, own(table.players[0]), cursor, seconds=0.05).items == ()


class Restless(Following):
    """Says after each wait, the seconds of which it keeps, that there may be an event."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[float] = []

    def wait(self, database: Database, hear: Hear, subject: EventsOwner, seen: int, seconds: float) -> bool:
        self.waited.append(seconds)
        return True


class Patience(Timer):
    """A second passes whenever it is read, which is not done for ever."""

    def __call__(self) -> float:
        assert self.seconds < 100
        self.advance(1.0)
        return self.seconds


def test_who_is_woken_by_what_is_private_is_answered_when_the_time_is_up(context: Context, table: Round) -> None:
    spectator, restless = watched(table, None), Restless()
    cursor = begin(context, spectator)
    woken = replace(context, following=restless, timer=Patience())
    assert after(woken, spectator, cursor, seconds=4).items == ()
    assert restless.waited == [3.0, 2.0, 1.0]


def test_one_caller_waits_so_often_at_a_time_and_no_more(context: Context, table: Round) -> None:
    ada, bela = table.players
    cursor = begin(context, own(ada))
    with ExitStack() as within:
        for _ in range(following.MOST_OF_ONE):
            within.enter_context(context.following.admitted(ada.id))
        with pytest.raises(TooMany) as refused:
            after(context, own(ada), cursor, seconds=1)
        assert refused.value.code == "too_many_waiting"
        assert str(refused.value) == (
            "10 of your requests wait for events already, which is the most. One is enough for all your matches:"
            " GET /v1/events; or ask without `wait`."
        )
        assert after(context, own(ada), cursor).items == (), "who does not wait is not counted"
        assert after(context, own(bela), begin(context, own(bela)), seconds=0.01).items == ()
    assert after(context, own(ada), cursor, seconds=0.01).items == ()


def streamed(context: Context, source: Source, cursor: str | None, within: ExitStack) -> Iterator[Feed]:
    return feed.stream(context, source, cursor, 10.0, within)


def test_a_stream_tells_what_comes_until_its_time_is_up(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "SILENCE", 0.01)
    ada, bela = table.players
    context = replace(context, timer=Timer(step=1.0))
    with ExitStack() as within:
        stream = streamed(context, own(ada), None, within)
        first = next(stream)
        chat.say(context, bela, table.match.id, "One.")
        told = [kinds(each) for each in stream]
    assert first.items == ()
    assert [("chat", 1)] in told
    assert all(each in ([], [("chat", 1)]) for each in told)


def test_a_stream_ends_when_its_reader_may_read_no_longer(context: Context, table: Round) -> None:
    allowed = [True]

    def check(connection: object) -> None:
        if not allowed[0]:
            raise NotFound("signed out")

    with ExitStack() as within:
        stream = streamed(context, replace(own(table.players[0]), check=check), None, within)
        next(stream)
        allowed[0] = False
        chat.say(context, table.players[1], table.match.id, "One.")
        assert list(stream) == []


def test_a_stream_counts_as_a_request_that_waits(context: Context, table: Round) -> None:
    ada = table.players[0]
    with ExitStack() as within:
        for _ in range(following.MOST_OF_ONE):
            streamed(context, own(ada), None, within)
        with pytest.raises(TooMany):
            streamed(context, own(ada), None, within)
    with ExitStack() as within:
        streamed(context, own(ada), None, within)


def test_an_invitation_is_told_to_whoever_is_invited(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    cursor = begin(context, own(bela))
    lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    assert kinds(after(context, own(bela), cursor)) == [("invitation", 1)]
