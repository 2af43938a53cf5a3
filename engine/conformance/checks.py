"""Lists all checks and runs them one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from engine.conformance import components, course, grammar, marking, showing, values
from engine.conformance.subject import PlayedMatch, Subject, play

GameCheck: TypeAlias = Callable[[Subject], Iterator[str]]
MatchCheck: TypeAlias = Callable[[PlayedMatch], Iterator[str]]

GAME_CHECKS: tuple[GameCheck, ...] = (
    values.the_catalogue_entry_is_complete,
    values.rules_have_unique_numbers,
    values.rules_cited_in_the_code_exist,
    values.action_types_have_a_discriminator_and_a_docstring,
    values.every_declared_type_has_a_schema,
    values.every_option_has_words,
    values.unreadable_lines_are_refused_with_a_column,
    values.invalid_component_documents_are_refused,
    components.component_sets_load_and_state_their_provenance,
    components.accepted_component_sets_can_be_played_to_the_end,
    grammar.the_grammar_is_finite_and_its_actions_have_documents,
    grammar.fields_and_values_of_actions_have_words,
    course.the_greedy_bot_beats_random_bots,
)
"""The checks that are run once for a game."""

MATCH_CHECKS: tuple[MatchCheck, ...] = (
    course.a_replay_gives_the_same_state,
    course.an_outcome_exists_only_at_the_end,
    course.awaited_seats_are_seats_of_the_match_or_only_chance,
    course.outcomes_of_chance_are_distinct_with_positive_integer_weights,
    course.invariants_hold_at_every_ply,
    course.every_awaited_seat_has_a_legal_action,
    course.no_two_legal_actions_lead_to_the_same_state,
    course.the_list_of_legal_actions_is_deterministic,
    course.unlisted_actions_are_refused_with_a_rule_and_a_sentence,
    course.a_finished_record_can_be_verified,
    grammar.every_legal_action_is_in_the_grammar,
    grammar.the_list_of_legal_actions_agrees_with_brute_force,
    values.actions_are_equal_after_format_and_parse,
    values.entries_are_equal_after_writing_and_reading,
    values.observations_are_equal_after_writing_and_reading,
    showing.hidden_information_does_not_change_what_a_viewer_is_shown,
    showing.a_seat_is_shown_its_own_entries,
    showing.concealed_entries_leave_the_turn_of_an_awaited_seat_fresh,
    showing.all_viewers_are_shown_the_same_at_the_end,
    showing.prompts_are_codes_with_whole_sentences,
    showing.endings_are_codes_with_whole_sentences,
    showing.narration_consists_of_whole_sentences,
    showing.what_is_shown_is_text_without_control_characters,
    showing.the_text_board_has_at_most_78_columns,
    showing.the_picture_is_a_standalone_svg_with_title_and_description,
    marking.no_two_legal_actions_have_the_same_bag_of_values,
    marking.pictures_mark_what_the_viewer_may_choose_and_nothing_else,
    marking.ids_in_pictures_begin_with_the_name_of_the_game,
    values.dataclasses_are_frozen_and_slotted,
    values.states_contain_no_mutable_values,
    values.evaluate_gives_a_finite_number_for_every_seat,
)
"""The checks that are run over every match."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The title of a check and its first findings; none where the game passes."""

    check: str
    findings: tuple[str, ...]


def results(subject: Subject, matches: int, most: int = 3) -> Iterator[CheckResult]:
    """Runs every check: those of a game once, those of a match over ``matches`` matches for each
    number of seats. Returns at most ``most`` findings each. An exception in a check is a finding.
    """
    yield from (CheckResult(title(check), tuple(islice(_caught(check(subject)), most))) for check in GAME_CHECKS)
    played: list[PlayedMatch] = []
    stuck: list[str] = []
    for seats in subject.game.info.seats:
        for number in range(matches):
            stuck += _caught(_kept(subject, seats, number, played))
    yield CheckResult(f"{matches * len(subject.game.info.seats)} matches are played to the end", tuple(stuck[:most]))
    yield from (CheckResult(title(each), tuple(islice(_of_matches(each, played), most))) for each in MATCH_CHECKS)


def title(check: GameCheck | MatchCheck) -> str:
    """The name of a check, in words."""
    return check.__name__.replace("_", " ")


def where(match: PlayedMatch) -> str:
    """Names a match by its number of seats and its number, with which it can be played again."""
    return f"{match.seats} seat{'' if match.seats == 1 else 's'}, match {match.number}"


def _kept(subject: Subject, seats: int, number: int, played: list[PlayedMatch]) -> Iterator[str]:
    """Plays a match and appends it to ``played``; yields no findings."""
    played.append(play(subject, seats, number))
    yield from ()


def _of_matches(check: MatchCheck, matches: Iterable[PlayedMatch]) -> Iterator[str]:
    for match in matches:
        yield from (f"{where(match)}, {finding}" for finding in _caught(check(match)))


def _caught(findings: Iterator[str]) -> Iterator[str]:
    try:
        yield from findings
    except (Exception, SystemExit) as error:  # whatever the game raises is a finding
        last: Any = error.__traceback__
        while last.tb_next is not None:
            last = last.tb_next
        yield f"{type(error).__name__}: {error} ({last.tb_frame.f_code.co_filename}, line {last.tb_lineno})"
