"""Every kind of problem that the API answers; `/docs/problems` is generated from this."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem, as `/docs/problems` explains it."""

    code: str
    status: int
    title: str
    explanation: str


KINDS = {
    kind.code: kind
    for kind in (
        Kind(
            "malformed_json",
            400,
            "The body is not JSON",
            "The body could not be read as JSON in UTF-8. `detail` says where the reading stopped.",
        ),
        Kind(
            "bad_request",
            400,
            "The request cannot be read",
            "The request as a whole is not what HTTP allows, for instance a broken header.",
        ),
        Kind(
            "unauthorized",
            401,
            "A token is needed",
            "Send `Authorization: Bearer ovl_…`. Sign up at `POST /v1/players` to get a token by mail.",
        ),
        Kind(
            "unknown_token",
            401,
            "The token is not valid",
            "The token in the Authorization header was never issued, or has been revoked.",
        ),
        Kind(
            "forbidden",
            403,
            "Not allowed",
            "The token is valid, but you may not do this: the seat is not yours, or somebody else created the match.",
        ),
        Kind(
            "not_seated",
            403,
            "You have no seat here",
            "Only players with a seat in the match can act in it. Spectators can look, even without a token.",
        ),
        Kind("not_your_seat", 403, "The seat is somebody else's", "Leave `seat` out, or name your own."),
        Kind("seat_kept", 403, "The seat is kept", "The seat is kept for somebody who is invited; take another."),
        Kind("not_the_creator", 403, "Not your match", "Only the player who created the match may do this."),
        Kind(
            "address_not_confirmed",
            403,
            "Confirm your address first",
            "Send the token from the mail to `POST /v1/players/confirm`.",
        ),
        Kind(
            "missing_scope",
            403,
            "The token does not allow this",
            "The token lacks a scope. `scope` names it; issue another token at `POST /v1/tokens`, or sign in again:"
            " a token issues none with scopes that it lacks itself.",
        ),
        Kind(
            "proof_needed",
            403,
            "Sign in by mail first",
            "What gives access to your account is changed only with a token that you got by mail at most 15 minutes"
            " ago: sign in at `POST /v1/players` with your address, and `POST /v1/players/confirm`.",
        ),
        Kind(
            "not_found",
            404,
            "There is nothing here",
            "No resource has this address, or you may not know that it exists.",
        ),
        Kind("match_not_found", 404, "No such match", "No match has this id."),
        Kind(
            "turn_not_found",
            404,
            "No such turn",
            "You have submitted no turn with this id to this match. Turns are shown only to their submitter.",
        ),
        Kind(
            "token_not_found", 404, "No such token", "You have no token with this id; the id is not the token itself."
        ),
        Kind("mail_not_found", 404, "No such mail", "You were written no mail with this id, or it was deleted since."),
        Kind("nobody_there", 404, "Nobody has this seat", "Only a player who has a seat can be blocked by it."),
        Kind("not_blocked", 404, "Not blocked", "You have blocked no player with this id; see `GET /v1/me/blocks`."),
        Kind(
            "confirmation_not_found",
            404,
            "The token from the mail is not known",
            "Copy all of it, or sign up again with the same address.",
        ),
        Kind(
            "method_not_allowed",
            405,
            "The method is not allowed here",
            "The `Allow` header lists the methods this address understands.",
        ),
        Kind(
            "not_acceptable", 406, "No such representation", "This address cannot answer in the media type asked for."
        ),
        Kind(
            "conflict",
            409,
            "Not possible in the present state",
            "The request is valid, but not possible in the present state of the resource.",
        ),
        Kind(
            "stale_ply",
            409,
            "The match has moved on",
            "The turn answers the `ply` it names, but the match is at `current_ply`. `changes` lists what has"
            " happened since; look at the observation and submit again.",
        ),
        Kind(
            "idempotency_key_reused",
            409,
            "The idempotency key was used for another turn",
            "The same Idempotency-Key came with another body. Use a new key for every new turn; repeat a key only to"
            " repeat the same request.",
        ),
        Kind(
            "turn_waiting",
            409,
            "A turn of your seat waits for its verdict",
            "A seat may have one turn without a verdict in a match. Wait for that verdict, then submit the next turn.",
        ),
        Kind(
            "calendar_not_found",
            404,
            "There is no such calendar",
            "Its address was renewed or ended. POST /v1/me/calendar gives a new one.",
        ),
        Kind(
            "days_off_not_found", 404, "There are no such days off", "They are over, were taken back, or are not yours."
        ),
        Kind(
            "days_off_overlap",
            409,
            "You have days off then",
            "Days off cannot overlap. End those that you have, or choose another time.",
        ),
        Kind(
            "days_off_short",
            409,
            "You have fewer days off",
            "Everybody has 7 days off to begin with, one more for every 12 days, at most 30.",
        ),
        Kind(
            "no_clock",
            409,
            "The match has no clock",
            "Offer pauses and time only in matches that have a clock.",
        ),
        Kind(
            "offer_open",
            409,
            "There is an open offer of that kind",
            "Accept, decline or withdraw it first.",
        ),
        Kind(
            "offer_settled",
            409,
            "The offer is settled",
            "It was accepted, declined or withdrawn, or it has lapsed. Make another one.",
        ),
        Kind(
            "paused",
            409,
            "The match is paused already",
            "Wait for its end, or end it.",
        ),
        Kind(
            "not_paused",
            409,
            "The match is not paused",
            "There is no pause to be ended.",
        ),
        Kind(
            "not_awaited",
            409,
            "No clock runs there",
            "Only the time of a seat for which the match waits can be extended.",
        ),
        Kind(
            "offer_not_found",
            404,
            "No such offer",
            "List the offers of the match.",
        ),
        Kind(
            "not_asked",
            403,
            "You are not asked",
            "An offer is answered by the other players of the match, and withdrawn by who has made it.",
        ),
        Kind(
            "seat_gone",
            409,
            "A bot keeps your seat",
            "Your time was up, and by the rules of this match the bot that plays your seat keeps it.",
        ),
        Kind(
            "request_timeout",
            408,
            "The request did not arrive in time",
            "The header has to be complete within 10 seconds, the body within 20 more.",
        ),
        Kind(
            "match_not_started",
            409,
            "The match has not started",
            "There is nothing to see yet: seats are still free, or it was cancelled before it started.",
        ),
        Kind(
            "match_not_running", 409, "The match is not running", "It has not started, or was cancelled before it did."
        ),
        Kind(
            "match_not_open",
            409,
            "The match is not open",
            "Joining, leaving and starting are possible only before the match starts.",
        ),
        Kind(
            "too_many_open_matches",
            409,
            "Too many of your matches wait for players",
            "A player has at most five matches that wait for players. Wait until one starts, or leave it.",
        ),
        Kind("seat_held", 409, "A bot plays your seat", "Take it back first: POST /v1/matches/{match}/back."),
        Kind(
            "nobody_away",
            409,
            "Nobody has left the match",
            "Only a match in which a bot holds the seat of another player can end as abandoned.",
        ),
        Kind("asked_lately", 409, "That was asked lately", "Ask again three days after the last time."),
        Kind("match_over", 409, "The match is over", "No more turns are accepted. The record holds the whole match."),
        Kind("resigned", 409, "You have resigned", "A bot plays your seat now."),
        Kind(
            "mail_unwanted",
            409,
            "The owner of the address wants no mail",
            "Whoever owns the address has asked not to be written to from here. Leave the seat open instead.",
        ),
        Kind("already_seated", 409, "You already have a seat here", "Nobody can hold two seats in a match."),
        Kind(
            "seat_taken",
            409,
            "The seat is taken",
            "Take another, or leave `seat` out to get the first that is open to you.",
        ),
        Kind("no_seat_open", 409, "No seat is open to you", "All seats are taken, or kept for others who are invited."),
        Kind("seats_free", 409, "Seats are still free", "The match starts by itself when they are taken."),
        Kind(
            "confirmation_used",
            409,
            "The token from the mail has been used",
            "It works once. Sign up again with the same address to get another.",
        ),
        Kind(
            "confirmation_expired",
            409,
            "The token from the mail is too old",
            "Sign up again with the same address to get another.",
        ),
        Kind("match_cancelled", 409, "The match was cancelled", "It never started, and nobody is told anything of it."),
        Kind(
            "kind_always_sent", 409, "Mails of this kind are not stopped", "They are sent only when you ask for them."
        ),
        Kind("mail_waits", 409, "The mail waits", "It has not been sent yet; `GET /v1/me/mails` says why."),
        Kind(
            "mail_not_kept",
            409,
            "The mail is not kept",
            "It had a token that works once. Ask for a new one: sign up again with the same address.",
        ),
        Kind("too_many_blocks", 409, "You have blocked too many players", "Unblock one before you block another."),
        Kind("address_not_found", 404, "No such address", "You have no such address; see `GET /v1/me/addresses`."),
        Kind(
            "address_taken",
            409,
            "The address is another player's",
            "Only one player can confirm an address. Sign in with it, and remove it there first.",
        ),
        Kind("address_unconfirmed", 409, "The address is not confirmed", "Confirm it with the code mailed to it."),
        Kind("primary_address", 409, "Your mails go to this address", "Make another one primary before you remove it."),
        Kind("too_many_addresses", 409, "You have too many addresses", "Remove an address before you add another."),
        Kind(
            "too_many_mails_to",
            409,
            "The address was sent too many mails",
            "An address is asked at most three times a day to be confirmed. Ask again tomorrow.",
        ),
        Kind("too_many_tokens", 409, "You have too many tokens", "Revoke a token before you issue another."),
        Kind(
            "rules_version_missing",
            409,
            "The rules of the match are missing",
            "The match began under a version of the rules that this service no longer has.",
        ),
        Kind(
            "body_too_large",
            413,
            "The body is too large",
            "A body may have at most 64 kB, that of a new match 256 kB; a turn needs a few hundred bytes.",
        ),
        Kind("uri_too_long", 414, "The address is too long", "Shorten the query."),
        Kind(
            "unsupported_media_type",
            415,
            "The body must be JSON",
            "Send the body with `Content-Type: application/json`.",
        ),
        Kind(
            "invalid",
            422,
            "The request does not fit the schema",
            "`errors` names every problem: a JSON pointer into the body, a parameter or a header.",
        ),
        Kind(
            "notation_error",
            422,
            "The notation cannot be read",
            "In `errors`: `line` as it was read, `column` (0-based) where parsing failed, `expected` there.",
        ),
        Kind(
            "behind_a_draw",
            422,
            "What follows a draw is unknown",
            "Ask what is legal for a prefix that ends before the first draw.",
        ),
        Kind(
            "turn_rejected",
            422,
            "The turn is not legal",
            "The game refuses the turn. `code` and `rule` are the game's own, `errors` points at the action, `others`"
            " names further rules broken, `legal` lists what would have been legal there (`legal_total` counts all of"
            " it), and `turn` is the turn resource with its verdict, without these two.",
        ),
        Kind("too_many_requests", 429, "Too many requests", "Wait for the seconds in `Retry-After`, then ask again."),
        Kind(
            "too_many_invitations",
            429,
            "Too many invitations",
            "You may invite ten times a day, and one address is invited three times a day at most, by all players"
            " together. Days begin at midnight UTC; `Retry-After` says when. Leave the seats open meanwhile.",
        ),
        Kind(
            "internal_error",
            500,
            "Something went wrong on our side",
            "It is logged under the request id in `instance`; nothing was left half done.",
        ),
        Kind(
            "temporarily_unavailable",
            503,
            "The database cannot be used just now",
            "It is locked, full, restarting or unreachable. Ask again after `Retry-After` seconds: a turn with the"
            " same `Idempotency-Key` is accepted once.",
        ),
        Kind(
            "match_unreadable",
            503,
            "The match cannot be read",
            "The log of the match cannot be replayed at present. Nothing is lost; the host has been told and has to"
            " mend it. Waiting turns keep their place.",
        ),
        Kind(
            "pictures_busy",
            503,
            "Too many pictures are wanted",
            "Pictures in pixels are drawn by a few processes, which are all busy. Ask again after `Retry-After`"
            " seconds, or ask for `board.svg` or `board.txt`, which are not concerned.",
        ),
        Kind(
            "picture_failed",
            503,
            "The picture cannot be drawn",
            "Drawing it took too long or failed. It is tried again after `Retry-After` seconds; `board.svg` and"
            " `board.txt` are not concerned.",
        ),
        Kind(
            "trial_failed",
            503,
            "This could not be tried",
            "What this leads to could not be worked out: the service failed at it, or took too long. This"
            " concerns dry runs, what is legal after some actions, numbers in notation after an action, and resigning."
            " Nothing was changed; for `Retry-After` seconds nothing else is tried for you. A turn that is submitted"
            " without such numbers is judged.",
        ),
        Kind(
            "database_replaced",
            503,
            "The file of the database was deleted or replaced",
            "Nothing is stored until the operator has put it back or restarted the service. Ask again later: a turn"
            " with the same `Idempotency-Key` is accepted once.",
        ),
        Kind(
            "maintenance",
            503,
            "The service is in maintenance",
            "Everything can be read, and nothing is accepted. Turns that were submitted are kept, and judged"
            " afterwards. Ask again after `Retry-After` seconds.",
        ),
        Kind(
            "overloaded",
            503,
            "Too many requests at once",
            "There are more requests than can be served in time. This one was not begun: repeat it after `Retry-After`"
            " seconds.",
        ),
        Kind("unavailable", 503, "Not ready", "Something the service needs is not available just now. Try again soon."),
    )
}
