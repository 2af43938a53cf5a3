"""Lines of Oregon's notation as people type them, in English, French and Italian."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import NotationError
from engine.games.oregon.notation import ACTIONS_SAID, format_action, parse, read_action
from engine.games.oregon.terms import LINKS, WORDS, Verb, read
from engine.reading import read_actions
from engine.vocabulary import AND, FILLERS, THEN

LINES = (
    "bison wagon C7",
    "farmer bison wagon C7; extra; church eagle D3; draw L L B; done",
    "church joker D3",
    "place a farmer on C7 with bison and wagon",
    "gioca carro e bisonte e piazza un allevatore su C7",
    "put church aside; draw two landscape cards",
    "discard bison church",
    "extra bison wagon C7",
    "LLB",
)
LONG = [phrase for phrase in WORDS.meanings if len(phrase) > 1]
OMITTED = frozenset((Verb.FARMER, Verb.BUILDING, Verb.DRAW))
"""The verbs that some of the lines go without."""
SAID = sorted({word for phrase in WORDS.meanings for word in phrase} | {"7", "2", "x2", "D3"})


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("1. farmer bison wagon C7", "farmer wagon bison C7"),
        ("- farmer: wagon/bison \u2013 C7!", "farmer wagon bison C7"),
        ("wagon & bison \u2192 C7", "farmer wagon bison C7"),
        ("C7: bison, wagon", "farmer wagon bison C7"),
        ("A7 bison wagon", "farmer wagon bison A7"),
        ("please place one farmer on the space C7 with the bison card and the wagon card", "farmer wagon bison C7"),
        ("play bison and wagon for a farmer on C7", "farmer wagon bison C7"),
        ("plays two wagon cards and places a farmer on B1", "farmer wagon wagon B1"),
        ("2 wagons b 1", "farmer wagon wagon B1"),
        ("farmer x2 wagon B1", "farmer wagon wagon B1"),
        ("use the joker token and bison on C7", "farmer bison joker C7"),
        ("put the church on D3 with eagle", "building church eagle D3"),
        ("build a church tile at D3 using the eagle card", "building church eagle D3"),
        ("place your start tile on C7", "start C7"),
        ("use your extra turn", "extra"),
        ("extra bison wagon C7", "extra; farmer wagon bison C7"),
        ("use my extra turn with bison and wagon on C7", "extra; farmer wagon bison C7"),
        ("take my extra turn, then draw L", "extra; draw landscape"),
        ("LLB", "draw landscape; draw landscape; draw building"),
        ("draw a landscape card and two building cards", "draw landscape; draw building; draw building"),
        ("draw 2 landscape, 1 building", "draw landscape; draw landscape; draw building"),
        ("draw landscape and building", "draw landscape; draw building"),
        ("draw L x2", "draw landscape; draw landscape"),
        ("draw two cards from the landscape deck and end your turn", "draw landscape; draw landscape; done"),
        ("set church aside", "set aside church"),
        ("set aside the church card", "set aside church"),
        ("put the church and the harbour aside", "set aside church; set aside harbour"),
        ("put the church away for another", "set aside church"),
        ("discard the church and draw another", "set aside church"),
        ("discard bison and church", "discard bison church"),
        ("discard two bisons", "discard bison bison"),
        ("end your turn", "done"),
    ],
)
def test_what_people_type_in_english_is_read(line: str, written: str) -> None:
    assert "; ".join(map(format_action, parse(line))) == written


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("place un fermier en C7 avec bison et chariot", "farmer wagon bison C7"),
        ("jouer l'aigle et le pionnier sur la case B2", "farmer settler eagle B2"),
        ("posez 2 cartes bison en C7", "farmer bison bison C7"),
        ("construis l'église en D3 avec l'aigle", "building church eagle D3"),
        ("place la tuile église en D3 avec le pion joker", "building church joker D3"),
        ("place ma tuile de départ en C7", "start C7"),
        ("j\u2019utilise le tour supplémentaire", "extra"),
        ("pioche deux cartes paysage et une carte bâtiment", "draw landscape; draw landscape; draw building"),
        ("piocher une carte de la pile paysage", "draw landscape"),
        ("mettre l'église de côté pour une autre", "set aside church"),
        ("défausse le feu de camp et la mine d'or", "discard campfire gold mine"),
        ("termine mon tour", "done"),
        ("piazza un allevatore su C7 con bisonte e carro", "farmer wagon bison C7"),
        ("gioca carro e bisonte e piazza un allevatore su C7", "farmer wagon bison C7"),
        ("costruisci una miniera d'oro su D3 con la carta aquila", "building gold mine eagle D3"),
        ("posa la tessera iniziale su C7", "start C7"),
        ("usa il turno extra", "extra"),
        ("gioca un turno extra", "extra"),
        ("pesca due carte paesaggio e una edificio", "draw landscape; draw landscape; draw building"),
        ("metti la chiesa da parte", "set aside church"),
        ("scarta la chiesa per un'altra", "set aside church"),
        ("scartare bisonte e chiesa", "discard bison church"),
        ("fine del turno", "done"),
    ],
)
def test_what_people_type_in_french_and_italian_is_read(line: str, written: str) -> None:
    assert "; ".join(map(format_action, parse(line))) == written


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("bison e C7", "farmer bison eagle C7"),
        ("farmer C7 bison e draw L", "farmer bison eagle C7; draw landscape"),
        ("discard bison e; draw L", "discard bison eagle; draw landscape"),
        ("carro e bisonte C7", "farmer wagon bison C7"),
        ("chiesa e aquila D3", "building church eagle D3"),
        ("allevatore carro bisonte C7 e pesca L e B", "farmer wagon bison C7; draw landscape; draw building"),
        ("allevatore C7 carro bisonte e poi pesca L", "farmer wagon bison C7; draw landscape"),
        ("farmer C7 bison wagon e; draw L", "farmer wagon bison eagle C7; draw landscape"),
    ],
)
def test_the_letter_e_is_an_eagle_unless_it_joins_two_italian_words(line: str, written: str) -> None:
    assert "; ".join(map(format_action, parse(line))) == written


@pytest.mark.parametrize("line", ["draw banana", "farmer xyz wagon C7", "obtenir C7 wagon wagon", "draw harbon"])
def test_a_word_that_is_far_from_all_others_has_no_suggestion(line: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse(line)
    assert not refused.value.similar


@given(st.sampled_from(LINES), st.sampled_from(SAID), st.randoms(use_true_random=False))
def test_no_word_that_is_put_into_a_line_is_ignored(line: str, word: str, luck: Random) -> None:
    parts = line.split()
    at = luck.randrange(len(parts) + 1)
    reader = read(" ".join((*parts[:at], word, *parts[at:])))
    try:
        actions = read_actions(reader, read_action, ACTIONS_SAID)
    except NotationError:
        return
    for index, piece in enumerate(reader.pieces):
        assert index in reader.taken or piece.kind in ("stop", "end") or piece.word in FILLERS, reader.line
    if actions == parse(line):
        added = {reader.taken.get(index) for index, piece in enumerate(reader.pieces) if piece.text == word}
        part = any(word in phrase and " ".join(phrase) in reader.line for phrase in LONG)
        assert word in FILLERS | AND | THEN | {"one"} or part or added & (LINKS | OMITTED), reader.line
