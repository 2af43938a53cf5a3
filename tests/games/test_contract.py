"""The contract, over every registered game and every number of seats: what holds for all games is
tested once.

The toy games of the engine's own tests take part, so these tests also test themselves. Each match
is a function of the seed in its id: a failure is played again by its name.
"""

from __future__ import annotations

import dataclasses
import html
import itertools
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, ClassVar, get_origin, get_type_hints
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

import engine.games
from engine import registry
from engine.bots import greedy
from engine.documents import from_document, schema, to_document
from engine.draws import drawing
from engine.errors import DocumentError, NotationError
from engine.game import AnyGame
from engine.play import judge, legal_actions, replay, still_fresh, walk
from engine.record import verify
from engine.refusals import COMMON
from engine.types import CHANCE, SPECTATOR, Entry, Outcome, Problem, Seat, Setup, Viewer, Violation
from tests.engine import sealed, toy
from tests.engine.matches import SECRET, finished_record, play

TOYS: Mapping[str, ModuleType] = {"pearls": toy, "sealed": sealed}
GAMES: dict[str, AnyGame] = {**registry.games(), **{name: module.GAME for name, module in TOYS.items()}}
TABLES = [(name, seats) for name in GAMES for seats in GAMES[name].info.seats]
NAMES = ("Ann <&> Bo", "Bob", "Cleopatra the Seventh of Egypt", "Dé")
each_game = pytest.mark.parametrize("name", GAMES)
each_registered_game = pytest.mark.parametrize("name", list(registry.games()))
each_table = pytest.mark.parametrize(("name", "seats"), TABLES, ids=[f"{name}-{seats}" for name, seats in TABLES])


