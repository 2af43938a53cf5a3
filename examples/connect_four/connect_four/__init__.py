"""Connect Four, a game by Howard Wexler and Ned Strongin for two players."""

from __future__ import annotations

from connect_four.actions import Drop
from connect_four.apply import apply
from connect_four.components import Board, Options, load_components
from connect_four.evaluate import evaluate
from connect_four.legal import PROMPTS, WORDS, candidates, prompt
from connect_four.narrate import narrate
from connect_four.notation import NOTATION, format_action, parse
from connect_four.observe import Observation, observe
from connect_four.refusals import explain, problems
from connect_four.render import svg, text
from connect_four.score import ENDINGS, outcome, standing
from connect_four.state import State, check, start, to_act
from engine.game import Game, Info

GAME: Game[State, Drop, Observation] = Game(
    info=Info(
        name="connect_four",
        title="Connect Four",
        summary="Drop discs into an upright board, and have four in a row before the other does.",
        credits="Designed by Howard Wexler and Ned Strongin (1974). The game is theirs and its publishers'.",
        seats=(2,),
        rules_version=1,
        notation=NOTATION,
        seat_colours=("red", "yellow"),
    ),
    actions=(Drop,),
    options=Options,
    components=Board,
    observation=Observation,
    load_components=load_components,
    setup=start,
    to_act=to_act,
    prompts=PROMPTS,
    endings=ENDINGS,
    action_words=WORDS,
    prompt=prompt,
    candidates=candidates,
    problems=problems,
    explain=explain,
    apply=apply,
    outcome=outcome,
    standing=standing,
    observe=observe,
    parse=parse,
    format=format_action,
    narrate=narrate,
    text=text,
    svg=svg,
    check=check,
    evaluate=evaluate,
)
