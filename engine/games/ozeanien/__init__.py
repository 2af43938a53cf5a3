"""Ozeanien (Oceania), a game by Klaus Teuber for two players, or one."""

from __future__ import annotations

from engine.game import Game, Info
from engine.games.ozeanien.actions import CHANCE_ACTIONS, SEAT_ACTIONS, Action
from engine.games.ozeanien.apply import apply
from engine.games.ozeanien.components import Components, Options, load_components
from engine.games.ozeanien.evaluate import evaluate
from engine.games.ozeanien.facts import SEAT_COLOURS
from engine.games.ozeanien.legal import candidates, outcomes, prompt, superfluous
from engine.games.ozeanien.narrate import narrate
from engine.games.ozeanien.notation import NOTATION, format_action, parse
from engine.games.ozeanien.observe import Observation, observe
from engine.games.ozeanien.refusals import problems
from engine.games.ozeanien.render_layout import DARK
from engine.games.ozeanien.render_svg import svg
from engine.games.ozeanien.render_text import text
from engine.games.ozeanien.score import figures, outcome, standing
from engine.games.ozeanien.sentences import ACTION_WORDS, ENDINGS, OPTION_WORDS, PROMPTS, SCORE_LABELS, explain
from engine.games.ozeanien.state import State, check, longest, setup, to_act

GAME: Game[State, Action, Observation] = Game(
    info=Info(
        name="ozeanien",
        title="Ozeanien",
        summary=(
            "Sail into an unknown archipelago, chart it tile by tile, and have the most explorers ashore when an island"
            " is complete. Playable alone."
        ),
        credits=(
            "Designed by Klaus Teuber (2004). The game is his and its publishers'; neither their art nor their texts"
            " are used here."
        ),
        seats=(1, 2),
        rules_version=1,
        notation=NOTATION,
        seat_colours=SEAT_COLOURS,
    ),
    actions=SEAT_ACTIONS,
    chance_actions=CHANCE_ACTIONS,
    options=Options,
    components=Components,
    observation=Observation,
    load_components=load_components,
    setup=setup,
    to_act=to_act,
    prompts=PROMPTS,
    endings=ENDINGS,
    score_labels=SCORE_LABELS,
    option_words=OPTION_WORDS,
    action_words=ACTION_WORDS,
    prompt=prompt,
    candidates=candidates,
    problems=problems,
    explain=explain,
    outcomes=outcomes,
    apply=apply,
    superfluous=superfluous,
    outcome=outcome,
    longest=longest,
    standing=standing,
    observe=observe,
    parse=parse,
    format=format_action,
    narrate=narrate,
    text=text,
    svg=svg,
    dark=DARK,
    check=check,
    evaluate=evaluate,
    figures=figures,
)
