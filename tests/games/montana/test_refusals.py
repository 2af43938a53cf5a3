"""The sentence of every refusal of Montana, each for a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.documents import to_document
from engine.games.montana import GAME
from engine.games.montana.actions import Action, ChooseWorkers, MoveArrow, ReturnWorkers, TakeGoods
from engine.games.montana.components import Worker
from engine.games.montana.refusals import reward_problems
from engine.games.montana.sentences import SENTENCES
from engine.games.montana.state import OVERTAKEN, Phase, State
from engine.play import prompt
from engine.types import CHANCE, SPECTATOR
from tests.games.golden import played
from tests.games.montana.positions import act, me, position, spin
from tests.games.refusals import sentences

FRESH = position("E4 w; F5 w", me("w", "wcs", coins=9), me())
RECRUITED = spin(act(position("", me("ww"), me()), "recruit"), 1)
ANY = spin(act(position("", me("w"), me()), "recruit"), 2)
"""The arrow shows any two workers."""
BANKED = act(position("", me("w", "wc", cows=1, canteens=1), me()), "bank 1 wheat")
HARVESTED = act(position("", me("", "ccc", coins=9), me()), "mine 1 copper")
CROWDED = position("", me("p", "wwwwwwwwss", cows=1), me("p"), phase=Phase.TOWN, shop=(OVERTAKEN, 4), awaited=0)
"""Seat 0 has two workers more than it has room for."""
IN_TOWN = act(position("", me("ppp"), me("pppp")), "town 2 2")
"""Seat 1 is to place its representative or pass."""
CHOOSING = act(position("", me("p"), me()), "town 2 1")
"""A row of goods is to be taken from."""
UPGRADING = act(position("", me("pccc"), me()), "town 3 1")
BUILDING = act(position("E4 w; F5 w", me("wwww"), me()), "build E4")
BUILT = act(position("E4 w; F5 w; D5 w", me("wwww", cows=1), me()), "build E4; build F5; build D5")


CASES: list[tuple[Callable[[], State], str | Action, str, str]] = [
    (
        lambda: CROWDED,
        "pass",
        "return_first",
        "You have room for eight workers only; that comes first. Return 2 workers to the supply.",
    ),
    (
        lambda: CROWDED,
        "trade cow for wheat worker",
        "return_first",
        "You have 10 workers and room for eight; return some before you take another.",
    ),
    (lambda: ANY, "end", "choose_first", "The arrow shows workers of any kind; first choose two."),
    (lambda: IN_TOWN, "recruit", "in_town", "The town comes first. Place your representative in the shop, or pass."),
    (
        lambda: position("", me("p"), me("p"), phase=Phase.TOWN, shop=(OVERTAKEN, 4), awaited=0),
        "recruit",
        "in_town",
        "The town comes first. Move your overtaken representative, or pass.",
    ),
    (lambda: CHOOSING, "end", "reward_due", "Your reward comes first. Name 3 goods to take."),
    (lambda: UPGRADING, "end", "reward_due", "Your reward comes first. Name up to 2 goods to upgrade."),
    (lambda: FRESH, "wheat 1", "spin_first", "Wheat moves the arrow only after a spin; recruit first."),
    (
        lambda: FRESH,
        "again copper",
        "harvest_first",
        "The small box comes after the large box of the same slot; harvest there first.",
    ),
    (
        lambda: FRESH,
        "choose wheat copper",
        "nothing_to_choose",
        "You choose workers only when the arrow shows workers of any kind; recruit first.",
    ),
    (
        lambda: BANKED,
        "choose wheat copper",
        "nothing_to_choose",
        "The arrow shows no workers to choose. Trade a cow, use a canteen or end your turn.",
    ),
    (
        lambda: FRESH,
        "pass",
        "nobody_in_town",
        "Nobody is in town, so there is nothing to pass; recruit, harvest or build.",
    ),
    (
        lambda: HARVESTED,
        "pass",
        "nobody_in_town",
        "There is nothing to pass. Harvest once more in the same slot, or end your turn.",
    ),
    (
        lambda: FRESH,
        "take wheat wheat wheat",
        "no_reward_due",
        "Goods are taken and exchanged in the shop; go to town first.",
    ),
    (
        lambda: RECRUITED,
        "upgrade nothing",
        "no_reward_due",
        "No reward of the shop is due. Move the arrow with wheat, or end your turn.",
    ),
    (
        lambda: FRESH,
        "end",
        "act_first",
        "In a turn you recruit, harvest or build; do one of them before you end it.",
    ),
    (
        lambda: act(spin(act(position("", me("w" * 7, cows=1), me()), "recruit"), 7), "wheat 4"),
        "wheat 1",
        "arrow_moved",
        "You have already moved the arrow, which moves only once in a turn. Trade a cow or end your turn.",
    ),
    (
        lambda: act(position("", me("", "ccc", coins=9, cows=1), me()), "mine 1 copper; again copper"),
        "again copper",
        "small_box_used",
        "You have already used the small box of your slot. Trade a cow or end your turn.",
    ),
    (
        lambda: BUILDING,
        "wheat 1",
        "no_spin",
        (
            "Wheat moves the arrow only when you recruit, and this turn you did something else. Build "
            "another settlement, or end your turn."
        ),
    ),
    (
        lambda: BANKED,
        "again copper",
        "no_slot",
        "You have not harvested in any slot this turn. Trade a cow, use a canteen or end your turn.",
    ),
    (
        lambda: BANKED,
        "bank 2 copper copper",
        "action_taken",
        (
            "In a turn you recruit, harvest or build, and you have already done that. Trade a cow, use a "
            "canteen or end your turn."
        ),
    ),
    (
        lambda: act(position("", me("", "w", canteens=1), me()), "bank 1 wheat"),
        "recruit",
        "action_taken",
        "In a turn you recruit, harvest or build, and you have already done that. Use a canteen or end your turn.",
    ),
    (
        lambda: act(position("", me("", "w", cows=1), me()), "bank 1 wheat"),
        "canteen",
        "no_canteen",
        "You have no canteen; just end your turn.",
    ),
    (lambda: FRESH, "bank 5 copper", "no_such_space", "The bank has spaces 1 to 4, not 5."),
    (
        lambda: position("", me("ppp"), me()),
        "town 5 1",
        "no_such_space",
        "The shop has rows 1 to 4 and columns 1 to 4; you said row 5, column 1.",
    ),
    (lambda: FRESH, "mine 4 copper", "no_such_slot", "The mine has slots 1 to 3, not 4."),
    (
        lambda: position("", me("", "c", coins=9), me(), places="mine 2:c/"),
        "mine 2 copper",
        "slot_taken",
        "Slot 2 of the mine is taken; free there: 1, 3.",
    ),
    (
        lambda: position("", me("", "c", coins=1), me()),
        "mine 3 copper",
        "too_few_coins",
        "Slot 3 of the mine costs 6 coins; you have 1.",
    ),
    (
        lambda: position("", me("", "wwwp"), me(), places="bank 2:ss"),
        "bank 2 wheat wheat",
        "space_taken",
        "Space 2 of the bank is taken; free: 1, 3, 4.",
    ),
    (lambda: FRESH, "bank 1 wheat copper", "wrong_workers", "Space 1 of the bank takes exactly 1 worker; you named 2."),
    (
        lambda: FRESH,
        "mine 1 wheat",
        "wrong_workers",
        "A box takes one copper worker, or any two; you named one of another kind.",
    ),
    (
        lambda: FRESH,
        "again wheat copper stone",
        "wrong_workers",
        "A box takes one worker of its own kind, or any two; you named 3.",
    ),
    (lambda: ANY, ChooseWorkers((Worker.COPPER,)), "wrong_workers", "Choose exactly two workers; you named 1."),
    (
        lambda: CROWDED,
        ReturnWorkers((Worker.STONE,)),
        "wrong_workers",
        "You have 10 workers and room for eight: return exactly 2, not 1.",
    ),
    (
        lambda: FRESH,
        "bank 2 wheat wheat",
        "worker_missing",
        "You named 2 wheat workers and have 1; your workers: wheat 1, copper 1, stone 1.",
    ),
    (lambda: position(), "bank 1 stone", "worker_missing", "You named 1 stone worker and have 0; your workers: none."),
    (
        lambda: RECRUITED,
        MoveArrow(8),
        "wrong_segments",
        "The arrow moves 1 to 7 segments, one wheat for each; you said 8.",
    ),
    (lambda: RECRUITED, "wheat 3", "too_few_goods", "Moving the arrow 3 segments costs 3 wheat; you have 2."),
    (
        lambda: spin(act(position(), "recruit"), 2),
        "wheat 1",
        "too_few_goods",
        "Moving the arrow 1 segment costs 1 wheat; you have 0.",
    ),
    (
        lambda: position("E4 ws", me("w"), me()),
        "build E4",
        "too_few_goods",
        "E4 costs 1 wheat and 1 small stone; you lack 1 small stone. You could build on D4, D5, F5, D6, E6.",
    ),
    (lambda: UPGRADING, "upgrade stone", "too_few_goods", "You named 1 small stone to upgrade and have 0."),
    (
        lambda: FRESH,
        "return wheat",
        "nothing_to_return",
        "You return workers only when you have more than eight; you have 3.",
    ),
    (
        lambda: act(position("", me("p"), me("pp", cows=2)), "town 2 1"),
        "trade cow for pumpkin",
        "not_in_your_turn",
        "Cows are traded in your own turn only.",
    ),
    (
        lambda: FRESH,
        "trade cow for coins",
        "no_cow",
        "You have no cow to trade; a settlement on a hex with a cow, or the shop, gives one.",
    ),
    (
        lambda: position("", me(cows=1), me()),
        "trade cow for large stone",
        "not_for_cows",
        "A cow cannot be traded for large stone; the goods you can get are wheat, pumpkin, small copper and small"
        " stone.",
    ),
    (
        lambda: position("", me("w", cows=1), me(), supply="p", hands="w"),
        "trade cow for wheat",
        "nothing_to_take",
        ("There is no wheat in the supply, and no other seat has one to give back; trade the cow for something else."),
    ),
    (
        lambda: position("", me("w", cows=1), me(), supply="p", hands="w"),
        "trade cow for stone worker",
        "nothing_to_take",
        (
            "There is no stone worker in the supply, and no other seat has one to give back; trade the cow "
            "for something else."
        ),
    ),
    (lambda: BUILT, "build E6", "three_built", "You have built three times this turn, which is the maximum."),
    (
        lambda: position("E4 w", me("w", left=0), me(left=0)),
        "build E4",
        "no_settlement_left",
        "All your settlements are on the board.",
    ),
    (lambda: FRESH, "build A16", "no_such_hex", "The board has no hex A16. You could build on D4, E4, D5, F5, D6, E6."),
    (
        lambda: position("E4 lake", me("w"), me()),
        "build E4",
        "wrong_terrain",
        "E4 is a lake, where nothing can be built. You could build on D4, D5, F5, D6, E6.",
    ),
    (
        lambda: position("E4 mountain", me("p"), me()),
        "build E4",
        "wrong_terrain",
        "E4 is a mountain, where nothing can be built.",
    ),
    (
        lambda: FRESH,
        "build E5",
        "hex_taken",
        "E5 already has the start tile. You could build on D4, E4, D5, F5, D6, E6.",
    ),
    (
        lambda: position("", me("w"), me(), built="1:E6"),
        "build E6",
        "hex_taken",
        "E6 already has a settlement. You could build on D4, E4, D5, F5, D6, F6, E7, F7.",
    ),
    (
        lambda: FRESH,
        "build C2",
        "not_adjacent",
        "C2 is next to neither the start tile nor a settlement. You could build on D4, E4, D5, F5, D6, E6.",
    ),
    (lambda: FRESH, "build E4 x3", "wrong_settlements", "You can build one settlement on E4 now, not 3."),
    (
        lambda: position("E4 w double", me("w"), me()),
        "build E4 x5",
        "wrong_settlements",
        "You can build 1 to 2 settlements on E4 now, not 5.",
    ),
    (
        lambda: IN_TOWN,
        "town 2 2",
        "not_to_the_right",
        "A representative is in row 2, column 2; use column 3 or further right.",
    ),
    (
        lambda: act(position("", me("pppp"), me("ppppp")), "town 2 4"),
        "town 2 4",
        "not_to_the_right",
        "A representative is in row 2, column 4; use another row.",
    ),
    (
        lambda: position("", me("pp"), me()),
        "town 1 4",
        "too_few_pumpkins",
        "Column 4 costs 5 pumpkins; you have 3, including the one you take.",
    ),
    (
        lambda: act(position("", me("p"), me("pp")), "town 2 1"),
        "town 1 4",
        "too_few_pumpkins",
        "Column 4 costs 5 pumpkins; you have 2.",
    ),
    (lambda: CHOOSING, "upgrade copper", "wrong_reward", "Row 2 upgrades nothing; name 3 goods to take."),
    (lambda: UPGRADING, "take 3 wheat", "wrong_reward", "Row 3 gives no goods to take; name up to 2 goods to upgrade."),
    (lambda: CHOOSING, "take wheat copper", "wrong_number", "Row 2 gives exactly 3 goods; you named 2."),
    (lambda: UPGRADING, "upgrade 3 copper", "wrong_number", "Row 3 upgrades up to 2; you named 3."),
    (
        lambda: CHOOSING,
        "take pumpkin wheat wheat",
        "not_in_row",
        "Row 2 gives wheat, small copper and small stone; not pumpkin.",
    ),
    (
        lambda: UPGRADING,
        "upgrade wheat",
        "not_upgradable",
        "Only small copper and small stone can be upgraded, not wheat.",
    ),
]


@pytest.mark.parametrize(("state", "action", "code", "sentence"), CASES, ids=[case[2] for case in CASES])
def test_the_sentence_of_a_refusal(state: Callable[[], State], action: str | Action, code: str, sentence: str) -> None:
    assert sentence in sentences(GAME, state(), action, code)


def test_every_code_has_its_sentences_in_the_table() -> None:
    assert {code for _, _, code, _ in CASES} == set(SENTENCES)


@pytest.mark.parametrize("state", [replace(CHOOSING, phase=Phase.TOWN), replace(CHOOSING, shop=(-1, -1))])
def test_a_reward_that_is_not_due_breaks_no_rule_of_rewards(state: State) -> None:
    """R6.8 is about the row that the seat is in; that nothing is due is said elsewhere."""
    wrong = TakeGoods(())
    assert list(reward_problems(CHOOSING, 0, wrong))
    assert list(reward_problems(state, 0, wrong)) == []


def test_a_refusal_ends_with_what_the_seat_itself_can_do() -> None:
    """Not with what others read that it is asked, of which some is not legal for it."""
    lines = ("recruit", "wheat 1", "again copper", "choose wheat copper", "pass", "upgrade nothing", "end")
    actions, others = [GAME.parse(line)[0] for line in lines], 0
    for _, state, seat, _, _ in played(GAME, 2):
        if seat != CHANCE:
            own = to_document(prompt(GAME, state, seat, seat))
            problems = [problem for action in actions for problem in GAME.problems(state, seat, action)]
            assert all(problem.values.get("asked") in (None, own) for problem in problems)
            others += own != to_document(prompt(GAME, state, seat, SPECTATOR)) and any(
                problem.values.get("asked") for problem in problems
            )
    assert others
