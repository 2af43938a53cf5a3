"""JSON Schemas of the documents that differ by game, derived from the types of the games. Names of
definitions begin with that of the game: two games may both have an action called `Done`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, TypeAlias

from engine import registry
from engine.documents import schema
from engine.game import AnyGame
from engine.record import LEFT_OUT, LoggedAction, Record
from engine.sentences import COMMON_ENDINGS
from engine.types import Outcome, ScoreLine, Statement, ToldOutcome, ToldScoreLine, ToldStatement
from service.clocks.rule import NAMES, NONE, POLICIES
from service.turns.intake import LONGEST_LINE, MOST_ACTIONS, MOST_LINES

JsonSchema: TypeAlias = dict[str, Any]
COMPONENTS: Final = "#/components/schemas/"
LONGEST_NAME: Final = 40
OWN_WORDS: Final = (
    "Action Add Address Addresses All Answer Awaited Awaiting Awaits Block Blocked Blocks Bot Broken Calendar Changed"
    " Chat Clock Come Component Confirm Confirmed Days Early Ending Event Fault Feed Game Games Handover"
    " Invitation Issued Join Joining Keep Legal List Log Made Mail Make Match Name Next No Notation Note"
    " Nothing Offer Offers Own Ping Player Preferences Prefix Preset Problem Profile Prompt Record"
    " Recorded Remove Rename Report Resign Resignation Resume Rule Said Say Seat Send Sign Signed Stopped Stored"
    " Submit Token Tokens Trial Turn Verdict Violation Webhook Webhooks"
).split()
"""What the names of the API's own definitions begin with."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """The definitions to which a schema for ``games`` refers: ``found`` by name."""

    games: tuple[AnyGame, ...]
    found: dict[str, JsonSchema] = field(default_factory=dict)

    @property
    def game(self) -> AnyGame:
        """The only game for which a document is described."""
        (game,) = self.games
        return game

    def of(self, kind: Any, game: AnyGame | None = None, *, written: bool = False) -> JsonSchema:
        """The schema of a type of the engine, or of one of the ``game``: of what is read, or of
        what is ``written``, which has every field.
        """
        return schema(kind, self.found, "" if game is None else prefix(game), COMPONENTS, written=written)

    def taken_out(self, kind: type) -> JsonSchema:
        """The schema of a type of the engine, of what is written, which others are made from."""
        self.of(kind, written=True)
        return self.found.pop(kind.__name__)

    def define(self, name: str, found: JsonSchema) -> JsonSchema:
        """Adds a definition, and returns a reference to it."""
        self.found[name] = found
        return {"$ref": COMPONENTS + name}


def all_games(found: dict[str, JsonSchema] | None = None) -> Definitions:
    """Definitions for every registered game, added to those ``found``."""
    return Definitions(tuple(registry.games().values()), {} if found is None else found)


def prefix(game: AnyGame) -> str:
    """The prefix of the names of the game's definitions, for instance Oregon; neither another game
    nor the API itself has any of these names, however the types are called.
    """
    name = "_".join(part.capitalize() for part in game.info.name.split("_"))
    return f"Game{name}" if name in OWN_WORDS else name


def told_apart(parts: Sequence[tuple[str, JsonSchema]], by: str) -> JsonSchema:
    """One of the schemas, by the value of the property ``by``. Where two have the same value, as
    actions of two games may, they are told apart by the rest.
    """
    mapping = {value: part["$ref"] for value, part in parts}
    if len(parts) == 1:
        return parts[0][1]
    if len(mapping) < len(parts):
        return {"anyOf": [part for _, part in parts]}
    return {"oneOf": [part for _, part in parts], "discriminator": {"propertyName": by, "mapping": mapping}}


def action(definitions: Definitions) -> JsonSchema:
    """An action of a seat, of any game: what is listed as legal can be sent."""
    parts = [(kind.type, definitions.of(kind, game)) for game in definitions.games for kind in game.actions]
    return definitions.define(
        "Action", {"description": "An action of a seat, in the match's game."} | told_apart(parts, "type")
    )


def actions(definitions: Definitions) -> JsonSchema:
    """The actions of a turn: all of one game, the match's."""
    return {"type": "array", "items": action(definitions), "minItems": 1, "maxItems": MOST_ACTIONS}


