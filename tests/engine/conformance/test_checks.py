"""Each check passes Pearls, and fails a copy of Pearls with one fault."""

from __future__ import annotations

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
        ({"dark": {"#ffffff": "black;"}}, "dark has 'black;', which is not a colour"),
        (info(rules_version=0), "rules_version is 0"),
        (info(seats=(3, 2)), "not the numbers of seats"),
        (info(seat_colours=("red", "red", "blue", "green")), "4 seats have the colours"),
    ],
    values.action_types_have_a_discriminator_and_a_docstring: [
        ({"actions": (toy.Dive, toy.Dive)}, "have the same name"),
        ({"unbounded": (Nameless,)}, "Nameless is unbounded, and not an action of seats"),
        ({"actions": (Nameless,)}, "the type of Nameless is 'Name Less'"),
    ],
    values.every_option_has_words: [
        ({"option_words": {}}, "option_words has no words for hoard"),
        ({"option_words": {"hoard": "Hoard", "hoard=on": "On"}}, "has hoard=on, which is no option"),
        ({"option_words": {"hoard": "keep_all"}}, "hoard is called 'keep_all', which is not a few words"),
    ],
    values.every_declared_type_has_a_schema: [
        ({"components": object}, "object has no schema"),
        ({"components": toy.Options}, "the standard components are not Options"),
    ],
    values.unreadable_lines_are_refused_with_a_column: [
        ({"parse": lambda line: (toy.Dive(),)}, "'xyzzy' is read as"),
        ({"parse": lambda line: lost(line)}, "at column 1000"),
    ],
    values.invalid_component_documents_are_refused: [
        ({"load_components": lambda document: toy.BAG}, "components with the keys [] are taken"),
    ],
    components.component_sets_load_and_state_their_provenance: [
        ({}, "does not say where its values come from"),
        ({"load_components": lambda document: no_set()}, "the component set standard is refused"),
    ],
    components.accepted_component_sets_can_be_played_to_the_end: [
        ({"check": lambda state: () if state.setup.components == toy.BAG else ("Strange.",)}, "Strange."),
        ({"load_components": lambda document: toy.BAG if document == toy.COMPONENTS else no_set()}, "none of 200"),
    ],
    grammar.the_grammar_is_finite_and_its_actions_have_documents: [
        ({"actions": (toy.Dive, toy.Draw)}, "Draw: a whole number needs About"),
        ({"actions": (toy.Dive, toy.Dive)}, "the grammar has an action twice"),
    ],
    grammar.fields_and_values_of_actions_have_words: [
        ({"action_words": toy.ACTION_WORDS | {"type=pass": "Pass"}}, "type=pass has words, and is in no action"),
        ({"action_words": without("value")}, "the field value has no words"),
        ({"action_words": without("take=true")}, "take=true has no words"),
        ({"action_words": without("type=dive")}, "type=dive has no words"),
        ({"action_words": toy.ACTION_WORDS | {"value": "a_pearl"}}, "is called 'a_pearl', which does not begin with"),
        ({"action_words": toy.ACTION_WORDS | {"type=offer": "Dive"}}, "two values of type are called 'Dive'"),
    ],
    course.the_greedy_bot_beats_random_bots: [
        ({"evaluate": lambda state, seat: -toy.evaluate(state, seat)}, "of 100 are expected"),
        ({"wins_of_100": 101}, "101 of 100 are expected"),
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
        ({"outcome": lambda state: Outcome((0, 0), (1, 1), Statement("empty_bag"))}, "ply 0: the match is not over"),
        (outcome(lambda found: None), "there is no outcome"),
        (outcome(lambda found: replace(found, ranks=(2, 3))), "the ranks (2, 3)"),
        (outcome(lambda found: replace(found, scores=(0, 0))), "the scores are (0, 0)"),
        (outcome(lambda found: replace(found, scores=(0,))), "2 seats have 1 scores"),
        (outcome(lambda found: replace(found, details=found.details[:1])), "2 seats have 1 score sheets"),
        (outcome(lambda found: replace(found, details=((), *found.details[1:]))), "the same lines for every seat"),
    ],
    course.invariants_hold_at_every_ply: [
        ({"check": lambda state: ("A pearl is missing.",)}, "ply 0: A pearl is missing."),
        ({"standing": lambda state: (0,)}, "the number of scores is 1, for 2 seats"),
    ],
    course.outcomes_of_chance_are_distinct_with_positive_integer_weights: [
        ({"outcomes": lambda state: tuple((each, 0) for each, _ in toy.outcomes(state))}, "is 0, not a positive"),
        ({"outcomes": lambda state: toy.outcomes(state) * 2}, "an outcome is listed twice"),
        ({"outcomes": lambda state: ()}, "has no outcome"),
        ({"chance_actions": ()}, "is not an action of chance"),
    ],
    course.awaited_seats_are_seats_of_the_match_or_only_chance: [
        ({"to_act": lambda state: (7,)}, "(7,) is awaited"),
        ({"to_act": lambda state: (0, 0)}, "a seat is awaited twice"),
    ],
    course.every_awaited_seat_has_a_legal_action: [
        ({"candidates": lambda state, seat: ()}, "ply 0: seat 0 is awaited, and nothing is legal")
    ],
    course.no_two_legal_actions_lead_to_the_same_state: [
        ({"candidates": lambda state, seat: (*toy.candidates(state, seat),) * 2}, "lead to the same state")
    ],
    course.the_list_of_legal_actions_is_deterministic: [
        ({"candidates": lambda state, seat: sorted(toy.candidates(state, seat), key=numbered_once)}, "another one")
    ],
    course.unlisted_actions_are_refused_with_a_rule_and_a_sentence: [
        (refused(rule="P9"), "cites 'P9', which RULES.md does not have"),
        (refused(code="Not OK") | {"explain": lambda problem: "No."}, "the code of a refusal is 'Not OK'"),
        (refused(code="match_over"), "match_over is a problem that the driver reports"),
        ({"explain": lambda problem: "no"}, "which is not a sentence"),
        ({"explain": numbered()}, "has another sentence once it is stored"),
        ({"candidates": lambda state, seat: toy.candidates(state, seat)[1:]}, "its result is that of no listed action"),
    ],
    grammar.the_list_of_legal_actions_agrees_with_brute_force: [
        ({"candidates": lambda state, seat: toy.candidates(state, seat)[1:]}, "its result is that of no listed action"),
        (
            {"candidates": lambda state, seat: (*toy.candidates(state, seat),) * 2},
            "has the same result as another listed action",
        ),
    ],
    grammar.every_legal_action_is_in_the_grammar: [({"actions": (toy.Answer,)}, "and not in the grammar")],
    values.actions_are_equal_after_format_and_parse: [
        ({"format": lambda action: f"{toy.format_action(action)}\n"}, "on more than one line"),
        ({"format": lambda action: "jump"}, "which is refused"),
        ({"format": lambda action: "dive"}, "which is read as"),
    ],
    values.entries_are_equal_after_writing_and_reading: [
        ({"actions": (toy.Answer,)}, "not of a type that the game names")
    ],
    values.observations_are_equal_after_writing_and_reading: [
        ({"observe": lambda state, viewer: toy.Dive()}, "an observation of viewer None is a Dive")
    ],
    showing.a_seat_is_shown_its_own_entries: [({"seen": lambda *asked: None}, "is concealed from it")],
    showing.all_viewers_are_shown_the_same_at_the_end: [
        ({"observe": lambda state, viewer: replace(toy.observe(state, viewer), bag=viewer or 0)}, "viewer 1 is shown")
    ],
    showing.prompts_are_codes_with_whole_sentences: [
        ({"prompt": lambda state, seat: Statement("Dive.")}, "is asked 'Dive.', which is no code of the table"),
        ({"prompt": lambda state, seat: Statement("swim")}, "is asked 'swim', which is no code of the table"),
        ({"prompt": lambda state, seat: Statement("answer")}, "is asked answer without the value 'offered'"),
        (
            {"prompt": lambda state, seat: Statement("dive", changed(at=["A1"]))},
            "which are others once they are stored",
        ),
        (
            {"prompt": lambda state, seat: Statement("dive", changed(at=0.5))},
            "cannot be stored: ",
        ),
        ({"prompts": {**toy.PROMPTS, "dive": "dive"}}, "is asked dive in the words 'dive', which are not a sentence"),
    ],
    showing.endings_are_codes_with_whole_sentences: [
        ({"endings": {}}, "was ended by 'empty_bag', which is no code of the table"),
        ({"endings": {"empty_bag": "the bag is empty"}}, "in the words 'the bag is empty', which are not a sentence"),
        ({"endings": {**toy.ENDINGS, "resignation": "Over."}}, "the ending resignation is one of all games"),
        ({"score_labels": {"laid": "before you"}}, "a score sheet has a line 'hand' without a label"),
    ],
    showing.narration_consists_of_whole_sentences: [
        ({"narrate": lambda *told: "no stop"}, "is told 'no stop'"),
        ({"narrate": lambda *told: " Stop."}, "there is space around"),
    ],
    showing.the_text_board_has_at_most_78_columns: [
        ({"text": lambda observation, names: "-" * 79}, "has 79 columns"),
        ({"text": lambda observation, names: "\t"}, "control characters"),
        ({"text": lambda observation, names: "A \nB"}, "ends with a space"),
    ],
    showing.the_picture_is_a_standalone_svg_with_title_and_description: [
        ({"svg": lambda *shown: "<svg>"}, "is not XML"),
        ({"svg": lambda *shown: "<svg/>"}, "has no title"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("DejaVu Sans", "Arial")}, "labelled in Arial"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("<text", '<image href="a"/><text', 1)}, "it loads a"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("<text", "<style/><text", 1)}, "shapes and text: a style"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("<text", '<g fill="url(#a)"/><text', 1)}, "it loads url(#a)"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("<text", '<g onload="a"/><text', 1)}, "a script in onload"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("</svg>", " " * 180_000 + "</svg>")}, "more than 180000"),
    ],
    marking.no_two_legal_actions_have_the_same_bag_of_values: [
        ({"candidates": lambda *asked: (*toy.candidates(*asked), *toy.candidates(*asked))}, "have the same values"),
    ],
    marking.pictures_mark_what_the_viewer_may_choose_and_nothing_else: [
        (
            {"svg": lambda observation, names, layout, *_: marked(DIVE, observation, names, layout, ANY)},
            "picture without choices has marks",
        ),
        ({"svg": partial(marked, "<g/>" + DIVE, role="img")}, "has marks and is no group"),
        ({"svg": partial(marked, DIVE.replace(">Dive<", "> <"))}, "the mark type=dive has no name"),
        ({"svg": partial(marked, DIVE.replace("<title>Dive</title>", "Dive"))}, "the mark type=dive has no name"),
        ({"svg": partial(marked, DIVE.replace("</g>", "<text>Deep</text></g>"))}, "shows 'Deep', which is not in"),
        ({"svg": partial(marked, DIVE.replace("dive", "dive value=1"))}, "picks type=dive value=1, which is in no"),
        ({"svg": partial(marked, DIVE.replace("dive", "dive|type=die"))}, "picks type=die, which is in no legal"),
        (
            {"svg": partial(marked, DIVE + DIVE.replace("dive", "offer"))},
            "the marks type=dive and type=offer are both called 'Dive'",
        ),
    ],
    marking.ids_in_pictures_begin_with_the_name_of_the_game: [
        ({"svg": lambda *shown: toy.svg(*shown).replace("<text", '<text id="a"', 1)}, "the id a does not begin"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("<text", '<text id="pearls-a"')}, "pearls-a is there twice"),
        ({"svg": lambda *shown: toy.svg(*shown).replace("</svg>", '<use href="#b"/></svg>')}, "refers to b, which"),
    ],
    values.evaluate_gives_a_finite_number_for_every_seat: [
        ({"evaluate": lambda state, seat: float("nan")}, "is valued at nan"),
        ({"evaluate": lambda state, seat: float("inf")}, "is valued at inf"),
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
    assert any(finding in found for found in check(faulty(PEARLS, changed)))


@pytest.mark.parametrize(("check", "changed", "finding"), listed(MATCH_FAULTS))
def test_a_faulty_game_is_found_in_a_match(check: MatchCheck, changed: dict[str, Any], finding: str) -> None:
    match = play(PEARLS, 2, 0)
    assert list(check(match)) == []
    assert any(finding in found for found in check(replace(match, subject=faulty(PEARLS, changed))))


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


def leaking(**changed: Any) -> str:
    """What is found in a match of that faulty game."""
    return "\n".join(
        showing.hidden_information_does_not_change_what_a_viewer_is_shown(play(faulty(PEARLS, changed), 2, 0))
    )


def test_a_hidden_draw_that_is_revealed_is_found() -> None:
    def leaky(state: Any, viewer: Any) -> Any:
        return replace(toy.observe(state, viewer), bag=sum(state.bag) + 100 * state.bag[0])

    def turned(state: Any, seat: int) -> Any:
        return toy.candidates(state, seat)[:: -1 if state.bag[0] % 2 else 1]

    assert leaking() == ""
    assert "the observation shows viewer" in leaking(observe=leaky)
    assert "a prompt shows viewer" in leaking(prompt=lambda state, seat: Statement("dive", {"bag": str(state.bag)}))
    assert "the list shows viewer" in leaking(candidates=turned)
    assert "is told reveals" in leaking(narrate=lambda *told: f"{told[3].hands}.")


def test_a_game_in_which_nothing_hidden_could_be_different_is_found() -> None:
    assert "nothing else could have happened" in leaking(outcomes=lambda state: toy.outcomes(state)[:1])


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