@dataclass(frozen=True, slots=True)
class Played:
    """A whole match: ``states[n]`` is the state at ply n."""

    game: AnyGame
    setup: Setup
    log: tuple[Entry[Any], ...]
    states: list[Any]

    def plies(self) -> Iterator[tuple[int, Any, Entry[Any], Any]]:
        """Each ply with the state before, the entry and the state after."""
        for ply, entry in enumerate(self.log):
            yield ply, self.states[ply], entry, self.states[ply + 1]

    def sample(self, count: int) -> list[Any]:
        """About so many states spread over the match, first and last included."""
        step = max(1, len(self.states) // count)
        return [*self.states[::step], self.states[-1]]


def component_document(name: str) -> Mapping[str, Any]:
    document: Mapping[str, Any] = TOYS[name].COMPONENTS if name in TOYS else registry.component_document(name)
    return document


@cache
def match(name: str, seats: int) -> Played:
    game, seed = GAMES[name], f"{name}-{seats}"
    setup = Setup(seats, game.options(), game.load_components(component_document(name)))
    log, states = play(game, setup, drawing(SECRET, seed, ()), seed)
    return Played(game, setup, log, states)


def names(seats: int) -> tuple[str, ...]:
    return NAMES[:seats]


def viewers(seats: int) -> tuple[Viewer, ...]:
    return (SPECTATOR, *range(seats))


def seats_to_act(game: AnyGame, state: Any) -> tuple[Seat, ...]:
    return tuple(seat for seat in game.to_act(state) if seat != CHANCE)


# What happens


@each_table
def test_a_replay_gives_the_same_state(name: str, seats: int) -> None:
    played = match(name, seats)
    assert replay(played.game, played.setup, played.log) == played.states[-1]


@each_table
def test_a_match_ends_and_its_outcome_stands_only_at_the_end(name: str, seats: int) -> None:
    played = match(name, seats)
    game = played.game
    for state in played.states[:-1]:
        assert game.to_act(state)
        assert game.outcome(state) is None
    outcome = game.outcome(played.states[-1])
    assert game.to_act(played.states[-1]) == ()
    assert isinstance(outcome, Outcome)
    assert len(outcome.scores) == len(outcome.ranks) == seats
    assert len(outcome.details) in (0, seats)
    assert min(outcome.ranks) == 1
    assert all(rank == 1 + sum(other < rank for other in outcome.ranks) for rank in outcome.ranks), (
        "equal ranks share, the next one skips"
    )
    assert outcome.scores == game.standing(played.states[-1])
    for lines in outcome.details:
        assert [label for label, _ in lines] == [label for label, _ in outcome.details[0]], (
            "every seat has the same lines"
        )


@each_table
def test_chance_acts_alone_and_seats_are_those_of_the_match(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.states:
        awaited = played.game.to_act(state)
        assert awaited == (CHANCE,) or set(awaited) <= set(range(seats))
        assert len(set(awaited)) == len(awaited)


@each_table
def test_no_invariant_breaks_at_any_ply(name: str, seats: int) -> None:
    played = match(name, seats)
    for ply, state in enumerate(played.states):
        assert played.game.check(state) == (), f"ply {ply}"
        assert len(played.game.standing(state)) == seats


@each_table
def test_whoever_is_awaited_has_something_legal_to_do(name: str, seats: int) -> None:
    played = match(name, seats)
    for ply, state in enumerate(played.states):
        for seat in seats_to_act(played.game, state):
            assert legal_actions(played.game, state, seat), f"dead end at ply {ply}"


@each_table
def test_chance_has_distinct_outcomes_of_positive_whole_weight(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.states:
        if played.game.to_act(state) == (CHANCE,):
            outcomes = played.game.outcomes(state)
            assert outcomes
            assert len({action for action, _ in outcomes}) == len(outcomes)
            assert all(type(weight) is int and weight > 0 for _, weight in outcomes)
            assert all(isinstance(action, played.game.chance_actions) for action, _ in outcomes)


@each_table
def test_no_two_legal_actions_lead_to_the_same_state(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.sample(60):
        for seat in seats_to_act(played.game, state):
            actions = legal_actions(played.game, state, seat)
            assert len(set(actions)) == len(actions)
            reached = [(played.game.apply(state, seat, action), action) for action in actions]
            for (one, action), (other, another) in itertools.combinations(reached, 2):
                assert one != other, f"{action} and {another} lead to the same state"


@each_table
def test_the_list_has_the_same_order_every_time(name: str, seats: int) -> None:
    played = match(name, seats)
    again = replay(played.game, played.setup, played.log[: len(played.log) // 2])
    for seat in seats_to_act(played.game, again):
        assert legal_actions(played.game, again, seat) == legal_actions(
            played.game, played.states[len(played.log) // 2], seat
        )


@each_table
def test_an_action_of_another_moment_is_refused_with_a_sentence_or_is_listed(name: str, seats: int) -> None:
    """What the list does not have, in this or an equal form, is a violation: with a code, a rule of
    RULES.md and a sentence.
    """
    played = match(name, seats)
    rules = rule_numbers(name)
    luck = Random(f"{name}-{seats}")
    pool = sorted({entry.action for entry in played.log if entry.seat != CHANCE}, key=repr)
    for state in played.sample(60):
        for seat in seats_to_act(played.game, state):
            reached = [played.game.apply(state, seat, action) for action in legal_actions(played.game, state, seat)]
            for action in luck.sample(pool, min(12, len(pool))):
                refusal = judge(played.game, state, seat, action)
                if refusal is None:
                    assert played.game.apply(state, seat, action) in reached, (
                        f"{action} is allowed, but leads where no listed action leads"
                    )
                else:
                    assert_violation(refusal, rules)
                    assert_explained(played.game, refusal)


def assert_violation(violation: Violation, rules: set[str]) -> None:
    assert re.fullmatch(r"[a-z][a-z_]*", violation.code)
    assert violation.message.strip().endswith((".", "!"))
    assert violation.rule in rules, f"{violation.code} cites {violation.rule!r}, which RULES.md does not have"
    for other in violation.others:
        assert_violation(other, rules)


def assert_explained(game: AnyGame, refusal: Violation) -> None:
    """What is stored of a refusal is enough for its sentences, and each problem is told once."""
    told = [(each.code, each.rule, each.message) for each in (refusal, *refusal.others)]
    assert len(set(told)) == len(told)
    for each in (refusal, *refusal.others):
        stored = Problem(each.code, each.rule, json.loads(json.dumps(dict(each.values))))
        assert stored.values == each.values, "values are JSON"
        assert game.explain(stored) == each.message
        assert each.code not in COMMON, "this is the driver's question"


def rule_numbers(name: str) -> set[str]:
    return set(defined_rules(TOYS[name].__doc__ or "" if name in TOYS else registry.rules_text(name)))


def defined_rules(text: str) -> list[str]:
    """The numbers at the heads of lines, in their order."""
    return re.findall(r"^\W*([A-Z]\d+(?:\.\d+)*)\b", text, re.MULTILINE)


# What is written


@each_table
def test_every_legal_action_goes_through_notation_unchanged(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.states:
        for seat in seats_to_act(played.game, state):
            for action in legal_actions(played.game, state, seat):
                line = played.game.format(action)
                assert "\n" not in line
                assert played.game.parse(line) == (action,)
                assert played.game.parse(f"  {line.upper()} ") == (action,)


@each_game
@pytest.mark.parametrize("line", ["", "   ", "\t", "!", "xyzzy", "ß\u0000", "-" * 300, "place a farmer on the moon"])
def test_a_line_that_means_nothing_is_refused_where_it_stumbles(name: str, line: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAMES[name].parse(line)
    assert refused.value.line == line
    assert 0 <= refused.value.column <= len(line)
    assert refused.value.message


@each_table
def test_every_entry_goes_through_its_document_unchanged(name: str, seats: int) -> None:
    played = match(name, seats)
    for entry in played.log:
        kinds = played.game.chance_actions if entry.seat == CHANCE else played.game.actions
        assert isinstance(entry.action, kinds)
        assert from_document(type(entry.action), to_document(entry.action)) == entry.action


@each_table
def test_an_observation_fits_its_schema_and_is_read_again(name: str, seats: int) -> None:
    played = match(name, seats)
    definitions: dict[str, Any] = {}
    top = schema(played.game.observation, definitions, refs="#/$defs/")
    validator = Draft202012Validator({**top, "$defs": definitions})
    for state in played.sample(25):
        for viewer in viewers(seats):
            observation = played.game.observe(state, viewer)
            assert isinstance(observation, played.game.observation)
            document = to_document(observation)
            validator.validate(document)
            assert from_document(played.game.observation, document) == observation


@each_game
def test_actions_options_and_components_have_schemas(name: str) -> None:
    game = GAMES[name]
    definitions: dict[str, Any] = {}
    for kind in (*game.actions, *game.chance_actions, game.options, game.observation):
        Draft202012Validator.check_schema({**schema(kind, definitions, refs="#/$defs/"), "$defs": definitions})
    assert game.options() == from_document(game.options, {})
    assert isinstance(game.load_components(component_document(name)), game.components)


@each_game
def test_components_that_are_none_are_refused_by_pointer(name: str) -> None:
    for document in ({}, {"nonsense": 1}, {**component_document(name), "nonsense": 1}):
        with pytest.raises(DocumentError) as refused:
            GAMES[name].load_components(document)
        assert all(sentence for _, sentence in refused.value.problems)


@each_table
def test_a_finished_record_verifies(name: str, seats: int) -> None:
    record = finished_record(GAMES[name], component_document(name), seats, f"{name}-{seats}")
    assert verify(record, lambda name, _: GAMES[name]).plies == len(record.log)


# What is shown


def views(game: AnyGame, state: Any, viewer: Viewer, seats: int) -> dict[str, Any]:
    """Everything a viewer is shown of a state."""
    observation = game.observe(state, viewer)
    awaited = game.to_act(state)
    shown = {
        "observation": observation,
        "text": game.text(observation, names(seats)),
        "svg": zlib.crc32(game.svg(observation, names(seats)).encode()),
        "to act": awaited,
        "prompts": tuple(game.prompt(state, seat) for seat in awaited if seat != CHANCE),
    }
    if viewer is not SPECTATOR and viewer in awaited:
        shown["legal"] = legal_actions(game, state, viewer)
        shown["greedy"] = greedy(game, state, viewer)
    return shown


@dataclass(frozen=True, slots=True)
class Twin:
    """A state that the viewer cannot tell from the true one, and where it parted."""

    viewer: Viewer
    state: Any
    parted: int


def could_be(game: AnyGame, state: Any, entry: Entry[Any]) -> bool:
    """Whether the entry could happen in this state as well."""
    if entry.seat == CHANCE:
        return game.to_act(state) == (CHANCE,) and any(action == entry.action for action, _ in game.outcomes(state))
    return judge(game, state, entry.seat, entry.action) is None


def otherwise(game: AnyGame, state: Any, entry: Entry[Any], luck: Random) -> Any | None:
    """Another action that could have happened in place of the entry, as far as those know to whom
    it is concealed.
    """
    if entry.seat == CHANCE:
        others = [action for action, _ in game.outcomes(state) if action != entry.action]
    else:
        others = [action for action in legal_actions(game, state, entry.seat) if action != entry.action]
    return luck.choice(others) if others else None


@each_table
def test_states_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it(name: str, seats: int) -> None:
    """At each concealed entry a twin of the match parts from it: something else happened.

    As long as what follows could happen in the twin as well, whoever the entry was concealed from
    is shown and told the same of both.
    """
    played = match(name, seats)
    game, luck = played.game, Random(f"{name}-{seats}")
    twins: list[Twin] = []
    compared = 0
    for ply, before, entry, after in played.plies():
        if not game.to_act(after):
            break  # the end of the match uncovers everything
        following = []
        for twin in twins:
            if could_be(game, twin.state, entry):
                reached = game.apply(twin.state, entry.seat, entry.action)
                told = [
                    game.narrate(one, entry.seat, entry.action, other, twin.viewer, names(seats))
                    for one, other in ((before, after), (twin.state, reached))
                ]
                assert told[0] == told[1], f"ply {ply} as told to {twin.viewer}, parted at {twin.parted}"
                following.append(dataclasses.replace(twin, state=reached))
        for viewer in viewers(seats):
            other = (
                otherwise(game, before, entry, luck)
                if game.seen(before, entry.seat, entry.action, viewer) is None
                else None
            )
            if other is not None and game.seen(before, entry.seat, other, viewer) is None:
                reached = game.apply(before, entry.seat, other)
                told = [
                    game.narrate(before, entry.seat, entry.action, after, viewer, names(seats)),
                    game.narrate(before, entry.seat, other, reached, viewer, names(seats)),
                ]
                assert told[0] == told[1], f"ply {ply} as told to {viewer}"
                following.append(Twin(viewer, reached, ply))
        for twin in following:
            true, false = views(game, after, twin.viewer, seats), views(game, twin.state, twin.viewer, seats)
            for part in true:
                assert true[part] == false[part], (
                    f"{part} at ply {ply} as shown to {twin.viewer}, parted at {twin.parted}"
                )
            compared += 1
            assert_actions_show_nothing(game, after, twin, true.get("legal", ()), luck)
        twins = luck.sample(following, min(len(following), 6))
    if any(game.seen(before, entry.seat, entry.action, SPECTATOR) is None for _, before, entry, _ in played.plies()):
        assert compared > 50


def assert_actions_show_nothing(game: AnyGame, state: Any, twin: Twin, legal: tuple[Any, ...], luck: Random) -> None:
    """An action by itself uncovers nothing to the seat that does it: else a preview would be a free
    look.
    """
    assert twin.viewer is not SPECTATOR or not legal
    for action in luck.sample(legal, min(2, len(legal))):
        seat = twin.viewer or 0
        one, other = game.apply(state, seat, action), game.apply(twin.state, seat, action)
        if game.to_act(one):
            assert game.observe(one, seat) == game.observe(other, seat), (
                f"{action} shows seat {seat} what it may not know"
            )


@each_table
def test_an_entry_of_ones_own_is_never_concealed_from_oneself(name: str, seats: int) -> None:
    played = match(name, seats)
    for _, before, entry, _ in played.plies():
        if entry.seat != CHANCE:
            assert played.game.seen(before, entry.seat, entry.action, entry.seat) == entry.action


@each_table
def test_what_is_concealed_from_a_seat_that_is_still_awaited_leaves_its_turn_fresh(name: str, seats: int) -> None:
    played = match(name, seats)
    game = played.game
    for step in walk(game, played.states[0], 0, played.log, None):
        _, before, entry, after = step
        for seat in set(seats_to_act(game, before)) & set(seats_to_act(game, after)):
            if game.seen(before, entry.seat, entry.action, seat) is None:
                assert still_fresh(game, [step], seat), f"ply {step.ply} changes what seat {seat} is shown"


@each_table
def test_the_end_uncovers_the_same_to_everybody(name: str, seats: int) -> None:
    played = match(name, seats)
    found = [to_document(played.game.observe(played.states[-1], viewer)) for viewer in viewers(seats)]
    for observation in found:
        observation.pop("viewer", None)
    assert all(observation == found[0] for observation in found)


@each_table
def test_prompts_are_short_sentence_parts(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.states:
        for seat in seats_to_act(played.game, state):
            prompt = played.game.prompt(state, seat)
            assert prompt
            assert "\n" not in prompt
            assert not prompt.endswith(".")


@each_table
def test_every_entry_is_told_in_sentences_without_hidden_names(name: str, seats: int) -> None:
    played = match(name, seats)
    for ply, before, entry, after in played.plies():
        for viewer in viewers(seats):
            told = played.game.narrate(before, entry.seat, entry.action, after, viewer, names(seats))
            assert not told or told.endswith((".", "!")), f"ply {ply}: {told!r}"
            assert told == told.strip()


@each_table
def test_the_text_board_fits_78_columns_of_a_mail(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.sample(40):
        for viewer in viewers(seats):
            text = played.game.text(played.game.observe(state, viewer), names(seats))
            assert max(map(len, text.splitlines())) <= 78, text
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)


@each_table
def test_the_picture_is_a_whole_svg_with_title_and_description(name: str, seats: int) -> None:
    played = match(name, seats)
    space = "{http://www.w3.org/2000/svg}"
    for state in played.sample(10):
        for viewer in viewers(seats):
            picture = played.game.svg(played.game.observe(state, viewer), names(seats))
            root = ElementTree.fromstring(picture)
            assert root.tag == f"{space}svg"
            assert root.get("viewBox")
            for part in ("title", "desc"):
                found = root.find(f"{space}{part}")
                assert found is not None
                assert (found.text or "").strip()
            for element in root.iter():
                for attribute, value in element.attrib.items():
                    if attribute.endswith("href"):
                        assert value.startswith("#"), "a standalone picture loads nothing"
            fonts = set(re.findall(r'font-family="([^"]*)"', picture))
            assert all(html.unescape(font).split(",")[0].strip("'\" ") == "DejaVu Sans" for font in fonts), fonts


# What it is made of


@each_game
def test_the_catalogue_entry_is_filled_in(name: str) -> None:
    info = GAMES[name].info
    assert info.name == name
    assert all((info.title, info.summary, info.credits, info.notation))
    assert info.rules_version >= 1
    assert tuple(sorted(set(info.seats))) == info.seats
    assert len(set(info.seat_colours)) == len(info.seat_colours) >= max(info.seats)


@each_game
def test_types_without_end_are_among_those_of_the_seats(name: str) -> None:
    assert set(GAMES[name].unbounded) <= set(GAMES[name].actions)


@each_game
def test_action_types_have_a_discriminator_and_a_sentence_each(name: str) -> None:
    game = GAMES[name]
    kinds = (*game.actions, *game.chance_actions)
    assert len({kind.type for kind in kinds}) == len(kinds)
    for kind in kinds:
        assert get_origin(get_type_hints(kind)["type"]) is ClassVar
        assert re.fullmatch(r"[a-z][a-z_]*", kind.type)
        assert (kind.__doc__ or "").strip().endswith(".")


@each_table
def test_everything_is_frozen_and_slotted(name: str, seats: int) -> None:
    played = match(name, seats)
    game = played.game
    values = [*played.sample(5), *(entry.action for entry in played.log), game.options(), played.setup.components]
    values += [game.observe(state, viewer) for state in played.sample(3) for viewer in viewers(seats)]
    for kind in {type(part) for value in values for part in parts(value) if dataclasses.is_dataclass(part)}:
        assert getattr(kind, "__dataclass_params__").frozen, kind  # noqa: B009
        assert "__slots__" in vars(kind), kind
    assert len({entry.action for entry in played.log}) > 1, "actions can be hashed"


def parts(value: Any) -> Iterator[Any]:
    """The value and everything in it."""
    yield value
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from parts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from parts(item)
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from parts(item)


@each_table
def test_a_state_is_made_of_values_that_cannot_change(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.sample(5):
        for part in parts(state):
            assert not isinstance(part, list | set | bytearray), part


@each_table
def test_bots_value_every_seat_at_every_moment(name: str, seats: int) -> None:
    played = match(name, seats)
    for state in played.sample(30):
        for seat in range(seats):
            worth = played.game.evaluate(state, seat)
            assert worth == worth, "not a number"
            assert abs(worth) < 1e9


FOLDER = Path(engine.games.__file__).parent
SAME_FILES = {
    "__init__.py",
    "RULES.md",
    "components.py",
    "state.py",
    "actions.py",
    "setup.py",
    "legal.py",
    "chance.py",
    "apply.py",
    "score.py",
}
SAME_FILES |= {"observe.py", "notation.py", "narrate.py", "render.py", "standard.json"}


@each_registered_game
def test_a_game_has_the_files_that_every_game_has(name: str) -> None:
    assert {file.name for file in (FOLDER / name).iterdir()} >= SAME_FILES


@each_registered_game
def test_the_rules_are_numbered_and_no_number_is_given_twice(name: str) -> None:
    defined = defined_rules(registry.rules_text(name))
    assert len(defined) > 10
    assert len(set(defined)) == len(defined)


@each_registered_game
def test_rules_that_the_code_cites_exist(name: str) -> None:
    numbers = rule_numbers(name)
    for file in sorted((FOLDER / name).glob("*.py")):
        for cited in re.findall(r"\b(R\d+(?:\.\d+)*)\b", file.read_text(encoding="utf-8")):
            assert any(number == cited or number.startswith(f"{cited}.") for number in numbers), (
                f"{file.name} cites {cited}"
            )


@each_registered_game
def test_every_rule_is_cited_by_a_test(name: str) -> None:
    tests = Path(__file__).parent / name
    written = "\n".join(file.read_text(encoding="utf-8") for file in sorted(tests.rglob("test_*.py")))
    missing = sorted(number for number in rule_numbers(name) if not re.search(rf"\b{number}\b(?!\.\d)", written))
    assert not missing, f"no test names {', '.join(missing)}"


@each_registered_game
def test_every_component_set_loads_and_says_where_its_values_come_from(name: str) -> None:
    for which in registry.component_sets(name):
        assert isinstance(registry.components(name, which), GAMES[name].components)
        text = str(registry.component_document(name, which))
        assert re.search("rulebook|reported|reconstructed", text)


def test_there_is_a_game_to_test() -> None:
    assert registry.games()


def test_the_hidden_test_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would not miss a game that shows a hidden draw, in the picture alone."""

    def leaky(state: Any, viewer: Viewer) -> Any:
        return dataclasses.replace(toy.observe(state, viewer), bag=sum(state.bag) + 100 * state.bag[0])

    monkeypatch.setitem(GAMES, "pearls", dataclasses.replace(toy.GAME, observe=leaky))
    match.cache_clear()
    with pytest.raises(AssertionError, match="at ply"):
        test_states_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it("pearls", 2)
    match.cache_clear()
