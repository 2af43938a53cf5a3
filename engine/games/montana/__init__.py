"""Montana, a game by Rüdiger Dorn for two to four players."""

from __future__ import annotations

from engine.game import Game, Info
from engine.games.montana.actions import CHANCE_ACTIONS, SEAT_ACTIONS, Action
from engine.games.montana.apply import apply
from engine.games.montana.check import check
from engine.games.montana.components import Components, Options, load_components
from engine.games.montana.evaluate import evaluate
from engine.games.montana.facts import SEAT_COLOURS
from engine.games.montana.legal import candidates, outcomes, prompt, superfluous
from engine.games.montana.narrate import narrate
from engine.games.montana.notation import NOTATION, format_action, parse
from engine.games.montana.observe import Observation, observe
from engine.games.montana.refusals import own_prompt, problems
from engine.games.montana.render_layout import DARK
from engine.games.montana.render_svg import svg
from engine.games.montana.render_text import text
from engine.games.montana.score import figures, occurrences, outcome, standing
from engine.games.montana.sentences import ACTION_WORDS, ENDINGS, PROMPTS, SCORE_LABELS, explain
from engine.games.montana.state import State, longest, setup, to_act, turn_of

GAME: Game[State, Action, Observation] = Game(
    info=Info(
        name="montana",
        title="Montana",
        summary=(
            "Hire workers, send them to mine, quarry, field and garden, outbid the others in town, and be the first to"
            " have all settlements built."
        ),
        credits=(
            "Designed by Rüdiger Dorn; published by White Goblin Games (2017). Neither their art nor their texts are"
            " used here."
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
    turn_of=turn_of,
    prompts=PROMPTS,
    endings=ENDINGS,
    score_labels=SCORE_LABELS,
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
    parse=parse,
    format=format_action,
    narrate=narrate,
    text=text,
    svg=svg,
    dark=DARK,
    check=check,
    evaluate=evaluate,
    figures=figures,
    occurrences=occurrences,
)
