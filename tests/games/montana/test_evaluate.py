"""The estimates of positions of Montana, and the figures of a finished match."""

from __future__ import annotations

from engine.bots import greedy
from engine.games.montana import GAME
from engine.games.montana.state import Ending, Phase, State
from tests.games.montana.positions import act, me, plains, position


def chosen(state: State) -> str:
    """What the seat that is awaited does, as notation."""
    (seat,) = GAME.to_act(state)
    return GAME.format(greedy(GAME, state, seat))


def test_a_seat_that_can_win_with_the_last_settlement_builds_it_however_much_it_holds() -> None:
    """The last seat's last settlement ends the match at once, and with it all that was saved up."""
    rich = me("wwppccssCS", "wpcs", coins=30, cows=3, left=1)
    assert chosen(position("", me("ww", left=3), rich, built="0:D5 1:F5x3", seat=1)).startswith("build")
    assert chosen(position("", rich, me("ww", left=3), built="0:D5x3 1:F5", seat=0)).startswith("build")


def test_a_lost_end_is_worth_less_to_the_loser_than_to_the_winner() -> None:
    lost = position(
        "", me(cows=5, left=0), me("w", "w", left=1), built="0:D5x4 1:F5x3", seat=1, ending=Ending.LAST_SETTLEMENT
    )
    after = act(lost, "build E4")
    assert GAME.evaluate(after, 0) > GAME.evaluate(after, 1)


def test_more_goods_are_never_worth_much_less() -> None:
    """Goods that were kept for a better hex may be spent on another, so that nobody saves for
    ever.
    """
    land = "E4 S double; E6 wp; F4 pp; D4 CS; F6 S"
    few, more = (position(land, me(goods), me(), built="0:D5 1:F5") for goods in ("wwwwccss", "wwwwccsspp"))
    assert GAME.evaluate(more, 0) > GAME.evaluate(few, 0)


def test_a_row_that_another_seat_may_still_take_is_worth_less() -> None:
    free, wanted = (
        position("E4 S", me("pppcc"), me(pumpkins), shop=(0, -1), awaited=1, built="0:D5 1:F5", phase=Phase.TOWN)
        for pumpkins in ("", "ppp")
    )
    assert GAME.evaluate(free, 0) > GAME.evaluate(wanted, 0)


def test_pumpkins_for_the_town_of_another_seat_are_kept_while_one_may_go_there() -> None:
    (first, *_) = plains().shop_columns.value
    enough, short = "p" * first, "p" * (first - 1)
    able, unable = (
        GAME.evaluate(position("E4 S", me(enough), me(pumpkins), built="0:D5 1:F5"), 0)
        - GAME.evaluate(position("E4 S", me(short), me(pumpkins), built="0:D5 1:F5"), 0)
        for pumpkins in (short, "")
    )
    assert able > unable


def test_turns_are_counted_by_rounds_and_canteens_and_goods_by_what_is_on_the_board() -> None:
    state = position("D5 wpS; F5 cc", me(), me(), built="0:D5 1:F5", round=9)
    counted = dict(GAME.figures(state))
    assert counted["turns"] == 9
    assert counted["turns that canteens gave"] == 0
    goods = {
        label.removesuffix(" built with"): number for label, number in counted.items() if label.endswith("built with")
    }
    assert goods == {
        "wheat": 0.5,
        "pumpkin": 0.5,
        "small copper": 1,
        "small stone": 0,
        "large copper": 0,
        "large stone": 0.5,
    }
