"""The contract that every game implements. Read this module first.

A game is a frozen record of pure functions over frozen values. A state is never stored: it is the
replay of a log from ``setup``. Chance is a seat like any other (``CHANCE``): when ``to_act`` gives
``(CHANCE,)``, one of the weighted ``outcomes`` is drawn outside the engine and applied. Pictures,
texts and sentences are made from what ``observe``, ``seen`` and ``narrate`` give for the viewer.

Hidden information is revealed to a seat by chance (a draw with a single outcome is enough), by
other seats, or by the end of the match; never by an action of its own. Therefore any action can be
previewed, and an action that leads to a reveal cannot be taken back.

If several seats act at the same time in secret (orders, sealed bids, simultaneous choices),
``to_act`` gives all of them, ``seen`` conceals each action from the other seats, and chance reveals
the actions when all have acted (a draw with one outcome). A turn may be judged at a later ply than
the one it answers as long as its seat is still awaited and all entries since are concealed from
that seat (``engine.play.still_fresh``). The observation, prompt and legal actions of such a seat
must therefore not change when another seat has acted: ``to_act`` and the log show that it has,
``observe`` and ``prompt`` do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Generic, Protocol, TypeVar

from engine.documents import About
from engine.picks import NO_CHOICES, Choices
from engine.types import Layout, Outcome, Problem, Seat, Sentence, Setup, Statement, Viewer

S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741
O_contra = TypeVar("O_contra", contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """The catalogue entry of a game.

    ``credits`` names designers and publisher; ``notation`` is help text with examples that people
    can type.
    """

    name: Annotated[str, About("Its name, by which the API refers to it.", example="oregon")]
    title: Annotated[str, About("Its title.")]
    summary: Annotated[str, About("What it is about, in a sentence.")]
    credits: Annotated[str, About("Designers and publisher, whose work this is.")]
    seats: Annotated[tuple[int, ...], About("The numbers of seats a match may have.", example=(2, 3, 4))]
    rules_version: Annotated[int, About("Raised when a rule changes; a running match keeps its own.")]
    notation: Annotated[str, About("How to write actions as text; help that people can type from.")]
    seat_colours: Annotated[tuple[str, ...], About("The colours of the seats, from the first.")]


class Drawing(Protocol[O_contra]):
    """Draws a picture of what is observed, without marks by default."""

    def __call__(
        self, observation: O_contra, names: Sequence[str], layout: Layout, choices: Choices = NO_CHOICES, /
    ) -> str: ...


MOST_PLIES: Final = 10_000
"""No match has more plies."""


def no_outcomes(state: object) -> Sequence[tuple[Any, int]]:
    """The default ``outcomes``: none, for games without chance."""
    return ()


def as_it_is(state: object, seat: Seat, action: A, viewer: Viewer) -> A:
    """The default ``seen``: the action unchanged, for games without hidden entries."""
    return action


def nothing_superfluous(state: object, seat: Seat, action: object) -> bool:
    """The default ``superfluous``: no action is."""
    return False


def no_figures(state: object) -> Sequence[tuple[str, float]]:
    """The default ``figures``: none."""
    return ()


def as_long_as_any(state: object) -> int:
    """The default ``longest``: as many plies as any match may have."""
    return MOST_PLIES


def own_turns(state: object) -> Seat | None:
    """The default ``turn_of``: none. Every seat that becomes awaited has a turn of its own."""
    return None


def no_occurrences(before: object, seat: Seat, action: object, after: object) -> Sequence[str]:
    """The default ``occurrences``: none."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A, O]):
    """The record that describes a game to the driver and the service.

    ``S`` is the type of its states, ``A`` of its actions, ``O`` of its observations: frozen,
    slotted dataclasses that the game defines.

    Types, from which the service derives its schemas (see ``engine.documents``):

    - ``actions``: every action type a seat may submit, in the order help lists them;
      ``chance_actions``: those of chance, none by default. Each has a class variable ``type``, the
      discriminator.
    - ``unbounded``: those of ``actions`` that have infinitely many values, for instance a route as
      a list of any length; none by default. All other types are finite, so checks enumerate their
      values and compare them with ``candidates``; of unbounded types checks only use the values
      that ``candidates`` lists.
    - ``options``: a dataclass whose fields all have defaults; ``components``: a dataclass;
      ``observation``: the type ``O``.

    Sentences, from which the service makes what people read of statements (``engine.sentences``):

    - ``prompts``: of what seats are asked, by code, as a whole sentence to the seat, of one line
      ("Play two cards.").
    - ``endings``: of what ended a match, by code, none of which is of ``COMMON_ENDINGS``.
    - ``score_labels``: what the lines of a score sheet are called, by code; none by default.
    - ``option_words``: what each option is called, by name, and each value of an enumeration, by
      ``name=value``, in a few words ("Board upright"); none by default.
    - ``action_words``: what people read of the fields and values of actions of seats, where these
      are offered one by one: of every field, such as ``deck`` ("Deck"), and of every value, such as
      ``deck=coal`` ("Coal") or ``type=draw``, that is not the name of a place: a letter, or
      something with a digit or a capital letter.

    Functions:

    - ``setup(setup)``: the state at ply 0.
    - ``to_act(state)``: the seats that may act now; ``(CHANCE,)`` when chance is due; ``()`` when
      the match is over.
      - ``turn_of(state)``: the seat whose turn it is, where other seats decide within it; ``None``
        by default, for games in which a seat that becomes awaited has a turn of its own. Clocks go
        by it.
    - ``prompt(state, seat)``: what that seat, which is awaited, is asked. It is public and must not
      reveal anything hidden.
      - ``own_prompt(state, seat)``: what the seat itself reads instead, made from what is legal for
        it; the same by default.
    - ``candidates(state, seat)``: a superset of the legal actions, in canonical order, no two
      leading to the same state.
    - ``problems(state, seat, action)``: every rule that the action of an awaited seat breaks, in
      the order in which a player should correct them; nothing if it is legal. It alone decides what
      is legal. Make it a generator: listing legal actions only asks for the first problem. The
      driver has already checked that the seat is awaited and that this is an action of seats.
    - ``explain(problem)``: the sentence for a problem, made from its code and values alone. It
      quotes what was wrong and says what would work. It also takes stored problems of the same
      ``rules_version``.
    - ``outcomes(state)``: what chance may do: (action, positive integer weight) pairs, in canonical
      order; nothing by default.
    - ``apply(state, seat, action)``: the next state. It does not check that the action is legal.
    - ``superfluous(state, seat, action)``: whether an action that is not legal here, after another
      action of the same turn, only declines what was not offered, such as an end of a turn that has
      ended by itself. It is passed over instead of refused. No action is by default.
    - ``outcome(state)``: ``None`` while the match runs. It says as a statement what ended it.
    - ``longest(state)``: the most plies of the match, from its components and seats alone, the same
      in all its states: once it has as many, it ends and ``standing`` counts. It is for component
      sets with which the rules would not end it, so leave room; ``MOST_PLIES`` by default, and
      never more.
    - ``standing(state)``: the current score of every seat, hidden points included; the final scores
      of a match that ends before its rules end it, where they decide the ranks. More is better: no
      seat ranks behind one that has fewer points.
    - ``observe(state, viewer)``: what the viewer may know, as a value of the type ``observation``.
    - ``seen(state, seat, action, viewer)``: the entry's action as the viewer may know it, ``None``
      if it is concealed; by default the action unchanged. ``state`` is the one before the action.
    - ``parse(line)``: one line of notation, possibly a whole turn, its actions with semicolons
      between; raises ``NotationError``. ``format(action)``: its inverse, of one action.
    - ``narrate(before, seat, action, after, viewer, names)``: what happened, in one or more
      sentences; "" if there is nothing to say.
    - ``text(observation, names)``: the board and everything observed, at most 78 columns of plain
      text.
    - ``svg(observation, names, layout, choices)``: a standalone picture with title and desc, drawn
      for the layout; labels are text in the shipped font "DejaVu Sans". Its ids begin with the name
      of the game and a hyphen. Everything drawn that ``choices`` allow the viewer to choose now is
      marked with the values that it stands for (``engine.svg.pick``), and nothing else; people
      choose by words what no mark stands for. No two legal actions have the same bag of fields and
      values (``engine.picks``). The desc says everything observed, a line for each matter, which
      may begin with what it is about and a colon ("Decks: ..."). Mails show that of
      ``Layout.BOARD`` with the board and the list of actions: it leaves out what these say, and has
      all that is written beside the board in the picture for phones.
    - ``dark``: the colours of fills and lines on a dark screen, by those of a light one, besides
      those of ``engine.svg.DARK``; what is in neither is the same on both. None by default.
    - ``check(state)``: the broken invariants as sentences; none in a sound state.
    - ``evaluate(state, seat)``: an estimate of the seat's position in points, from what that seat
      may know; for bots.
    - ``figures(state)``: what simulations count of a finished match besides its scores, as (label,
      number) pairs; none by default.
    - ``occurrences(before, seat, action, after)``: what simulations count of an action besides its
      type and the values in it, as labels, each as often as it occurred; none by default.
    - ``wins_of_100``: how many of 100 matches a bot that looks one action ahead with ``evaluate``
      has to win against random bots; fewer if chance decides more.
    - ``load_components(document)``: the component set of a JSON document, of the type
      ``components``; raises ``DocumentError`` if it does not fit.
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
    turn_of: Callable[[S], Seat | None] = own_turns
    prompts: Mapping[str, Sentence] = field(hash=False)
    endings: Mapping[str, Sentence] = field(hash=False)
    score_labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    option_words: Mapping[str, str] = field(default_factory=dict, hash=False)
    action_words: Mapping[str, str] = field(hash=False)
    prompt: Callable[[S, Seat], Statement]
    own_prompt: Callable[[S, Seat], Statement] | None = None
    candidates: Callable[[S, Seat], Iterable[A]]
    problems: Callable[[S, Seat, A], Iterable[Problem]]
    explain: Callable[[Problem], str]
    outcomes: Callable[[S], Sequence[tuple[A, int]]] = no_outcomes
    apply: Callable[[S, Seat, A], S]
    superfluous: Callable[[S, Seat, A], bool] = nothing_superfluous
    outcome: Callable[[S], Outcome | None]
    longest: Callable[[S], int] = as_long_as_any
    standing: Callable[[S], tuple[int, ...]]
    observe: Callable[[S, Viewer], O]
    seen: Callable[[S, Seat, A, Viewer], A | None] = as_it_is
    parse: Callable[[str], tuple[A, ...]]
    format: Callable[[A], str]
    narrate: Callable[[S, Seat, A, S, Viewer, Sequence[str]], str]
    text: Callable[[O, Sequence[str]], str]
    svg: Drawing[O]
    dark: Mapping[str, str] = field(default_factory=dict, hash=False)
    check: Callable[[S], tuple[str, ...]]
    evaluate: Callable[[S, Seat], float]
    figures: Callable[[S], Sequence[tuple[str, float]]] = no_figures
    occurrences: Callable[[S, Seat, A, S], Sequence[str]] = no_occurrences
    unbounded: tuple[type[Any], ...] = ()
    wins_of_100: int = 90


AnyGame = Game[Any, Any, Any]
