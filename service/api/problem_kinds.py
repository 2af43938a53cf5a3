"""Every kind of problem that the API answers; `/docs/problems` is generated from this."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem, as `/docs/problems` explains it."""

    code: str
    status: int
    title: str
    explanation: str


TABLE: Final = """
malformed_json 400 The body is not JSON
    The body could not be read as JSON in UTF-8. `detail` says where the reading stopped.
bad_request 400 The request cannot be read
    The request as a whole is not what HTTP allows, for instance a broken header.
unauthorized 401 A token is needed
    Send `Authorization: Bearer ovl_…`. Sign up at `POST /v1/players` to get a token by mail.
unknown_token 401 The token is not valid
    The token in the Authorization header was never issued, or has been revoked.
forbidden 403 Not allowed
    The token is valid, but you may not do this: the seat is not yours, or somebody else created the match.
not_seated 403 You have no seat here
    Only players with a seat in the match can act in it. Spectators can look, even without a token.
not_your_seat 403 The seat is somebody else's
    Leave `seat` out, or name your own.
seat_kept 403 The seat is kept
    The seat is kept for somebody who is invited; take another.
not_the_creator 403 Not your match
    Only the player who created the match may do this.
address_not_confirmed 403 Confirm your address first
    Send the token from the mail to `POST /v1/confirm`.
missing_scope 403 The token does not allow this
    The token lacks a scope. `scope` names it; issue another token at `POST /v1/tokens`, or sign in again: a token
    issues none with scopes that it lacks itself.
proof_needed 403 Sign in by mail first
    What gives access to your account is changed only with a token that you got by mail at most 15 minutes ago: sign
    in at `POST /v1/players` with your address, and `POST /v1/confirm`.
not_found 404 There is nothing here
    No resource has this address, or you may not know that it exists.
match_not_found 404 No such match
    No match has this id.
turn_not_found 404 No such turn
    You have submitted no turn with this id to this match. Turns are shown only to their submitter.
token_not_found 404 No such token
    You have no token with this id; the id is not the token itself.
mail_not_found 404 No such mail
    You were written no mail with this id, or it was deleted since.
nobody_there 404 Nobody has this seat
    Only a player who has a seat can be blocked by it.
not_blocked 404 Not blocked
    You have blocked no player with this id; see `GET /v1/me/blocks`.
confirmation_not_found 404 The token from the mail is not known
    Copy all of it, or sign up again with the same address.
method_not_allowed 405 The method is not allowed here
    The `Allow` header lists the methods this address understands.
not_acceptable 406 No such representation
    This address cannot answer in the media type asked for.
conflict 409 Not possible in the present state
    The request is valid, but not possible in the present state of the resource.
stale_ply 409 The match has moved on
    The turn answers the `ply` it names, but the match is at `current_ply`. `changes` lists what has happened since;
    look at the observation and submit again.
idempotency_key_reused 409 The idempotency key was used for another request
    The same Idempotency-Key came with another body, or to another address. Use a new key for everything new; repeat a
    key only to repeat the same request.
turn_waiting 409 A turn of your seat waits for its verdict
    A seat may have one turn without a verdict in a match. Wait for that verdict, then submit the next turn.
calendar_not_found 404 There is no such calendar
    Its address was renewed or ended. POST /v1/me/calendar gives a new one.
days_off_not_found 404 There are no such days off
    They are over, were taken back, or are not yours.
days_off_overlap 409 You have days off then
    Days off cannot overlap. End those that you have, or choose another time.
days_off_short 409 You have fewer days off
    Everybody has 7 days off to begin with, one more for every 12 days, at most 30.
no_clock 409 The match has no clock
    Offer pauses and time only in matches that have a clock.
offer_open 409 There is an open offer of that kind
    Accept, decline or withdraw it first.
offer_settled 409 The offer is settled
    It was accepted, declined or withdrawn, or it has lapsed. Make another one.
paused 409 The match is paused already
    Wait for its end, or end it.
not_paused 409 The match is not paused
    There is no pause to be ended.
not_awaited 409 No clock runs there
    Only the time of a seat for which the match waits can be extended.
offer_not_found 404 No such offer
    List the offers of the match.
not_asked 403 You are not asked
    An offer is answered by the other players of the match, and withdrawn by who has made it.
seat_gone 409 A bot keeps your seat
    Your time was up, and by the rules of this match the bot that plays your seat keeps it.
request_timeout 408 The request did not arrive in time
    The header has to be complete within 10 seconds, the body within 20 more.
match_not_started 409 The match has not started
    There is nothing to see yet: seats are still free, or it was cancelled before it started.
match_not_running 409 The match is not running
    It has not started, or was cancelled before it did.
match_not_open 409 The match is not open
    Joining, leaving and starting are possible only before the match starts.
too_many_open_matches 409 Too many of your matches wait for players
    A player has at most five matches that wait for players. Wait until one starts, or leave it.
seat_held 409 A bot plays your seat
    Take it back first: POST /v1/matches/{match}/back.
nobody_away 409 Nobody has left the match
    Only a match in which a bot holds the seat of another player can end as abandoned.
asked_lately 409 That was asked lately
    Ask again three days after the last time.
match_over 409 The match is over
    No more turns are accepted. The record holds the whole match.
resigned 409 You have resigned
    A bot plays your seat now.
mail_unwanted 409 The owner of the address wants no mail
    Whoever owns the address has asked not to be written to from here. Leave the seat open instead.
already_seated 409 You already have a seat here
    Nobody can hold two seats in a match.
seat_taken 409 The seat is taken
    Take another, or leave `seat` out to get the first that is open to you.
no_seat_open 409 No seat is open to you
    All seats are taken, or kept for others who are invited.
seats_free 409 Seats are still free
    The match starts by itself when they are taken.
confirmation_used 409 The token from the mail has been used
    It works once. Sign up again with the same address to get another.
confirmation_expired 409 The token from the mail is too old
    Sign up again with the same address to get another.
match_cancelled 409 The match was cancelled
    It never started, and nobody is told anything of it.
kind_always_sent 409 Mails of this kind are not stopped
    They are sent only when you ask for them.
mail_waits 409 The mail waits
    It has not been sent yet; `GET /v1/me/mails` says why.
mail_not_kept 409 The mail is not kept
    It had a token that works once. Ask for a new one: sign up again with the same address.
too_many_blocks 409 You have blocked too many players
    Unblock one before you block another.
address_not_found 404 No such address
    You have no such address; see `GET /v1/me/addresses`.
address_taken 409 The address is another player's
    Only one player can confirm an address. Sign in with it, and remove it there first.
address_unconfirmed 409 The address is not confirmed
    Confirm it with the code mailed to it.
primary_address 409 Your mails go to this address
    Make another one primary before you remove it.
too_many_addresses 409 You have too many addresses
    Remove an address before you add another.
too_many_mails_to 409 The address was sent too many mails
    An address is asked at most three times a day to be confirmed. Ask again tomorrow.
too_many_tokens 409 You have too many tokens
    Revoke a token before you issue another.
rules_version_missing 409 The rules of the match are missing
    The match began under a version of the rules that this service no longer has.
cursor_expired 410 The cursor is too old
    A cursor of events works for 30 days. Ask without `after` for a new one, then read your matches anew.
body_too_large 413 The body is too large
    A body may have at most 64 kB, that of a new match 256 kB; a turn needs a few hundred bytes.
uri_too_long 414 The address is too long
    The first line of a request, with the address, may have 4 kB. Shorten the query.
unsupported_media_type 415 The body must be JSON
    Send the body with `Content-Type: application/json`, and not compressed.
invalid 422 The request does not fit the schema
    `errors` names every problem: a JSON pointer into the body, a parameter or a header.
notation_error 422 The notation cannot be read
    In `errors`: `line` as it was read, `column` (0-based) where parsing failed, `expected` there.
behind_a_draw 422 What follows a draw is unknown
    Ask what is legal for a prefix that ends before the first draw.
turn_rejected 422 The turn is not legal
    The game refuses the turn. `code` and `rule` are the game's own, `errors` points at the action, `others` names
    further rules broken, `legal` lists what would have been legal there (`legal_total` counts all of it), and `turn`
    is the turn resource with its verdict, without these two.
unknown_cursor 422 The cursor leads nowhere
    `after` is no cursor of this list of events: each player's list, and that of each match, has its own. Ask without
    `after` for one, then read your matches anew.
too_many_requests 429 Too many requests
    Wait for the seconds in `Retry-After`, then ask again.
too_many_invitations 429 Too many invitations
    You may invite ten times a day, and one address is invited three times a day at most, by all players together.
    Days begin at midnight UTC; `Retry-After` says when. Leave the seats open meanwhile.
too_many_waiting 429 Too many requests wait
    So many requests of one caller may wait for events at a time: one is enough for all your matches.
header_too_large 431 The header is too large
    A line of the header may have 8 kB, and the header 100 lines.
internal_error 500 Something went wrong on our side
    It is logged under the request id in `instance`; nothing was left half done.
not_implemented 501 The request is not understood
    It is sent in a way that HTTP allows and that is not supported here, for instance in another coding than `chunked`.
temporarily_unavailable 503 The database cannot be used just now
    It is locked, full, restarting or unreachable. Ask again after `Retry-After` seconds: a turn with the same
    `Idempotency-Key` is accepted once.
match_unreadable 503 The match cannot be read
    The log of the match cannot be replayed at present. Nothing is lost; the host has been told and has to mend it.
    Waiting turns keep their place.
pictures_busy 503 Too many pictures are wanted
    Pictures in pixels are drawn by a few processes, which are all busy. Ask again after `Retry-After` seconds, or ask
    for `board.svg` or `board.txt`, which are not concerned.
picture_failed 503 The picture cannot be drawn
    Drawing it took too long or failed. It is tried again after `Retry-After` seconds; `board.svg` and `board.txt` are
    not concerned.
trial_failed 503 This could not be tried
    What this leads to could not be worked out: the service failed at it, or took too long. This concerns dry runs,
    what is legal after some actions, numbers in notation after an action, and resigning. Nothing was changed; for
    `Retry-After` seconds nothing else is tried for you. A turn that is submitted without such numbers is judged.
database_replaced 503 The file of the database was deleted or replaced
    Nothing is stored until the operator has put it back or restarted the service. Ask again later: a turn with the
    same `Idempotency-Key` is accepted once.
maintenance 503 The service is in maintenance
    Everything can be read, and nothing is accepted. Turns that were submitted are kept, and judged afterwards. Ask
    again after `Retry-After` seconds.
overloaded 503 Too many requests at once
    There are more requests than can be served in time. This one was not begun: repeat it after `Retry-After` seconds.
unavailable 503 Not ready
    Something the service needs is not available just now. Try again soon.
"""
"""A line with code, status and title for each kind, below it the explanation."""

KINDS: Final = {
    code: ProblemKind(code, int(status), title, " ".join(explanation.split()))
    for code, status, title, explanation in re.findall(r"^(\S+) (\d+) (.+)\n((?: .+\n)+)", TABLE, re.MULTILINE)
}
"""By code."""
