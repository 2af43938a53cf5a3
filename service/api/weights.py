"""What a request of each operation and page costs of a caller's budgets: 1 is about 2 ms.

Reads and turns have budgets of their own, so that whoever has read too much can still play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Budget(Enum):
    """What a request is counted as: asking, submitting a turn, or changing something else."""

    READS = "reads"
    TURNS = "turns"
    CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class Weight:
    """The cost of a request: ``cost`` in any case, ``afresh`` in addition where the answer was not
    kept (``service.api.etags``).
    """

    budget: Budget
    cost: int = 1
    afresh: int = 0


UNLIMITED: Final = ("health.get_health", "health.get_readiness", "metrics")
OF_NOTHING: Final = Weight(Budget.READS)
"""Of an address that leads nowhere."""

_READS: Mapping[Weight, tuple[str, ...]] = {
    Weight(Budget.READS): (
        "addresses.list_addresses",
        "awaiting.list_awaiting",
        "blocks.list_blocks",
        "chat.get_chat",
        "chat.get_note",
        "days_off.list_days_off",
        "games.get_game",
        "games.get_game_components",
        "games.get_game_rules",
        "games.list_games",
        "mails.list_mails",
        "matches.get_match",
        "matches.get_match_components",
        "matches.get_match_profiles",
        "offers.list_offers",
        "players.get_me",
        "preferences.get_match_preferences",
        "preferences.get_preferences",
        "tokens.list_tokens",
        "turns.get_turn",
        "web.ask_confirm_address",
        "web.ask_confirmation",
        "web.ask_never_again",
        "web.ask_sign_in",
        "web.ask_undo_address",
        "web.ask_unsubscribe",
        "web.docs",
        "web.list_mails",
        "web.list_mails_as_json",
        "web.picture_of_rules",
        "web.problems",
        "web.show_mail",
        "web.show_mail_html",
        "web.show_mail_source",
        "web.show_order",
        "web.start",
        "web.static",
    ),
    Weight(Budget.READS, 2): (
        "games.get_game_turn_schema",
        "matches.list_matches",
        "openapi",
        "turns.list_turns",
        "web.calendar",
        "web.rules_of_game",
    ),
    Weight(Budget.READS, 4): ("turns.list_legal_actions", "turns.list_legal_actions_after", "web.match"),
    Weight(Budget.READS, 1, afresh=2): ("boards.get_board_text", "observation.get_observation"),
    Weight(Budget.READS, 1, afresh=4): ("boards.get_board_svg", "web.board_of_match"),
    Weight(Budget.READS, 1, afresh=8): ("log.get_log",),
    Weight(Budget.READS, 1, afresh=20): ("boards.get_board_png",),
    Weight(Budget.READS, 1, afresh=40): ("log.get_record",),
}
_TURNS: Mapping[Weight, tuple[str, ...]] = {Weight(Budget.TURNS): ("turns.submit_turn", "web.play_in_match")}
_CHANGES: Mapping[Weight, tuple[str, ...]] = {
    Weight(Budget.CHANGES): (
        "addresses.add_address",
        "addresses.confirm_address",
        "addresses.make_address_primary",
        "addresses.remove_address",
        "blocks.block",
        "blocks.unblock",
        "calendar.end_calendar",
        "calendar.renew_calendar",
        "chat.put_note",
        "chat.say",
        "days_off.declare_days_off",
        "days_off.end_days_off",
        "mails.send_mail_again",
        "matches.come_back",
        "matches.create_match",
        "matches.join_match",
        "matches.leave_match",
        "matches.reopen_match",
        "matches.resign_match",
        "matches.start_match",
        "offers.accept_offer",
        "offers.decline_offer",
        "offers.make_offer",
        "offers.resume_match",
        "offers.withdraw_offer",
        "players.confirm_player",
        "players.sign_up",
        "preferences.change_match_preferences",
        "preferences.change_preferences",
        "preferences.forget_match_preferences",
        "tokens.issue_token",
        "tokens.revoke_token",
        "web.carry_out_order",
        "web.confirm",
        "web.confirm_address",
        "web.keep_time_in_match",
        "web.never_again",
        "web.offer_in_match",
        "web.say_in_match",
        "web.seat_in_match",
        "web.sign_in",
        "web.sign_out",
        "web.undo_address",
        "web.unsubscribe",
    ),
}
WEIGHTS: Final[Mapping[str, Weight]] = {
    endpoint: weight
    for group in (_READS, _TURNS, _CHANGES)
    for weight, endpoints in group.items()
    for endpoint in endpoints
}
"""By endpoint."""
