"""Lists all checks and runs them one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import TypeAlias

from engine.conformance import bots, brute_force, components, course, hidden, showing, values, writing
from engine.conformance.subject import Match, Subject, play

OfAGame: TypeAlias = Callable[[Subject], Iterator[str]]
OfAMatch: TypeAlias = Callable[[Match], Iterator[str]]

OF_A_GAME: tuple[OfAGame, ...] = (
    values.the_catalogue_entry_is_filled_in,
    values.the_rules_are_numbered_and_no_number_is_given_twice,
    values.rules_that_the_code_cites_exist,
    values.action_types_have_a_discriminator_and_a_sentence_each,
    writing.every_type_of_the_game_has_a_schema,
    writing.a_line_that_means_nothing_is_refused_where_it_stumbles,
    writing.components_that_are_none_are_refused_by_pointer,
    components.every_component_set_loads_and_says_where_its_values_come_from,
    components.whatever_set_is_accepted_can_be_played_to_the_end,
    brute_force.the_grammar_is_finite_and_each_of_its_actions_has_a_document,
    bots.looking_ahead_beats_chance,
)
"""The checks that are run once for a game."""

OF_A_MATCH: tuple[OfAMatch, ...] = (
    course.a_replay_gives_the_same_state,
    course.a_match_ends_and_its_outcome_stands_only_at_the_end,
    course.chance_acts_alone_and_seats_are_those_of_the_match,
    course.chance_has_distinct_outcomes_of_positive_whole_weight,
    course.no_invariant_breaks_at_any_ply,
    course.whoever_is_awaited_has_something_legal_to_do,
    course.no_two_legal_actions_lead_to_the_same_state,
    course.the_list_has_the_same_order_every_time,
    course.an_action_of_another_moment_is_refused_with_a_sentence_or_is_listed,
    course.a_finished_record_verifies,
    brute_force.the_grammar_holds_whatever_is_legal,
    brute_force.the_list_is_what_brute_force_finds,
    writing.every_legal_action_goes_through_notation_unchanged,
    writing.every_entry_goes_through_its_document_unchanged,
    writing.an_observation_is_read_again_unchanged,
    hidden.what_a_seat_may_not_know_makes_no_difference_to_what_it_is_shown,
    hidden.an_entry_of_ones_own_is_never_concealed_from_oneself,
    hidden.what_is_concealed_from_a_seat_that_is_still_awaited_leaves_its_turn_fresh,
    hidden.the_end_uncovers_the_same_to_everybody,
    showing.prompts_are_short_sentence_parts,
    showing.every_entry_is_told_in_sentences,
    showing.the_text_board_fits_78_columns_of_a_mail,
    showing.the_picture_is_a_whole_svg_with_title_and_description,
    values.everything_is_frozen_and_slotted,
    values.a_state_is_made_of_values_that_cannot_change,
    values.bots_value_every_seat_at_every_moment,
)
"""The checks that are run over every match."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a check: its title and the first findings; a game passes a check without
    findings.
    """

    check: str
    findings: tuple[str, ...]


def results(subject: Subject, matches: int, most: int = 3) -> Iterator[Result]:
    """Runs every check: those of a game once, those of a match over ``matches`` matches for each
    number of seats. Gives at most ``most`` findings each. An exception in a check is a finding.
    """
    for check in OF_A_GAME:
        yield Result(title(check), tuple(islice(_caught(check(subject)), most)))
    played: list[Match] = []
    stuck: list[str] = []
    for seats in subject.game.info.seats:
        for number in range(matches):
            stuck += _caught(_kept(subject, seats, number, played))
    yield Result(f"{matches * len(subject.game.info.seats)} matches are played to the end", tuple(stuck[:most]))
    for found in OF_A_MATCH:
        yield Result(title(found), tuple(islice(_of_matches(found, played), most)))


def title(check: OfAGame | OfAMatch) -> str:
    """The name of a check, in words."""
    return check.__name__.replace("_", " ")


def where(match: Match) -> str:
    """Names a match by its number of seats and its number, with which it can be played again."""
    return f"{match.seats} seat{'' if match.seats == 1 else 's'}, match {match.number}"


def _kept(subject: Subject, seats: int, number: int, played: list[Match]) -> Iterator[str]:
    """Plays a match and appends it to ``played``; yields no findings."""
    played.append(play(subject, seats, number))
    yield from ()


def _of_matches(check: OfAMatch, matches: Iterable[Match]) -> Iterator[str]:
    for match in matches:
        yield from (f"{where(match)}, {finding}" for finding in _caught(check(match)))


def _caught(findings: Iterator[str]) -> Iterator[str]:
    try:
        yield from findings
    except Exception as error:  # any error of the game is a finding
        yield f"{type(error).__name__}: {error}{_at(error.__traceback__)}"


def _at(traceback: TracebackType | None) -> str:
    """The file and line at which an exception was raised."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f" ({traceback.tb_frame.f_code.co_filename}, line {traceback.tb_lineno})" if traceback is not None else ""
