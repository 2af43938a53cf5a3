"""Each check passes Pearls, and fails a copy of Pearls with one fault."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, ClassVar

import pytest

from engine.conformance import components, course, grammar, marking, showing, values
from engine.conformance.checks import GAME_CHECKS, MATCH_CHECKS, GameCheck, MatchCheck, results
from engine.conformance.subject import PlayedMatch, Subject, play
from engine.errors import DocumentError, NotationError
from engine.picks import NO_CHOICES, Choices, choices
from engine.play import Replayed
from engine.types import Entry, Layout, Outcome, Statement
from tests.engine import sealed, toy
from tests.engine.matches import subject

PEARLS, GAME = subject("pearls"), toy.GAME


@dataclass
class Loose:
    """Neither frozen nor slotted."""

    type: ClassVar[str] = "loose"


@dataclass(frozen=True, slots=True)
class Nameless:
    type: ClassVar[str] = "Name Less"


def info(**changed: Any) -> dict[str, Any]:
    return {"info": replace(GAME.info, **changed)}


def outcome(change: Callable[[Outcome], Outcome | None]) -> dict[str, Any]:
    def changed(state: Any) -> Outcome | None:
        found = toy.outcome(state)
        return None if found is None else change(found)

    return {"outcome": changed}


def refused(**changed: Any) -> dict[str, Any]:
    return {"problems": lambda *asked: (replace(each, **changed) for each in toy.problems(*asked))}


def numbered() -> Callable[..., Any]:
    """An answer that differs at every call."""
    count = iter(range(10**9))
    return lambda *asked: f"{next(count)}."


@dataclass(frozen=True, slots=True)
class Match:
    """What two pearls of a value are."""


DIVE = '<g data-pick="type=dive"><title>Dive</title></g>'
ANY = choices([{"type": "dive"}])


def marked(
    marks: str,
    observation: toy.Observation,
    names: Any,
    layout: Layout,
    choices: Choices = NO_CHOICES,
    role: str = "group",
) -> str:
    """The picture of Pearls, with the marks if anything can be chosen."""
    picture = toy.svg(observation, names, layout).replace("<svg", f'<svg role="{role}"', 1)
    return picture.replace("</svg>", f"{marks}</svg>") if choices is not NO_CHOICES else picture


def without(name: str) -> dict[str, str]:
    """The words of Pearls but one."""
    return {each: said for each, said in toy.ACTION_WORDS.items() if each != name}


GAME_FAULTS: dict[GameCheck, list[tuple[dict[str, Any], str]]] = {
    values.the_catalogue_entry_is_complete: [
        (info(credits=""), "info.credits is empty"),
        ({"dark": {"#ffffff": "black;"}}, "dark has 'black;', which is not a colour such as '#33271b'"),
        (info(rules_version=0), "rules_version is 0"),
        (info(seats=(3, 2)), "seats are (3, 2): not the numbers of seats, ascending"),
        (info(seat_colours=("red", "red", "blue", "green")), "4 seats have the colours red, red, blue, green"),
    ],
    values.action_types_have_a_discriminator_and_a_docstring: [
        ({"actions": (toy.Dive, toy.Dive)}, "two types of action have the same name: dive, dive, draw"),
        ({"unbounded": (Nameless,)}, "Nameless is unbounded, and not an action of seats"),
        ({"actions": (Nameless,)}, "the type of Nameless is 'Name Less'"),
    ],
    values.every_option_has_words: [
        ({"option_words": {}}, "option_words has no words for hoard"),
        ({"option_words": {"hoard": "Hoard", "hoard=on": "On"}}, "option_words has hoard=on, which is no option"),
        (
            {"option_words": {"hoard": "keep_all"}},
            "hoard is called 'keep_all', which is not a few words that begin with a capital letter",
        ),
    ],
    values.every_declared_type_has_a_schema: [
        ({"components": object}, "<class 'object'> has no schema"),
        ({"observation": Match}, "two types are called Match: give one of them another name, or prefix"),
        ({"components": toy.Options}, "the standard components are not Options"),
    ],
    values.unreadable_lines_are_refused_with_a_column: [
        ({"parse": lambda line: (toy.Dive(),)}, "'xyzzy' is read as (Dive(),)"),
        ({"parse": lambda line: lost(line)}, "'' is refused as '' at column 1000: 'Nothing.'"),
    ],
    values.invalid_component_documents_are_refused: [
        ({"load_components": lambda document: toy.BAG}, "components with the keys [] are taken"),
    ],
    components.component_sets_load_and_state_their_provenance: [
        ({}, "the component set standard does not say where its values come from"),
        (
            {"load_components": lambda document: no_set()},
            "the component set standard is refused: /ones: That is too few.",
        ),
    ],
    components.accepted_component_sets_can_be_played_to_the_end: [
        (
            {"check": lambda state: () if state.setup.components == toy.BAG else ("Strange.",)},
            "2 seats, components {'ones': 4, 'twos': 1, 'threes': 1}: ply 0: Strange.",
        ),
        (
            {"load_components": lambda document: toy.BAG if document == toy.COMPONENTS else no_set()},
            "none of 200 changes of the standard component set is accepted",
        ),
    ],
    grammar.the_grammar_is_finite_and_its_actions_have_documents: [
        (
            {"actions": (toy.Dive, toy.Draw)},
            "the grammar cannot be written out: Draw: a whole number needs About(minimum=..., maximum=...)",
        ),
        ({"actions": (toy.Dive, toy.Dive)}, "the grammar has an action twice"),
    ],
    grammar.fields_and_values_of_actions_have_words: [
        ({"action_words": toy.ACTION_WORDS | {"type=pass": "Pass"}}, "type=pass has words, and is in no action"),
        ({"action_words": without("value")}, "the field value has no words"),
        ({"action_words": without("take=true")}, "take=true has no words"),
        ({"action_words": without("type=dive")}, "type=dive has no words"),
        (
            {"action_words": toy.ACTION_WORDS | {"value": "a_pearl"}},
            "value is called 'a_pearl', which does not begin with a capital letter",
        ),
        ({"action_words": toy.ACTION_WORDS | {"type=offer": "Dive"}}, "two values of type are called 'Dive'"),
    ],
    course.the_greedy_bot_beats_random_bots: [
        (
            {"evaluate": lambda state, seat: -toy.evaluate(state, seat)},
            "0 matches are won and 11 are not; 90 of 100 are expected",
        ),
        ({"wins_of_100": 101}, "0 matches are won and 0 are not; 101 of 100 are expected"),
        (
            outcome(lambda found: replace(found, ranks=(1, 1))),
            "0 matches are won and 11 are not; 90 of 100 are expected",
        ),
    ],
}


def lost(line: str) -> Any:
    raise NotationError("Nothing.", line, 1000)


def changed(**values: Any) -> Any:
    """Values of any type."""
    return values


def no_set() -> Any:
    raise DocumentError((("/ones", "That is too few."),))


MATCH_FAULTS: dict[MatchCheck, list[tuple[dict[str, Any], str]]] = {
    course.an_outcome_exists_only_at_the_end: [
        (
            {"outcome": lambda state: Outcome((0, 0), (1, 1), Statement("empty_bag"))},
            "ply 0: the match is not over, but there is an outcome or nobody is awaited",
        ),
        (outcome(lambda found: None), "at the end, somebody is awaited or there is no outcome"),
        (
            outcome(lambda found: replace(found, ranks=(2, 3))),
            "the ranks (2, 3) do not begin with 1, equal ones shared and the next one skipped",
        ),
        (
            outcome(lambda found: replace(found, ranks=(1, 2))),
            "the ranks (1, 2) put a seat behind one that has fewer points: (10, 11)",
        ),
        (
            outcome(lambda found: replace(found, scores=(0, 0))),
            "the scores are (0, 0), the standing at the end is (10, 11)",
        ),
        (outcome(lambda found: replace(found, scores=(0,))), "2 seats have 1 scores and 2 ranks"),
        (outcome(lambda found: replace(found, details=found.details[:1])), "2 seats have 1 score sheets"),
        (
            outcome(lambda found: replace(found, details=((), *found.details[1:]))),
            "the score sheets do not have the same lines for every seat",
        ),
    ],
    course.invariants_hold_at_every_ply: [
        ({"check": lambda state: ("A pearl is missing.",)}, "ply 0: A pearl is missing."),
        ({"standing": lambda state: (0,)}, "ply 0: the number of scores is 1, for 2 seats"),
    ],
    course.outcomes_of_chance_are_distinct_with_positive_integer_weights: [
        (
            {"outcomes": lambda state: tuple((each, 0) for each, _ in toy.outcomes(state))},
            "ply 1: the weight of Draw(to=0, value=1) is 0, not a positive whole number",
        ),
        ({"outcomes": lambda state: toy.outcomes(state) * 2}, "ply 1: an outcome is listed twice"),
        ({"outcomes": lambda state: ()}, "ply 1: chance is due, and has no outcome"),
        ({"chance_actions": ()}, "ply 1: Draw(to=0, value=1) is not an action of chance"),
    ],
    course.awaited_seats_are_seats_of_the_match_or_only_chance: [
        (
            {"to_act": lambda state: (7,)},
            "ply 0: (7,) is awaited, which is no tuple of seats, nor (CHANCE,)",
        ),
        (
            {"to_act": lambda state: [0]},
            "ply 0: [0] is awaited, which is no tuple of seats, nor (CHANCE,)",
        ),
        ({"to_act": lambda state: (0, 0)}, "ply 0: a seat is awaited twice: (0, 0)"),
    ],
    course.every_awaited_seat_has_a_legal_action: [
        ({"candidates": lambda state, seat: ()}, "ply 0: seat 0 is awaited, and nothing is legal")
    ],
    course.no_two_legal_actions_lead_to_the_same_state: [
        (
            {"candidates": lambda state, seat: (*toy.candidates(state, seat),) * 2},
            "Dive() and Dive() of seat 0 lead to the same state",
        )
    ],
    course.unlisted_actions_are_refused_with_a_rule_and_a_sentence: [
        (refused(rule="P9"), "not_in_hand cites 'P9', which RULES.md does not have"),
        (refused(code="Not OK") | {"explain": lambda problem: "No."}, "the code of a refusal is 'Not OK'"),
        (refused(code="match_over"), "match_over is a problem that the driver reports, and the game reports it too"),
        ({"explain": lambda problem: "no"}, "not_in_hand has the message 'no', which is not a sentence"),
        ({"explain": lambda problem: "Held: ."}, "not_in_hand has the message 'Held: .', which is not a sentence"),
        ({"explain": numbered()}, "not_in_hand has another sentence once it is stored"),
        (
            {"candidates": lambda state, seat: toy.candidates(state, seat)[1:]},
            "Dive() is legal for seat 0, but its result is that of no listed action",
        ),
    ],
    grammar.the_list_of_legal_actions_agrees_with_brute_force: [
        (
            {"candidates": lambda state, seat: toy.candidates(state, seat)[1:]},
            "ply 2: Dive() is legal for seat 1, but its result is that of no listed action",
        ),
        (
            {"candidates": lambda state, seat: (*toy.candidates(state, seat),) * 2},
            "ply 2: Dive() of seat 1 has the same result as another listed action",
        ),
    ],
    grammar.every_legal_action_is_in_the_grammar: [
        ({"actions": (toy.Answer,)}, "ply 0: Dive() is legal for seat 0, and not in the grammar")
    ],
    values.actions_are_equal_after_format_and_parse: [
        ({"format": lambda action: f"{toy.format_action(action)}\n"}, "ply 0: Dive() is written on more than one line"),
        (
            {"format": lambda action: "jump"},
            "ply 0: Dive() is written 'jump', which is refused: \"jump\" is not an action of Pearls."
            " Expected dive, offer 1, offer 2, offer 3, take or leave.",
        ),
        (
            {"parse": lambda line: toy.parse(line.partition(";")[0])},
            "ply 0: Dive() is written 'dive; dive', which is read as (Dive(),)",
        ),
        ({"format": lambda action: "dive"}, "ply 1: Draw(to=0, value=1) is written 'dive', which is read as (Dive(),)"),
    ],
    values.entries_are_equal_after_writing_and_reading: [
        ({"actions": (toy.Answer,)}, "ply 0: Dive() is not of a type that the game names")
    ],
    values.observations_are_equal_after_writing_and_reading: [
        ({"observe": lambda state, viewer: toy.Dive()}, "an observation of viewer None is a Dive")
    ],
    showing.a_seat_is_shown_its_own_entries: [
        ({"seen": lambda *asked: None}, "ply 0: Dive() of seat 0 is concealed from it")
    ],
    showing.all_viewers_are_shown_the_same_at_the_end: [
        (
            {"observe": lambda state, viewer: replace(toy.observe(state, viewer), bag=viewer or 0)},
            "viewer 1 is shown a different end than a spectator",
        )
    ],
    showing.prompts_are_codes_with_whole_sentences: [
        (
            {"prompt": lambda state, seat: Statement("Dive.")},
            "ply 0: seat 0 is asked 'Dive.', which is no code of the table of sentences",
        ),
        (
            {"prompt": lambda state, seat: Statement("swim")},
            "ply 0: seat 0 is asked 'swim', which is no code of the table of sentences",
        ),
        (
            {"prompt": lambda state, seat: "Dive."},
            "ply 0: seat 0 is asked 'Dive.', which is no code of the table of sentences",
        ),
        (
            {"prompts": {**toy.PROMPTS, "dive": lambda values: 7}},
            "ply 0: seat 0 is asked dive in the words 7, which are not a sentence",
        ),
        (
            {"prompts": {**toy.PROMPTS, "dive": "Dive\x07."}},
            "ply 0: seat 0 is asked dive in the words 'Dive\\x07.', which are not a sentence",
        ),
        (
            {"prompt": lambda state, seat: Statement("answer")},
            "ply 0: seat 0 is asked answer without the value 'offered'",
        ),
        (
            {"prompt": lambda state, seat: Statement("dive", changed(at=["A1"]))},
            "ply 0: seat 0 is asked dive with the values {'at': ['A1']}, which are others once they are stored",
        ),
        (
            {"prompt": lambda state, seat: Statement("dive", changed(at=0.5))},
            "ply 0: seat 0 is asked dive with the values {'at': 0.5}, which cannot be stored: "
            "/values/at: 0.5 is not a string or a whole number or true or false or a list.",
        ),
        (
            {"prompts": {**toy.PROMPTS, "dive": "dive"}},
            "ply 0: seat 0 is asked dive in the words 'dive', which are not a sentence",
        ),
    ],
    showing.endings_are_codes_with_whole_sentences: [
        ({"endings": {}}, "the match was ended by 'empty_bag', which is no code of the table of sentences"),
        (
            {"endings": {"empty_bag": "the bag is empty"}},
            "the match was ended by empty_bag in the words 'the bag is empty', which are not a sentence",
        ),
        ({"endings": {**toy.ENDINGS, "resignation": "Over."}}, "the ending resignation is one of all games"),
        ({"score_labels": {"laid": "before you"}}, "a score sheet has a line 'hand' without a label"),
    ],
    showing.narration_consists_of_whole_sentences: [
        ({"narrate": lambda *told: "no stop"}, "ply 0: viewer None is told 'no stop'"),
        ({"narrate": lambda *told: " Stop."}, "ply 0: there is space around ' Stop.'"),
    ],
    showing.what_is_shown_is_text_without_control_characters: [
        ({"narrate": lambda *told: None}, "narrate gives a NoneType, not a string"),
        ({"text": lambda observation, names: b"o"}, "text gives a bytes, not a string"),
        ({"svg": lambda *shown: toy.svg(*shown).encode()}, "svg gives a bytes, not a string"),
        (
            {"format": lambda action: "dive\x00"},
            "format gives the character '\\x00', which cannot be shown: 'dive\\x00'",
        ),
        (
            {"narrate": lambda *told: "Half \ud800."},
            "narrate gives the character '\\ud800', which cannot be shown: 'Half \\ud800.'",
        ),
        (
            {"narrate": lambda *told: "One.\nTwo."},
            "narrate gives more than a line of 5000 characters: 'One.\\nTwo.'",
        ),
    ],
    showing.the_text_board_has_at_most_78_columns: [
        (
            {"text": lambda observation, names: "-" * 79},
            f"a line of the text has 79 columns: {'-' * 79}",
        ),
        ({"text": lambda observation, names: "\n"}, "the text is empty"),
        ({"text": lambda observation, names: "A \nB"}, "a line of the text ends with a space: 'A '"),
    ],
    showing.the_picture_is_a_standalone_svg_with_title_and_description: [
        ({"svg": lambda *shown: "<svg>"}, "the picture is not XML: no element found: line 1, column 5"),
        ({"svg": lambda *shown: "<svg/>"}, "the picture has no title"),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("DejaVu Sans", "Arial")},
            "the picture is labelled in Arial, which is not the font that is shipped, DejaVu Sans",
        ),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("<text", '<image href="a"/><text', 1)},
            "the picture does not stand alone: it loads a",
        ),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("<text", "<style/><text", 1)},
            "the picture has more than shapes and text: a style",
        ),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("<text", '<g fill="url(#a)"/><text', 1)},
            "the picture does not stand alone: it loads url(#a)",
        ),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("<text", '<g onload="a"/><text', 1)},
            "the picture has a script in onload",
        ),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("</svg>", " " * 180_000 + "</svg>")},
            "the picture has 180412 bytes, more than 180000",
        ),
    ],
    marking.no_two_legal_actions_have_the_same_bag_of_values: [
        (
            {"candidates": lambda *asked: (*toy.candidates(*asked), *toy.candidates(*asked))},
            "ply 0: Dive() and Dive() have the same values",
        ),
    ],
    marking.pictures_mark_what_the_viewer_may_choose_and_nothing_else: [
        (
            {"svg": lambda observation, names, layout, *_: marked(DIVE, observation, names, layout, ANY)},
            "ply 0: the desktop picture without choices has marks",
        ),
        (
            {"svg": partial(marked, "<g/>" + DIVE, role="img")},
            "ply 0, seat 0, desktop: the picture has marks and is no group",
        ),
        (
            {"svg": partial(marked, DIVE.replace(">Dive<", "> <"))},
            "ply 0, seat 0, desktop: the mark type=dive has no name",
        ),
        (
            {"svg": partial(marked, DIVE.replace("<title>Dive</title>", "Dive"))},
            "ply 0, seat 0, desktop: the mark type=dive has no name",
        ),
        (
            {"svg": partial(marked, DIVE.replace("</g>", "<text>Deep</text></g>"))},
            "ply 0, seat 0, desktop: the mark 'Dive' shows 'Deep', which is not in its name",
        ),
        (
            {"svg": partial(marked, DIVE.replace("dive", "dive value=1"))},
            "ply 0, seat 0, desktop: the mark 'Dive' picks type=dive value=1, which is in no legal action",
        ),
        (
            {"svg": partial(marked, DIVE.replace("dive", "dive|type=die"))},
            "ply 0, seat 0, desktop: the mark 'Dive' picks type=die, which is in no legal action",
        ),
        (
            {"svg": partial(marked, DIVE + DIVE.replace("dive", "offer"))},
            "ply 0, seat 0, desktop: the marks type=dive and type=offer are both called 'Dive'",
        ),
    ],
    marking.ids_in_pictures_begin_with_the_name_of_the_game: [
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("<text", '<text id="a"', 1)},
            "the id a does not begin with the name of the game",
        ),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("<text", '<text id="pearls-a"')},
            "the id pearls-a is there twice",
        ),
        (
            {"svg": lambda *shown: toy.svg(*shown).replace("</svg>", '<use href="#b"/></svg>')},
            "the picture refers to b, which is not in it",
        ),
    ],
    values.evaluate_gives_a_finite_number_for_every_seat: [
        ({"evaluate": lambda state, seat: float("nan")}, "seat 0 is valued at nan"),
        ({"evaluate": lambda state, seat: float("inf")}, "seat 0 is valued at inf"),
    ],
}
"""Faults that a finished match of Pearls is looked at with: what is changed, and what is found."""

_order = iter(range(10**9))


def numbered_once(action: object) -> int:
    """Another order at every call."""
    return -next(_order) if next(_order) % 3 else next(_order)


def with_entry(match: PlayedMatch, entry: Entry[Any]) -> PlayedMatch:
    """The match with one entry more, which changes nothing."""
    last = match.states[-1]
    return replace(match, steps=(*match.steps, Replayed(len(match.steps), last, entry, last)))


def faulty(asked: Subject, changed: dict[str, Any]) -> Subject:
    return replace(asked, game=replace(asked.game, **changed))


def listed(table: dict[Any, list[tuple[dict[str, Any], str]]]) -> list[Any]:
    return [
        pytest.param(check, changed, finding, id=f"{check.__name__}: {finding}")
        for check, faults in table.items()
        for changed, finding in faults
    ]


@pytest.mark.parametrize(("check", "changed", "finding"), listed(GAME_FAULTS))
def test_a_faulty_game_is_found(check: GameCheck, changed: dict[str, Any], finding: str) -> None:
    assert finding in check(faulty(PEARLS, changed))


@pytest.mark.parametrize(("check", "changed", "finding"), listed(MATCH_FAULTS))
def test_a_faulty_game_is_found_in_a_match(check: MatchCheck, changed: dict[str, Any], finding: str) -> None:
    match = play(PEARLS, 2, 0)
    assert list(check(match)) == []
    assert finding in check(replace(match, subject=faulty(PEARLS, changed)))


def test_a_game_that_ends_its_process_fails_a_check_and_does_not_end_the_others() -> None:
    def left(*told: Any) -> str:
        raise SystemExit(3)

    failed = {each.check: each.findings for each in results(faulty(PEARLS, {"narrate": left}), 1)}
    assert any("SystemExit: 3" in each for each in failed["narration consists of whole sentences"])
    assert failed["the text board has at most 78 columns"] == ()


def test_an_outcome_needs_no_score_sheets() -> None:
    without = replace(play(PEARLS, 2, 0), subject=faulty(PEARLS, outcome(lambda found: replace(found, details=()))))
    assert list(course.an_outcome_exists_only_at_the_end(without)) == []


def test_scores_that_are_no_whole_numbers_are_found() -> None:
    halves = faulty(PEARLS, outcome(lambda found: replace(found, scores=(0.5, 1))))  # type: ignore[arg-type]
    with pytest.raises(DocumentError, match="is not a whole number"):
        list(components.accepted_component_sets_can_be_played_to_the_end(halves))


def test_a_bot_wins_with_its_team() -> None:
    def teams(found: Outcome) -> Outcome:
        won = max((0, 2), (1,), key=lambda team: sum(found.scores[seat] for seat in team) / len(team))
        return replace(found, ranks=tuple(1 if seat in won else 1 + len(won) for seat in range(3)))

    three = faulty(PEARLS, {**info(seats=(3,)), **outcome(teams), "wins_of_100": 60})
    assert list(course.the_greedy_bot_beats_random_bots(three)) == []


def test_a_list_in_another_order_at_every_call_is_found() -> None:
    luck = {"candidates": lambda state, seat: sorted(toy.candidates(state, seat), key=numbered_once)}
    (found, *_) = course.the_list_of_legal_actions_is_deterministic(
        replace(play(PEARLS, 2, 0), subject=faulty(PEARLS, luck))
    )
    assert re.fullmatch(r"ply \d+: the list of seat [01] is another one after a replay", found)


@pytest.mark.parametrize("rules", ["No numbers.", "P1 One.\nP1 Again."])
def test_rules_without_numbers_or_with_the_same_twice_are_found(rules: str) -> None:
    check = values.rules_have_unique_numbers
    assert len(list(check(replace(PEARLS, rules=rules)))) == 1


def test_a_rule_that_is_cited_and_not_given_is_found() -> None:
    citing = replace(PEARLS, sources={"legal.py": "# P4, as P9.1 says, and R2 of another game"})
    assert list(values.rules_cited_in_the_code_exist(citing)) == ["legal.py cites P9.1, which RULES.md does not have"]


def test_a_replay_or_a_record_that_ends_differently_is_found() -> None:
    match = play(PEARLS, 2, 0)
    assert list(
        course.a_replay_gives_the_same_state(
            replace(match, steps=(*match.steps[:-1], match.steps[-1]._replace(after=match.start)))
        )
    ) == ["a replay of the log ends in a different state"]
    luck = Random(1)
    shuffled = faulty(PEARLS, {"outcomes": lambda state: luck.sample(toy.outcomes(state), len(toy.outcomes(state)))})
    assert any(
        "is refused" in found for found in course.a_finished_record_can_be_verified(replace(match, subject=shuffled))
    )


def test_actions_of_undeclared_types_are_found() -> None:
    match = play(PEARLS, 2, 0)
    twice = with_entry(match, Entry(0, Loose()))
    assert any("not of a type" in found for found in values.entries_are_equal_after_writing_and_reading(twice))


def test_mutable_values_are_found() -> None:
    match = play(PEARLS, 2, 0)
    loose = with_entry(match, Entry(0, Loose()))
    assert [found.split(": ")[0] for found in values.dataclasses_are_frozen_and_slotted(loose)] == [
        "Loose is not frozen",
        "Loose has no slots",
        "Loose() cannot be hashed",
    ]
    listing = replace(match, start=replace(match.start, hands=[()]))
    assert "a state holds a list: [()]" in list(values.states_contain_no_mutable_values(listing))


# Leaks


def masked(state: Any, seat: int, action: Any, viewer: Any) -> Any:
    """Of a draw that another seat gets, the pearl alone is hidden."""
    return action if toy.seen(state, seat, action, viewer) else replace(action, value=0)


def found_in_a_match_of(**changed: Any) -> str:
    """What is found in a match of that faulty game."""
    return "\n".join(
        showing.hidden_information_does_not_change_what_a_viewer_is_shown(play(faulty(PEARLS, changed), 2, 0))
    )


@pytest.mark.parametrize("concealed", [{}, {"seen": masked}], ids=["whole", "in part"])
def test_a_hidden_draw_that_is_revealed_is_found(concealed: dict[str, Any]) -> None:
    leaking = partial(found_in_a_match_of, **concealed)

    def leaky(state: Any, viewer: Any) -> Any:
        return replace(toy.observe(state, viewer), bag=sum(state.bag) + 100 * state.bag[0])

    def turned(state: Any, seat: int) -> Any:
        return toy.candidates(state, seat)[:: -1 if state.bag[0] % 2 else 1]

    def telling(state: Any, seat: int, action: Any) -> Any:
        return (replace(each, values={**each.values, "bag": state.bag}) for each in toy.problems(state, seat, action))

    def shown(state: Any, seat: int, action: Any, viewer: Any) -> Any:
        seen = concealed.get("seen", toy.seen)(state, seat, action, viewer)
        return toy.Offer(state.bag[0]) if seen == toy.Dive() else seen

    assert leaking() == ""
    assert "the answer to" in leaking(problems=telling)
    assert "is told reveals" in found_in_a_match_of(seen=shown)
    assert "the observation shows viewer" in leaking(observe=leaky)
    assert "a prompt shows viewer" in leaking(prompt=lambda state, seat: Statement("dive", {"bag": str(state.bag)}))
    assert "the list shows viewer" in leaking(candidates=turned)
    assert "is told reveals" in leaking(narrate=lambda *told: f"{told[3].hands}.")


def test_a_game_in_which_nothing_hidden_could_be_different_is_found() -> None:
    assert "nothing else could have happened" in found_in_a_match_of(outcomes=lambda state: toy.outcomes(state)[:1])


def test_a_concealed_bid_that_makes_a_turn_stale_is_found() -> None:
    bids = subject("sealed")
    match = play(bids, 3, 0)
    check = showing.concealed_entries_leave_the_turn_of_an_awaited_seat_fresh

    def leaky(state: Any, viewer: Any) -> Any:
        seen, bidden = sealed.observe(state, viewer), len([bid for bid in state.bids if bid is not None])
        return replace(seen, coins=tuple(1000 * bidden for _ in seen.coins))

    assert list(check(match)) == []
    leaked = check(replace(match, subject=faulty(bids, {"observe": leaky})))
    assert any("changes what it is shown" in found for found in leaked)


# All of them


def test_every_check_has_a_fault_that_it_finds() -> None:
    here = {
        values.rules_have_unique_numbers,
        values.rules_cited_in_the_code_exist,
        values.dataclasses_are_frozen_and_slotted,
        values.states_contain_no_mutable_values,
        course.the_list_of_legal_actions_is_deterministic,
        course.a_replay_gives_the_same_state,
        course.a_finished_record_can_be_verified,
        showing.hidden_information_does_not_change_what_a_viewer_is_shown,
        showing.concealed_entries_leave_the_turn_of_an_awaited_seat_fresh,
    }
    assert {*GAME_FAULTS, *MATCH_FAULTS, *here} == {*GAME_CHECKS, *MATCH_CHECKS}


def test_a_game_that_raises_is_a_finding_with_its_place() -> None:
    def broken(state: Any, seat: int) -> str:
        raise ZeroDivisionError("no pearls")

    found = {each.check: each.findings for each in results(faulty(PEARLS, {"prompt": broken}), 1)}
    (first, *_) = found["prompts are codes with whole sentences"]
    assert first.startswith("2 seats, match 0, ZeroDivisionError: no pearls (")
    assert "test_checks.py, line " in first
    assert found["a replay gives the same state"] == ()


def test_a_match_without_an_end_is_a_finding_and_the_others_go_on() -> None:
    found = {each.check: each.findings for each in results(faulty(PEARLS, {"candidates": lambda *asked: ()}), 1)}
    assert found["3 matches are played to the end"][0].startswith("DeadEnd: ply 0: seat 0 is awaited, and nothing")
    assert len(found["3 matches are played to the end"]) == 3
