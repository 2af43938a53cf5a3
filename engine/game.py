"""The contract: what a game is. Read this first.

A game is a frozen record of pure functions over frozen values. A state is never stored: it is the
replay of a log from ``setup``. Chance is a seat like any other (``CHANCE``): when ``to_act``
answers ``(CHANCE,)``, one of the weighted ``outcomes`` is drawn outside the engine and applied.
Every picture, text and sentence a person sees is made from what ``observe``, ``seen`` and
``narrate`` let that person know.

What is hidden from a seat is uncovered to it by chance (a draw with one outcome will do), by
others, or by the end of the match; never by an action of its own. So any action can be previewed,
and a look at something always commits.

Where several seats act at once in secret (orders, sealed bids, simultaneous choices), ``to_act``
names all of them, ``seen`` conceals what each does from the others, and chance uncovers it when all
have acted (a draw with one outcome). A turn is judged behind the ply that it answers while its seat
is awaited and everything that happened since is concealed from it
(``engine.play.still_fresh``). What such a seat observes, is asked and may do therefore stays the
same when another has acted: that somebody has acted is said by ``to_act`` and by the log, not by
``observe`` or ``prompt``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from engine.documents import About
from engine.types import Outcome, Problem, Seat, Setup, Viewer

S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """What the catalogue says of a game.

    ``credits`` names designers and publisher; ``notation`` is help people can type from.
    """

    name: Annotated[str, About(example="oregon")]
    title: str
    summary: str
    credits: Annotated[str, About("Designers and publisher, whose work this is.")]
    seats: Annotated[tuple[int, ...], About("The numbers of seats a match may have.", example=(2, 3, 4))]
    rules_version: Annotated[int, About("Raised when a rule changes; a running match keeps its own.")]
    notation: Annotated[str, About("How to write actions as text; help that people can type from.")]
    seat_colours: tuple[str, ...]


def no_outcomes(state: object) -> Sequence[tuple[Any, int]]:
    """Chance has nothing to do."""
    return ()


def as_it_is(state: object, seat: Seat, action: A, viewer: Viewer) -> A:
    """The action: nobody is concealed anything."""
    return action


def no_figures(state: object) -> Sequence[tuple[str, float]]:
    """Nothing, of any match."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A, O]):
    """The frozen record.

    ``S`` state, ``A`` action, ``O`` observation: frozen, slotted dataclasses of the game's own.

    Types that the service derives its schemas from (see ``engine.documents``):

    - ``actions``: every action type a seat may submit, in the order help lists them;
      ``chance_actions``: those of chance, none by default. Each has a class variable ``type``, the
      discriminator.
    - ``unbounded``: those of ``actions`` that have no end of values, say a route as a list of any
      length; none by default. The others are finite by their types, so checks can write out the
      whole grammar and hold ``candidates`` against it; of these, checks only sample what
      ``candidates`` lists.
    - ``options``: a dataclass whose fields all have defaults; ``components``: a dataclass;
      ``observation``: the type ``O``.

    Functions:

    - ``setup(setup)``: the state at ply 0.
    - ``to_act(state)``: the seats that may act now; ``(CHANCE,)`` when chance is due; ``()`` when
      the match is over.
    - ``prompt(state, seat)``: what that seat is asked, as a public sentence part ("play two
      cards"); betrays nothing hidden.
    - ``candidates(state, seat)``: a superset of the legal actions, in canonical order, no two
      leading to the same state.
    - ``problems(state, seat, action)``: the one judge: every rule that the action of an awaited
      seat breaks, in the order in which a player should mend them; nothing where it is legal. A
      generator, for listing legal actions asks for the first problem only. What the driver asks for
      every game is not asked again: whether the seat is awaited, and whether this is an action of
      seats.
    - ``explain(problem)``: the sentence for a problem, made of its code and values alone. It quotes
      what was wrong and says what would work. Stored problems of the same ``rules_version`` are
      explained too.
    - ``outcomes(state)``: what chance may do: (action, positive integer weight) pairs, in canonical
      order; nothing by default.
    - ``apply(state, seat, action)``: the next state. Trusts the caller that the action is legal.
    - ``outcome(state)``: ``None`` while the match runs.
    - ``standing(state)``: the score of every seat as it stands, hidden points included; what a
      match that is given up ends with.
    - ``observe(state, viewer)``: what the viewer may know, and nothing else.
    - ``seen(state, seat, action, viewer)``: the entry's action as the viewer may know it, ``None``
      where it is concealed; always as it is by default. ``state`` is the one before the action.
    - ``parse(line)``: one line of notation, possibly a whole turn; raises ``NotationError``.
      ``format(action)``: its inverse.
    - ``narrate(before, seat, action, after, viewer, names)``: what happened, one sentence or more;
      "" where nothing is to be told.
    - ``text(observation, names)``: the board and everything observed, at most 78 columns of plain
      text.
    - ``svg(observation, names)``: a standalone picture with title and desc; labels are text in the
      shipped font "DejaVu Sans".
    - ``check(state)``: the broken invariants as sentences; none in a sound state.
    - ``evaluate(state, seat)``: how well the seat stands, in points, from what that seat may know;
      for bots.
    - ``figures(state)``: what simulations count of a match that is over besides its scores, as
      (label, number) pairs; nothing by default.
    - ``wins_of_100``: in how many of 100 matches a player that looks one step ahead with
      ``evaluate`` has to beat players that do anything legal; fewer where luck decides more.
    - ``load_components(document)``: a checked component set from a JSON document; raises
      ``DocumentError``.
    """

    info: Info
    actions: tuple[type[Any], ...]
    chance_actions: tuple[type[Any], ...] = ()
    options: type[Any]
    components: type[Any]
    observation: type[O]
    load_components: Callable[[Mapping[str, Any]], Any]
    setup: Callable[[Setup], S]
    to_act: Callable[[S], tuple[Seat, ...]]
    prompt: Callable[[S, Seat], str]
    candidates: Callable[[S, Seat], Iterable[A]]
    problems: Callable[[S, Seat, A], Iterable[Problem]]
    explain: Callable[[Problem], str]
    outcomes: Callable[[S], Sequence[tuple[A, int]]] = no_outcomes
    apply: Callable[[S, Seat, A], S]
    outcome: Callable[[S], Outcome | None]
    standing: Callable[[S], tuple[int, ...]]
    observe: Callable[[S, Viewer], O]
    seen: Callable[[S, Seat, A, Viewer], A | None] = as_it_is
    parse: Callable[[str], tuple[A, ...]]
    format: Callable[[A], str]
    narrate: Callable[[S, Seat, A, S, Viewer, Sequence[str]], str]
    text: Callable[[O, Sequence[str]], str]
    svg: Callable[[O, Sequence[str]], str]
    check: Callable[[S], tuple[str, ...]]
    evaluate: Callable[[S, Seat], float]
    figures: Callable[[S], Sequence[tuple[str, float]]] = no_figures
    unbounded: tuple[type[Any], ...] = ()
    wins_of_100: int = 90


AnyGame = Game[Any, Any, Any]
