"""The narration of actions and of automatic events."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.montana import GAME
from engine.games.montana.actions import LayStart, LayTile, Spin
from engine.games.montana.components import Options, ShopRow
from engine.games.montana.state import Ending, Phase, State
from engine.types import CHANCE, Setup
from tests.games.montana.positions import NAMES, STANDARD, act, me, position


def told(state: State, line: str) -> str:
    """What is told of the last action of a line, the others being done before."""
    *before, last = GAME.parse(line)
    for action in before:
        state = act(state, GAME.format(action))
    (seat,) = GAME.to_act(state)
    after = act(state, GAME.format(last))
    sentences = {GAME.narrate(state, seat, last, after, viewer, NAMES[: len(state.seats)]) for viewer in (None, 0, 1)}
    assert len(sentences) == 1, "everybody is told the same"
    return sentences.pop()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("recruit", "Ann recruits."),
        (
            "bank 2 copper stone",
            "Ann sends a copper worker and a stone worker to space 2 of the bank. It brings 8 coins.",
        ),
        (
            "mine 2 copper",
            "Ann sends a copper worker to slot 2 of the mine. It costs 3 coins and yields 2 small copper.",
        ),
        ("field 1 wheat; again 2 copper", "Ann sends 2 copper workers to the small box. It yields 1 wheat more."),
        ("trade cow for stone", "Ann trades a cow for a small stone."),
        ("trade cow for coins", "Ann trades a cow for coins. It brings 3 coins."),
        ("trade cow for wheat worker", "Ann trades a cow for a wheat worker."),
        ("bank 1 wheat; end", "Ann ends the turn."),
        ("bank 1 wheat; canteen", "Ann uses a canteen. Another turn follows."),
        (
            "build E4",
            "Ann builds on E4. It costs 1 wheat and 1 large stone and brings a cow and a canteen.",
        ),
        ("build D4", "Ann builds on D4. It costs 1 wheat for 2 settlements."),
        ("build D4; end", "Ann ends the turn. Ann takes 2 coins for settlements not built."),
        ("town 2 1", "Ann goes to town, row 2, column 1. The town gives a pumpkin."),
        ("town 2 1; town 2 2", "Bob places the representative in row 2, column 2. This overtakes Ann."),
        ("town 2 1; town 2 2; town 1 1", "Ann moves the representative to row 1, column 1."),
        ("town 2 1; pass", "Bob passes."),
        (
            "town 2 1; pass; take wheat wheat stone",
            "Ann takes 2 wheat and 1 small stone. Row 2 costs 2 pumpkins.",
        ),
        (
            "town 1 1; pass; upgrade copper",
            "Ann upgrades 1 small copper. Row 1 costs 2 pumpkins and brings a cow.",
        ),
        ("town 3 1; pass; upgrade nothing", "Ann upgrades nothing. Row 3 costs 2 pumpkins."),
        (
            "town 4 1; pass; upgrade stone",
            "Ann upgrades 1 small stone. Row 4 costs 2 pumpkins and brings 2 coins.",
        ),
    ],
)
def test_an_action_is_narrated_in_a_sentence(line: str, sentence: str) -> None:
    drawing = "E4 wS cow; F4 lake canteen; D4 w double"
    ann = me("wwppcsS", "wcccs", coins=9, cows=2, canteens=1)
    assert told(position(drawing, ann, me("pppp", "w")), line) == sentence


def test_automatic_events_are_narrated_too() -> None:
    """R6.10, R3.6, R3.4"""
    state = position("", me("pp", "w"), me("p"))
    assert (
        told(state, "town 4 1") == "Ann goes to town, row 4, column 1. The town gives a pumpkin. Bob cannot place the"
        " representative and passes. Ann pays 2 pumpkins for row 4 and takes 2 coins."
    )
    full = position("", me("", "w"), me(), places="bank 2:ss bank 3:cc bank 4:ppp")
    assert (
        told(full, "bank 1 wheat")
        == "Ann sends a wheat worker to space 1 of the bank. It brings 4 coins. The bank is full and is cleared."
    )
    short = position("", me("s", "s", coins=6), me("ss"), supply="ss")
    assert told(short, "quarry 3 stone").endswith(
        "The supply is short: Ann gives 1 small stone back. The supply is short: Bob gives 1 small stone back."
    )


@pytest.mark.parametrize(
    ("state", "line", "told_too"),
    [
        (
            position("", me("s", "s", coins=6), me(), supply="s"),
            "quarry 3 stone",
            "The supply is short: Ann gives 1 small stone back. The supply runs out: Ann gets 2 small stones.",
        ),
        (
            position("", me("", "c", coins=1), me(), supply=""),
            "mine 1 copper",
            "The supply runs out: Ann gets 0 small copper.",
        ),
        (
            position("", hands="wwppss", phase=Phase.CHOOSE, arrow=1),
            "choose copper copper",
            "The supply runs out: Ann gets 0 copper workers.",
        ),
    ],
)
def test_what_a_supply_no_longer_has_is_told(state: State, line: str, told_too: str) -> None:
    """R3.4"""
    assert told(state, line).endswith(f" {told_too}")


def test_what_is_given_back_is_in_the_plural() -> None:
    """R3.4"""
    state = position("", me("", "p", coins=3), me("ppp"), supply="")
    assert told(state, "garden 2 pumpkin").endswith("The supply is short: Bob gives 3 pumpkins back.")


def test_a_reward_taken_unasked_after_a_trade_is_what_the_row_gives() -> None:
    """R6.8, R6.10, R8.3: neither the cow that was traded nor what it was traded for is counted."""
    state = act(position("", me("p", cows=1), me()), "town 1 1")
    assert told(state, "trade cow for wheat") == (
        "Ann trades a cow for a wheat. Ann pays 2 pumpkins for row 1 and takes a cow."
    )
    row = replace(STANDARD.shop_rows, value=(ShopRow(cows=2, coins=1),))
    state = position("", me("p"), me())
    state = replace(state, table=replace(state.table, components=replace(state.table.components, shop_rows=row)))
    assert told(state, "town 1 1").endswith(" Ann pays 2 pumpkins for row 1 and takes 2 cows and 1 coin.")


def test_row_one_without_a_cow_in_the_supply_gives_none_in_words_too() -> None:
    """R6.8"""
    state = position("", me("pc"), me(), cows=0)
    assert told(state, "town 1 1; upgrade copper") == "Ann upgrades 1 small copper. Row 1 costs 2 pumpkins."
    assert told(state, "town 1 1; upgrade nothing") == "Ann upgrades nothing. Row 1 costs 2 pumpkins."
    unasked = told(position("", me("p"), me(), cows=0), "town 1 1")
    assert unasked.endswith("Ann pays 2 pumpkins for row 1 and takes nothing.")


def test_a_seat_that_can_no_longer_pay_is_narrated() -> None:
    """R6.11"""
    state = position("", me("pp", cows=1), me("pp"), phase=Phase.REWARDS, shop=(4, 0), supply="wwwcccsss")
    assert told(state, "trade cow for pumpkin; take wheat wheat wheat").endswith(
        "Bob can no longer pay and leaves the shop."
    )


def test_the_wheel_is_narrated() -> None:
    """R4.1, R4.2, R4.3"""
    state = act(position("", me("www"), me()), "recruit")
    after = GAME.apply(state, CHANCE, Spin(1))
    assert (
        GAME.narrate(state, CHANCE, Spin(1), after, None, NAMES[:2])
        == "The arrow stops on segment 1: Ann takes a pumpkin worker and a stone worker."
    )
    assert (
        told(after, "wheat 2")
        == "Ann pays 2 wheat to move the arrow. It stops on segment 3: Ann takes 2 pumpkin workers."
    )
    assert (
        told(after, "wheat 1")
        == "Ann pays 1 wheat to move the arrow. It stops on segment 2: Ann may choose any two workers."
    )
    assert told(after, "wheat 1; choose wheat stone") == "Ann chooses a wheat worker and a stone worker."
    full = act(position("", me("", "wwwwwwwc"), me()), "recruit")
    assert (
        told(GAME.apply(full, CHANCE, Spin(1)), "return wheat copper")
        == "Ann returns a wheat worker and a copper worker. There is room for eight."
    )


def test_the_landscape_is_narrated() -> None:
    """R2.1, R2.2"""
    state = GAME.setup(Setup(2, Options(), STANDARD))
    for action, sentence in (
        (LayTile("C", 0), "Tile C is laid."),
        (LayTile("D", 2), "Tile D is laid, turned by 2 sixths."),
    ):
        after = GAME.apply(state, CHANCE, action)
        assert GAME.narrate(state, CHANCE, action, after, 0, NAMES[:2]) == sentence
        state = after
    lying = position(phase=Phase.START, round=0)
    after = GAME.apply(lying, CHANCE, LayStart("E5"))
    assert GAME.narrate(lying, CHANCE, LayStart("E5"), after, 0, NAMES[:2]) == "The start tile lies on E5."


def test_the_end_is_narrated() -> None:
    """R9.1, R9.3"""
    state = position("", me("w", left=1), me("", "w", left=1), built="0:D5 1:F5")
    assert told(state, "build E4").endswith("Ann has built the last settlement, so the match ends with this round.")
    last = position("", me(cows=1), me("", "w"), built="0:D5 1:F5", seat=1, ending=Ending.LAST_SETTLEMENT)
    assert told(last, "bank 1 wheat").endswith(
        "The match is over: Ann 1, Bob 1. Ann wins, with more cows and canteens."
    )
    goods = position("", me("wwwww"), me("", "w"), built="0:D5 1:F5", seat=1, ending=Ending.LAST_SETTLEMENT)
    assert told(goods, "bank 1 wheat").endswith("Ann wins, with more goods, coins and workers.")
    equal = position("", me("wwww"), me("", "w"), built="0:D5 1:F5", seat=1, ending=Ending.LAST_SETTLEMENT)
    assert told(equal, "bank 1 wheat").endswith("Ann and Bob share the victory.")


def test_the_last_hex_is_narrated() -> None:
    """R9.4"""
    ring = "; ".join(f"{name} mountain" for name in ("D5", "F5", "D4", "D6", "E6", "E3", "F3", "F4"))
    assert "No hex is left to build on, so the match ends with this round." in told(
        position(ring, me("w"), me()), "build E4"
    )