def prefix_actions(definitions: Definitions) -> JsonSchema:
    """The earlier actions of a turn, of which there may be none."""
    return {"type": "array", "items": action(definitions), "maxItems": MOST_ACTIONS}


def logged_action(definitions: Definitions) -> JsonSchema:
    """An entry's action, of a seat or of chance."""
    game = definitions.game
    kinds = (*game.actions, *game.chance_actions)
    found = told_apart([(kind.type, definitions.of(kind, game)) for kind in kinds], "type")
    about = {"description": f"An action of {game.info.title}, of a seat or of chance."}
    return definitions.define(f"{prefix(game)}LoggedAction", about | found)


def options(definitions: Definitions) -> JsonSchema:
    """The options of a match; every option has a default."""
    return definitions.of(definitions.game.options, definitions.game)


def components(definitions: Definitions) -> JsonSchema:
    """A whole component set."""
    return definitions.of(definitions.game.components, definitions.game)


def chosen_components(definitions: Definitions) -> JsonSchema:
    """A component set: the name of one that comes with the game, or the whole set."""
    named = {
        "type": "string",
        "minLength": 1,
        "maxLength": LONGEST_NAME,
        "description": "The name of a component set of the game.",
    }
    return {"oneOf": [named, components(definitions)]}


def observation(definitions: Definitions) -> JsonSchema:
    """What a viewer may know."""
    return definitions.of(definitions.game.observation, definitions.game, written=True)


def prompt(definitions: Definitions) -> JsonSchema:
    """What a seat is asked, with the codes that games have for that."""
    found = definitions.taken_out(ToldStatement)
    codes = _codes(definitions, "Prompt", "what a seat is asked", attrgetter("prompts"))
    about = {"description": "What a seat is asked."}
    return definitions.define(f"{_alone(definitions)}Prompt", _with_properties(found, code=codes) | about)


def outcome(definitions: Definitions) -> JsonSchema:
    """How a match has ended, with the codes that games have for that and for their score sheets."""
    return _outcome(definitions, ToldOutcome, ToldStatement, ToldScoreLine, "Told")


def _alone(definitions: Definitions) -> str:
    """The prefix of the game for which a document is described; empty for those of all games."""
    return prefix(definitions.games[0]) if len(definitions.games) == 1 else ""


def _outcome(definitions: Definitions, kind: type, statement: type, line: type, head: str) -> JsonSchema:
    name = _alone(definitions) + head
    whole, ended, scored = (definitions.taken_out(each) for each in (kind, statement, line))
    common = definitions.define(
        "EndingCode",
        {"type": "string", "enum": sorted(COMMON_ENDINGS), "description": "What ends a match of any game."},
    )
    ends = _codes(definitions, "Ending", "what ends a match", attrgetter("endings"), common)
    ended = _with_properties(ended, code=ends) | {"description": "What ended a match."}
    scored = _with_properties(
        scored, code=_codes(definitions, "Score", "a line of a score sheet", attrgetter("score_labels"))
    )
    sheet = {"type": "array", "items": definitions.define(f"{name}ScoreLine", scored)}
    own = _with_properties(
        whole, ended=definitions.define(f"{name}Ending", ended), details={"type": "array", "items": sheet}
    )
    return definitions.define(f"{name}Outcome", own)


def _codes(
    definitions: Definitions, of: str, about: str, table: Callable[[AnyGame], Mapping[str, Any]], *more: JsonSchema
) -> JsonSchema:
    """One of the codes in the tables of the games, in all versions of their rules."""
    parts = [*more]
    for game in definitions.games:
        codes = sorted({code for version in registry.versions(game.info.name).values() for code in table(version)})
        said = f"A code of {game.info.title} for {about}."
        if codes:
            parts.append(
                definitions.define(f"{prefix(game)}{of}Code", {"type": "string", "enum": codes, "description": said})
            )
    if not parts:
        return {"type": "string"}
    return parts[0] if len(parts) == 1 else {"anyOf": parts}


def game_name(definitions: Definitions) -> JsonSchema:
    """The name of a game."""
    names = [game.info.name for game in definitions.games]
    return {"type": "string"} | ({"const": names[0]} if len(names) == 1 else {"enum": names})


