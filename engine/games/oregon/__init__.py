"""Oregon, a game by Åse and Henrik Berg for two to four players."""

from __future__ import annotations

from engine.game import Game, Info
from engine.games.oregon.actions import CHANCE_ACTIONS, SEAT_ACTIONS, Action
from engine.games.oregon.apply import apply
from engine.games.oregon.components import Components, Options, load_components
from engine.games.oregon.evaluate import evaluate
from engine.games.oregon.facts import SEAT_COLOURS
from engine.games.oregon.legal import candidates, outcomes, prompt, superfluous
from engine.games.oregon.narrate import narrate
from engine.games.oregon.notation import NOTATION, format_action, parse
from engine.games.oregon.observe import Observation, observe, seen
from engine.games.oregon.refusals import own_prompt, problems
from engine.games.oregon.render_layout import DARK
from engine.games.oregon.render_svg import svg
from engine.games.oregon.render_text import text
from engine.games.oregon.score import outcome, standing
from engine.games.oregon.sentences import ACTION_WORDS, ENDINGS, OPTION_WORDS, PROMPTS, SCORE_LABELS, explain
from engine.games.oregon.state import State, check, longest, setup, to_act

GAME: Game[State, Action, Observation] = Game(
    info=Info(
        name="oregon",
        title="Oregon",
        summary=(
            "Settle the West: place farmers where two landscape cards cross, build the town around them, and let every"
            " neighbour earn."
        ),
        credits=(
            "Designed by Åse and Henrik Berg; published by Hans im Glück and Rio Grande Games (2007). Neither their art"
            " nor their texts are used here."
        ),
        seats=(2, 3, 4),
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
    own_prompt=own_prompt,
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
    seen=seen,
    parse=parse,
    format=format_action,
    narrate=narrate,
    text=text,
    svg=svg,
    dark=DARK,
    check=check,
    evaluate=evaluate,
)
