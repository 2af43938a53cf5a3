"""Pearls: the smallest complete game.

It has chance, hidden information and a seat that answers out of turn.

- P1 Setup. A bag holds pearls of the values 1, 2 and 3. Hands are empty. Seat 0 starts.
- P2 A turn is one of two: dive (P3) or offer a pearl (P4). Then it is the turn of the seat to the
  left.
- P3 Dive: draw a pearl from the bag into your hand. Nobody else sees it.
- P4 Offer: show a pearl of your hand to the seat to your left, which answers at once (P5).
- P5 Answer: take it, and it lies before you, while who offered draws another from the bag; or leave
  it, and it lies before who offered.
- P6 The match ends when the bag is empty. A pearl before you counts its value, a pearl in your hand
  1 (with the option "hoard", its value). Most points win; equal points share the rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, TypeAlias
from xml.sax.saxutils import escape

from engine.documents import About, from_document
from engine.errors import NotationError
from engine.game import Game, Info
from engine.picks import NO_CHOICES, Choices
from engine.sentences import filled_in
from engine.types import CHANCE, Layout, Outcome, Problem, ScoreLine, Seat, Sentence, Setup, Statement, Viewer

Value: TypeAlias = Annotated[int, About("What a pearl is worth.", minimum=1, maximum=3, example=2)]


@dataclass(frozen=True, slots=True)
class Dive:
    """Draw a pearl from the bag into your hand."""

    type: ClassVar[str] = "dive"


@dataclass(frozen=True, slots=True)
class Offer:
    """Show a pearl of your hand to the seat to your left."""

    type: ClassVar[str] = "offer"
    value: Value


@dataclass(frozen=True, slots=True)
class Answer:
    """Take the pearl you are offered, or leave it."""

    type: ClassVar[str] = "answer"
    take: bool


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance gives a seat a pearl from the bag."""

    type: ClassVar[str] = "draw"
    to: int
    value: int