def record(definitions: Definitions) -> JsonSchema:
    """The record of a match, whose options, components and actions are those of its game."""
    definitions.of(Record, written=True)
    definitions.found["RecordedClock"]["properties"]["rule"] = _clock_rule(definitions)
    whole, entry = (definitions.taken_out(kind) for kind in (Record, LoggedAction))
    whole["required"] = [name for name in whole["required"] if name not in LEFT_OUT]
    parts = []
    for game in definitions.games:
        alone = Definitions((game,), definitions.found)
        logged = _with_properties(entry, action={"anyOf": [logged_action(alone), {"type": "null"}]})
        own = _with_properties(
            whole,
            game=game_name(alone),
            options=options(alone),
            components=components(alone),
            outcome={"anyOf": [_outcome(alone, Outcome, Statement, ScoreLine, "Recorded"), {"type": "null"}]},
            log={"type": "array", "items": definitions.define(f"{prefix(game)}RecordedAction", logged)},
        )
        parts.append((game.info.name, definitions.define(f"{prefix(game)}Record", own)))
    return definitions.define("Record", {"description": whole["description"]} | told_apart(parts, "game"))


def _with_properties(whole: JsonSchema, **changed: JsonSchema) -> JsonSchema:
    """The object with other schemas for some properties, whose descriptions stay."""
    properties = whole["properties"]
    described = {name: found | {"description": properties[name]["description"]} for name, found in changed.items()}
    return whole | {"properties": properties | described}


def notation(definitions: Definitions) -> JsonSchema:
    """One line of notation, or a list of lines."""
    return definitions.define(
        "Notation",
        {
            "description": (
                "Actions as text: one line, which may hold a whole turn, or a list of lines. The game's catalogue entry"
                " explains its notation."
            ),
            "oneOf": [
                {"type": "string", "maxLength": LONGEST_LINE},
                {
                    "type": "array",
                    "items": {"type": "string", "maxLength": LONGEST_LINE},
                    "minItems": 1,
                    "maxItems": MOST_LINES,
                },
            ],
        },
    )


_DURATION: Final[JsonSchema] = {
    "type": "string",
    "pattern": "^P([0-9]{1,4}W|[0-9]{1,5}D|([0-9]{1,5}D)?T[0-9]{1,6}[HM]([0-9]{1,7}M)?)$",
}
_REST: Final[JsonSchema] = {
    "if_late": {
        "type": "string",
        "enum": list(POLICIES),
        "description": "What follows when the time of a seat and its reserve are up.",
    },
    "weekends": {"type": ["string", "null"], "description": "A time zone whose Saturdays and Sundays stop the clocks."},
    "days_off": {"type": "boolean", "description": "False if days off of players are to stop no clock."},
}
_EACH_TURN: Final[JsonSchema] = {
    "base": _DURATION | {"description": "What a clock begins with."},
    "increment": _DURATION | {"description": "What each turn after the first adds."},
    "most": _DURATION | {"description": "A clock never has more than that."},
    **_REST,
}
_TOTAL: Final[JsonSchema] = {"total": _DURATION | {"description": "The time for the whole match."}, **_REST}


def clock(definitions: Definitions) -> JsonSchema:
    """How much time the seats of a new match have."""
    presets = [name for name in NAMES if name != NONE]
    named = {"type": "string", "description": "The name of a preset."}
    forms = {
        "PresetClock": _object(
            "A preset, and what is to differ.", {"preset": named | {"enum": presets}, **_REST}, "preset"
        ),
        "NoClock": _object("No clock.", {"preset": named | {"const": NONE}}, "preset"),
        "ClockForEachTurn": _object("A time that each turn adds to.", _EACH_TURN, "base"),
        "ClockForTheMatch": _object("A time for the whole match.", _TOTAL, "total"),
    }
    parts = [definitions.define(name, found) for name, found in forms.items()]
    about = "How much time the seats have: the name of a preset, or a rule."
    return definitions.define("ClockRequest", {"description": about, "oneOf": [named | {"enum": list(NAMES)}, *parts]})


def _clock_rule(definitions: Definitions) -> JsonSchema:
    """The rule of the clocks as a record has it, all of it written out."""
    parts = [
        definitions.define("RuleForEachTurn", _object("A time that each turn adds to.", _EACH_TURN, *_EACH_TURN)),
        definitions.define("RuleForTheMatch", _object("A time for the whole match.", _TOTAL, *_TOTAL)),
    ]
    return {"description": "The rule of the clocks.", "oneOf": parts}


def _object(description: str, properties: JsonSchema, *required: str) -> JsonSchema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
