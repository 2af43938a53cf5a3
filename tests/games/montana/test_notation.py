"""Montana's notation: reading, writing, and the errors."""

from __future__ import annotations

import pytest

from engine.errors import NotationError
from engine.games.montana import GAME
from engine.games.montana.actions import LayStart, LayTile, Spin


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("Recruit", "recruit"),
        ("hire", "recruit"),
        ("wheat 2", "wheat 2"),
        ("2 wheat", "wheat 2"),
        ("2w", "wheat 2"),
        ("move the arrow 3", "wheat 3"),
        ("pay 2 wheat", "wheat 2"),
        ("choose Stone, orange", "choose pumpkin stone"),
        ("choose s w", "choose wheat stone"),
        ("return 2 stone", "return stone stone"),
        ("bank 3 stone copper", "bank 3 copper stone"),
        ("bank 4 2 wheat 1 stone workers", "bank 4 wheat wheat stone"),
        ("bank 2 2s", "bank 2 stone stone"),
        ("harvest mine 2 copper", "harvest mine 2 copper"),
        ("mine 2 c", "harvest mine 2 copper"),
        ("harvest 2 quarry grey", "harvest quarry 2 stone"),
        ("harvest in the wheat field, slot 3, with beige", "harvest field 3 wheat"),
        ("pumpkin garden 1 p", "harvest garden 1 pumpkin"),
        ("again stone wheat", "again wheat stone"),
        ("harvest again p", "again pumpkin"),
        ("town 2 column 3", "town 2 column 3"),
        ("go to town: row 2, column 3", "town 2 column 3"),
        ("shop 2 3", "town 2 column 3"),
        ("pass.", "pass"),
        ("take wheat wheat stone", "take wheat wheat stone"),
        ("take 2 wheat and a small stone", "take wheat wheat stone"),
        ("take 2w s", "take wheat wheat stone"),
        ("upgrade copper stone", "upgrade copper stone"),
        ("upgrade 2 small copper", "upgrade copper copper"),
        ("upgrade nothing", "upgrade nothing"),
        ("upgrade none", "upgrade nothing"),
        ("build c5", "build C5"),
        ("build on C 5", "build C5"),
        ("build D4 x2", "build D4 x2"),
        ("build D4 2 settlements", "build D4 x2"),
        ("build D4 2x", "build D4 x2"),
        ("trade cow for wheat", "trade cow for wheat"),
        ("trade a cow for small stone", "trade cow for stone"),
        ("trade cow for a grey worker", "trade cow for stone worker"),
        ("trade worker wheat", "trade cow for wheat worker"),
        ("sell cow for coins", "trade cow for coins"),
        ("trade cow for large copper", "trade cow for large copper"),
        ("canteen", "canteen"),
        ("use a canteen", "canteen"),
        ("end turn", "end"),
        ("done", "end"),
        ("récolter carrière 2 pierre", "harvest quarry 2 stone"),
        ("banque 1 blé", "bank 1 wheat"),
        ("construire D4", "build D4"),
        ("town column 3 row 2", "town 2 column 3"),
        ("row 2 column 3", "town 2 column 3"),
        ("place the representative in row 2, column 3", "town 2 column 3"),
        ("move my representative to column 4, row 1", "town 1 column 4"),
        ("pay 2 wheat to move the arrow", "wheat 2"),
        ("move the arrow by 2 segments", "wheat 2"),
        ("payer 2 blés pour avancer la flèche", "wheat 2"),
        ("send stone and copper to space 3 of the bank", "bank 3 copper stone"),
        ("envoyer 2 ouvriers blé à la case 3 de la banque", "bank 3 wheat wheat"),
        ("use bank space 3 with 2 stone", "bank 3 stone stone"),
        ("harvest the mine, slot 2, with copper", "harvest mine 2 copper"),
        ("raccogli cava 2 con pietra e grano", "harvest quarry 2 wheat stone"),
        ("1. mine 2 copper", "harvest mine 2 copper"),
        ("\u2013 mine 2 copper", "harvest mine 2 copper"),
        ("harvest once more with 2 stone", "again stone stone"),
        ("send 2 stone to the small box", "again stone stone"),
        ("take wheat x2, stone", "take wheat wheat stone"),
        ("échanger une vache contre un petit cuivre", "trade cow for copper"),
        ("vendre une vache contre un ouvrier de blé", "trade cow for wheat worker"),
        ("échanger une petite pierre contre une grande pierre", "upgrade stone"),
        ("upgrade 2 small copper to large copper", "upgrade copper copper"),
        ("build a settlement on C5", "build C5"),
        ("build 2 settlements on D4", "build D4 x2"),
        ("costruisci D4", "build D4"),
        ("end my turn", "end"),
        ("fin de tour", "end"),
    ],
)
def test_different_spellings_are_read(typed: str, written: str) -> None:
    (action,) = GAME.parse(typed)
    assert GAME.format(action) == written
    assert GAME.parse(written) == (action,)


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("recruit; wheat 2", ["recruit", "wheat 2"]),
        ("harvest mine 2 copper; again stone wheat; end", ["harvest mine 2 copper", "again wheat stone", "end"]),
        ("build C5; build D4 x2; end", ["build C5", "build D4 x2", "end"]),
        ("build C5 D4 x2 E6", ["build C5", "build D4 x2", "build E6"]),
        ("trade cow for copper, then build D4 then end", ["trade cow for copper", "build D4", "end"]),
        ("bank 3 stone copper end", ["bank 3 copper stone", "end"]),
        ("harvest mine 2 copper \u2192 end", ["harvest mine 2 copper", "end"]),
        ("build a settlement on C5 and D4", ["build C5", "build D4"]),
        ("build C5 and end my turn", ["build C5", "end"]),
        ("trade 3 cows for coins", ["trade cow for coins"] * 3),
        ("trade 2 cows for 2 wheat", ["trade cow for wheat"] * 2),
        ("1) recruit\n2) wheat 2", ["recruit", "wheat 2"]),
    ],
)
def test_a_whole_turn_on_a_line(line: str, actions: list[str]) -> None:
    assert [GAME.format(action) for action in GAME.parse(line)] == actions


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("bank stone", 10, "which space of the bank"),
        ("bank 3", 6, "which workers go to the bank"),
        ("bank 3 stne", 7, 'did you mean "stone"'),
        ("harvest stone", 13, "Say where to harvest"),
        ("harvest mine", 12, "which slot of the mine"),
        ("town 2", 6, "row and the column"),
        ("build", 5, "Say where to build"),
        ("build R5", 6, 'No board has a hex "R5"'),
        ("build A17", 6, 'No board has a hex "A17"'),
        ("C5", 0, "Say what to do on C5"),
        ("trade", 5, "what the cow is traded for"),
        ("trade cow for wheat stone", 20, '";" before the next action'),
        ("upgrade", 7, 'or "nothing"'),
        ("take", 4, "which goods you take"),
        ("wheat", 5, "how much wheat"),
        ("recruit mine", 8, '";" before the next action'),
        ("c", 0, 'Say what to do with "c"'),
        ("bank 2 stone 10", 7, "Name 1 to 9 of a kind"),
        ("return 12 stone", 7, "Name 1 to 9 of a kind"),
        ("bild C5", 0, 'did you mean "build"'),
        ("recruit 2", 8, '";" before the next action'),
        ("end 2", 4, '";" before the next action'),
        ("pass 1", 5, '";" before the next action'),
        ("trade cow for coins 3", 20, '";" before the next action'),
        ("sell cow for 3 coins", 13, "The number of coins for a cow is fixed"),
        ("trade cow for 2 wheat", 14, "trade 2 cows for wheat"),
        ("move arrow to 5", 11, "could be segment 5, or 5 segments further"),
        ("mine copper", 11, "Expected mine 2 copper"),
        ("build 2 settlements on C5 D4", 28, "could be for one hex or for all"),
        ("town row 2 row 3", 11, "The row was already named"),
        ("take 2 large wheat", 18, "Only copper and stone are large"),
        ("wheat -2", 6, '"-" has no meaning here'),
        ("wheat 2.5", 6, '"2.5" is not a whole number'),
        ("rotated", 0, "is not a word of this notation. Expected"),
        ("mettre charbon", 7, "is not a word of this notation. Expected"),
    ],
)
def test_unreadable_notation_is_refused_with_its_place(line: str, column: int, words: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.parse(line)
    assert words in refused.value.message
    assert refused.value.column == column
    assert refused.value.expected or "mean" in refused.value.message


def test_what_chance_does_is_written_too() -> None:
    for action in (LayTile("C", 2), LayStart("D4"), Spin(3)):
        assert GAME.parse(GAME.format(action)) == (action,)


def test_every_line_of_the_help_can_be_typed() -> None:
    lines = [line[2:].split("  ")[0].strip() for line in GAME.info.notation.splitlines() if line.startswith("  ")]
    assert len(lines) > 15
    for line in lines:
        assert GAME.parse(line)
    whole = GAME.info.notation.strip().splitlines()[-1].partition(": ")[2]
    assert len(GAME.parse(whole)) == 3


def test_the_help_fits_into_a_mail() -> None:
    assert max(map(len, GAME.info.notation.splitlines())) <= 78