Action: TypeAlias = Dive | Offer | Answer | Draw
ACTION_WORDS = {
    "value": "Pearl",
    "take": "Take it",
    "take=true": "Take it",
    "type=dive": "Dive",
    "type=offer": "Offer a pearl",
    "type=answer": "Answer",
}
Pearls: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a match."""

    hoard: bool = False


@dataclass(frozen=True, slots=True)
class Bag:
    """The component set: how many pearls of each value there are."""

    ones: int
    twos: int
    threes: int


@dataclass(frozen=True, slots=True)
class State:
    """``bag[value - 1]`` counts pearls, hands and what lies before the seats are ascending;
    ``drawing`` is the seat chance is about to give a pearl.
    """

    setup: Setup
    bag: Pearls
    hands: tuple[Pearls, ...]
    laid: tuple[Pearls, ...]
    turn: Seat = 0
    offered: int | None = None
    drawing: Seat | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """What the viewer may know: ``hands`` are ``None`` where they are another's, until the match is
    over.
    """

    viewer: int | None
    to_act: tuple[int, ...]
    bag: int
    held: tuple[int, ...]
    hands: tuple[Pearls | None, ...]
    laid: tuple[Pearls, ...]
    offered: int | None


def start(setup: Setup) -> State:
    bag: Bag = setup.components
    return State(setup, (bag.ones, bag.twos, bag.threes), ((),) * setup.seats, ((),) * setup.seats)


def to_act(state: State) -> tuple[Seat, ...]:
    if state.drawing is not None:
        return (CHANCE,)
    if not sum(state.bag):
        return ()
    return (state.turn,) if state.offered is None else (left_of(state, state.turn),)


def left_of(state: State, seat: Seat) -> Seat:
    return (seat + 1) % len(state.hands)


def prompt(state: State, seat: Seat) -> Statement:
    return Statement("dive") if state.offered is None else Statement("answer", {"offered": state.offered})


PROMPTS: Mapping[str, Sentence] = {
    "dive": "Dive, or offer a pearl.",
    "answer": "Take or leave the pearl of {offered}.",
}


def candidates(state: State, seat: Seat) -> tuple[Action, ...]:
    if state.offered is not None:
        return (Answer(True), Answer(False))
    return (Dive(), *(Offer(value) for value in sorted(set(state.hands[seat]))))


def problems(state: State, seat: Seat, action: Action) -> Iterator[Problem]:
    match action:
        case Answer() if state.offered is None:  # P5
            yield Problem("nothing_offered", "P5")
        case Dive() | Offer() if state.offered is not None:  # P4
            yield Problem("answer_first", "P4", {"offered": state.offered})
        case Offer(value) if value not in state.hands[seat]:  # P4
            yield Problem("not_in_hand", "P4", {"value": value, "hand": list(state.hands[seat])})


def explain(problem: Problem) -> str:
    return filled_in(SENTENCES, problem)


SENTENCES: Mapping[str, Sentence] = {
    "nothing_offered": "There is no pearl to take or leave: dive, or offer a pearl.",
    "answer_first": "You are offered a pearl of {offered}: take it or leave it first.",
    "not_in_hand": lambda values: f"You have no pearl of {values['value']}; your hand is {shown(values['hand'])}.",
}


def outcomes(state: State) -> tuple[tuple[Draw, int], ...]:
    assert state.drawing is not None
    return tuple((Draw(state.drawing, value), count) for value, count in enumerate(state.bag, 1) if count)


def apply(state: State, seat: Seat, action: Action) -> State:
    turn, left = state.turn, left_of(state, state.turn)
    match action:
        case Dive():
            return replace(state, drawing=seat, turn=left)
        case Offer(value):
            return replace(state, offered=value)
        case Answer(take):
            assert state.offered is not None
            hands = with_item(state.hands, turn, without(state.hands[turn], state.offered))
            owner = left if take else turn
            laid = with_item(state.laid, owner, tuple(sorted((*state.laid[owner], state.offered))))
            return replace(state, hands=hands, laid=laid, offered=None, turn=left, drawing=turn if take else None)
        case Draw(to, value):
            bag = with_item(state.bag, value - 1, state.bag[value - 1] - 1)
            return replace(
                state, bag=bag, hands=with_item(state.hands, to, tuple(sorted((*state.hands[to], value)))), drawing=None
            )


def with_item(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    return (*items[:index], item, *items[index + 1 :])


def without(pearls: Pearls, value: int) -> Pearls:
    at = pearls.index(value)
    return pearls[:at] + pearls[at + 1 :]


def standing(state: State) -> tuple[int, ...]:
    hoard = state.setup.options.hoard
    return tuple(
        sum(laid) + (sum(hand) if hoard else len(hand)) for laid, hand in zip(state.laid, state.hands, strict=True)
    )


def outcome(state: State) -> Outcome | None:
    if to_act(state):
        return None
    scores = standing(state)
    details = tuple(
        (ScoreLine("laid", sum(laid)), ScoreLine("hand", score - sum(laid)))
        for laid, score in zip(state.laid, scores, strict=True)
    )
    ranks = tuple(1 + sum(1 for other in scores if other > score) for score in scores)
    return Outcome(scores, ranks, Statement("empty_bag"), details)


ENDINGS: Mapping[str, Sentence] = {"empty_bag": "The bag is empty."}
SCORE_LABELS = {"laid": "before you", "hand": "in hand"}


def observe(state: State, viewer: Viewer) -> Observation:
    over = not to_act(state)
    hands = tuple(hand if over or seat == viewer else None for seat, hand in enumerate(state.hands))
    return Observation(
        viewer, to_act(state), sum(state.bag), tuple(map(len, state.hands)), hands, state.laid, state.offered
    )


def seen(state: State, seat: Seat, action: Action, viewer: Viewer) -> Action | None:
    return None if isinstance(action, Draw) and action.to != viewer else action


WORDS = ("dive", "offer 1", "offer 2", "offer 3", "take", "leave")


def parse(line: str) -> tuple[Action, ...]:
    actions: list[Action] = []
    for found in re.finditer(r"[^;]+", line):
        words = " ".join(found.group().lower().split())
        if (drawn := re.fullmatch(r"draw (\d+) for seat (\d+)", words)) is not None:
            actions.append(Draw(int(drawn[2]), int(drawn[1])))
            continue
        if words not in WORDS:
            column = found.start() + len(found.group()) - len(found.group().lstrip())
            raise NotationError(f'"{words}" is not an action of Pearls.', line, column, WORDS)
        verb, _, number = words.partition(" ")
        actions.append(Dive() if verb == "dive" else Offer(int(number)) if verb == "offer" else Answer(verb == "take"))
    if not actions:
        raise NotationError("There is no action on this line.", line, 0, WORDS)
    return tuple(actions)


def format_action(action: Action) -> str:
    match action:
        case Dive():
            return "dive"
        case Offer(value):
            return f"offer {value}"
        case Answer(take):
            return "take" if take else "leave"
        case Draw(to, value):
            return f"draw {value} for seat {to}"


def narrate(before: State, seat: Seat, action: Action, after: State, viewer: Viewer, names: Sequence[str]) -> str:
    match action:
        case Dive():
            return f"{names[seat]} dives."
        case Offer(value):
            return f"{names[seat]} offers {names[left_of(before, seat)]} a pearl of {value}."
        case Answer(take):
            return f"{names[seat]} {'takes' if take else 'leaves'} it."
        case Draw(to, value):
            return f"{names[to]} draws a pearl{f' of {value}' if viewer == to else ''}."


def shown(pearls: Sequence[int] | None) -> str:
    return "hidden" if pearls is None else " ".join(map(str, pearls)) or "empty"


def text(observation: Observation, names: Sequence[str]) -> str:
    lines = [f"Bag: {observation.bag}" + (f"   Offered: {observation.offered}" if observation.offered else "")]
    for seat, name in enumerate(names):
        mark = ">" if seat in observation.to_act else " "
        hand = f"{observation.held[seat]} in hand ({shown(observation.hands[seat])})"
        lines.append(f"{mark} {name[:20]:20} before: {sum(observation.laid[seat]):3}   {hand[:34]}")
    return "\n".join(lines)


def svg(
    observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP, choices: Choices = NO_CHOICES
) -> str:
    rows = text(observation, names).splitlines()
    lines = "".join(
        f'<text x="8" y="{20 * (row + 1)}" font-family="DejaVu Sans">{escape(line)}</text>'
        for row, line in enumerate(rows)
    )
    size = f'viewBox="0 0 640 {20 * len(rows) + 12}"'
    about = f"<title>Pearls</title><desc>{observation.bag} pearls are in the bag.</desc>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{about}{lines}</svg>'


def check(state: State) -> tuple[str, ...]:
    bag: Bag = state.setup.components
    broken = []
    for value, supply in enumerate((bag.ones, bag.twos, bag.threes), 1):
        found = state.bag[value - 1] + sum(pearls.count(value) for pearls in (*state.hands, *state.laid))
        if found != supply:
            broken.append(f"There are {found} pearls of {value}, not {supply}.")
    return tuple(broken)


def evaluate(state: State, seat: Seat) -> float:
    worth = sum(state.laid[seat]) + 1.5 * len(state.hands[seat])
    return worth + (1.5 if state.drawing == seat else 0) + (0.5 if state.offered and seat == state.turn else 0)


def load_components(document: Mapping[str, Any]) -> Bag:
    return from_document(Bag, document)


COMPONENTS = {"ones": 4, "twos": 4, "threes": 4}
BAG = Bag(4, 4, 4)
GAME: Game[State, Action, Observation] = Game(
    info=Info(
        name="pearls",
        title="Pearls",
        summary="Dive for pearls and offer them to your neighbour.",
        credits="Made for the tests.",
        seats=(2, 3, 4),
        rules_version=1,
        notation="dive | offer 1..3 | take | leave; several actions on a line are separated by ;",
        seat_colours=("red", "blue", "green", "black"),
    ),
    actions=(Dive, Offer, Answer),
    chance_actions=(Draw,),
    options=Options,
    components=Bag,
    observation=Observation,
    load_components=load_components,
    setup=start,
    to_act=to_act,
    prompts=PROMPTS,
    endings=ENDINGS,
    score_labels=SCORE_LABELS,
    option_words={"hoard": "Hoard"},
    action_words=ACTION_WORDS,
    prompt=prompt,
    candidates=candidates,
    problems=problems,
    explain=explain,
    outcomes=outcomes,
    apply=apply,
    outcome=outcome,
    standing=standing,
    observe=observe,
    seen=seen,
    parse=parse,
    format=format_action,
    narrate=narrate,
    text=text,
    svg=svg,
    check=check,
    evaluate=evaluate,
)
