"""The terms of Oregon: every action, piece and place in English, French and Italian; and the
vocabulary of its notation, made from them.

Each term begins with the word of the English rulebook, then has the words of the French and of the
Italian one, and then what else people say. Verbs are given as an order, in the infinitive, and as a
narration uses them. Help and suggestions go by this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from engine.games.oregon.components import Building, Deck, Symbol
from engine.reading import Reader, Spaces
from engine.vocabulary import Term, vocabulary

Verb = Enum("Verb", "START FARMER BUILDING PLACE PLAY EXTRA NO_EXTRA USE DRAW SET_ASIDE DISCARD DONE DEAL")
"""The first words of actions.

It is no ``StrEnum``, so that the verb "building" is not equal to the deck of that name.
"""
Token = Enum("Token", "JOKER AND WITH ON OF FOR TO SEAT SPACE CARD TILE TOKEN DECK ASIDE REPLACED")
"""Other words with a meaning."""


Meaning: TypeAlias = Verb | Token | Symbol | Building | Deck

TERMS: Final[Mapping[Meaning, Term]] = {
    Verb.START: Term(
        "start, start tile, starting tile, tile",
        "tuile de départ, départ, tuile",
        "tessera iniziale, tessera edificio iniziale, iniziale, tessera",
    ),
    Verb.FARMER: Term("farmer, farmers, farm, rancher, meeple", "fermier, fermiers, ferme", "allevatore, allevatori"),
    Verb.BUILDING: Term(
        "building, build, builds",
        "bâtiment, bâtir, bâtis, bâtit, bâtissez, construire, construis, construit, construisez",
        "edificio, edificare, edifica, edifico, costruire, costruisci, costruisce, costruisco",
    ),
    Verb.PLACE: Term(
        "place, places, to place, put, puts, set, sets, lay, lays",
        "placer, place, placez, poser, pose, posez, mettre, mets, met, mettez, pour placer, pour poser",
        "piazzare, piazza, piazzo, posizionare, posiziona, posiziono, posare, posa, poso, mettere, metti, mette,"
        " metto, per piazzare",
    ),
    Verb.PLAY: Term("play, plays", "jouer, joue, jouez", "giocare, gioca, gioco"),
    Verb.EXTRA: Term(
        "extra, extra turn, extra turn token, take extra turn, takes extra turn, second turn",
        "tour supplémentaire, pion tour supplémentaire, pion de tour supplémentaire, jeton tour supplémentaire,"
        " prendre tour supplémentaire, prends tour supplémentaire, supplémentaire",
        "turno extra, tessera turno extra, prendere turno extra, prendi turno extra, prendo turno extra, turno"
        " supplementare",
    ),
    Verb.NO_EXTRA: Term(
        "no extra turn, no extra, without extra turn, not use extra turn, don't use extra turn, do not use extra"
        " turn, don't take extra turn, do not take extra turn, skip extra turn",
        "pas de tour supplémentaire, pas tour supplémentaire, aucun tour supplémentaire, sans tour supplémentaire",
        "nessun turno extra, niente turno extra, senza turno extra, non uso turno extra",
    ),
    Verb.USE: Term("use, uses", "utiliser, utilise, utilisez", "utilizzare, utilizza, utilizzo, usare, usa, uso"),
    Verb.DRAW: Term(
        "draw, draws, take, takes",
        "piocher, pioche, piochez, prendre, prends, prend, prenez, tirer, tire, tirez",
        "pescare, pesca, pesco, prendere, prendi, prende, prendo",
    ),
    Verb.SET_ASIDE: Term(
        "set aside, sets aside, setaside, aside, put aside, puts aside, put away, lay aside",
        "mettre de côté, mets de côté, met de côté, mettez de côté, écarter, écarte, écartez",
        "mettere da parte, metti da parte, mette da parte, metto da parte, accantonare, accantona, accantono",
    ),
    Verb.DISCARD: Term(
        "discard, discards, throw away, throws away, give away",
        "défausser, défausse, défaussez, jeter, jette, jetez",
        "scartare, scarta, scarto",
    ),
    Verb.DONE: Term(
        "done, end, ends, end turn, ends turn, finish, finishes, finish turn, finished, end of turn, that's it,"
        " that's all, that is all",
        "fin, fini, fin du tour, fin de tour, finir, finis, finir tour, finis tour, terminer, termine, terminez,"
        " terminer tour, termine tour, terminez tour, terminé, c'est tout",
        "fine, fine turno, fine del turno, finito, ho finito, finisco, finisco turno, finire, finisci, finisce,"
        " finire turno, finisci turno, finisce turno, terminare, termina, termino, terminare turno, termina turno,"
        " termino turno",
    ),
    Verb.DEAL: Term("deal"),
    Token.JOKER: Term("joker, j, wild", "joker", "jolly"),
    Token.AND: Term("and", "et", "e, ed"),
    Token.WITH: Term(
        "with, using, playing, paying, by, via",
        "avec, en jouant, en utilisant",
        "con, col, giocando, usando, utilizzando",
    ),
    Token.ON: Term("on, onto, at, to, in, into", "sur, dans, en", "su, sul, sulla, in, nella"),
    Token.OF: Term("of, from", "de, du, des, d'", "di, del, della, dei, da, dal, dalla, dallo"),
    Token.FOR: Term("for", "pour", "per"),
    Token.TO: Term("to"),
    Token.SEAT: Term("seat"),
    Token.SPACE: Term("space, square", "case, espace", "casella, spazio"),
    Token.CARD: Term("card, cards+", "carte, cartes+", "carta, carte"),
    Token.TILE: Term("tile", "tuile", "tessera"),
    Token.TOKEN: Term("token", "pion, jeton", "tessera"),
    Token.DECK: Term("deck, stack, supply, pile", "pile, pioche", "mazzo"),
    Token.ASIDE: Term("aside, away", "de côté", "da parte"),
    Token.REPLACED: Term(
        "for another, for another card, for another one, for new card, for new one, to draw another, to draw another"
        " card, and draw another, and draw another card",
        "pour autre, pour autre carte, pour en piocher autre, et en piocher autre, et pioche autre",
        "per altra, per altro, per altra carta, per pescarne altra, e pescarne altra, e pesca altra",
    ),
    Symbol.WAGON: Term(
        "wagon, w, wagons+, covered wagon, covered wagons+, waggon, waggons+",
        "chariot, chariots+, chariot bâché",
        "carro, carri+",
    ),
    Symbol.BISON: Term("bison, b, bisons+, buffalo", "bison, bisons+", "bisonte, bisonti+"),
    Symbol.SETTLER: Term("settler, s, settlers+, pioneer, pioneers+", "pionnier, pionniers+", "coloni, colono"),
    Symbol.EAGLE: Term("eagle, e, eagles+", "aigle, aigles+", "aquila, aquile+"),
    Symbol.CAMPFIRE: Term(
        "campfire, c, campfires+, camp fire, camp fires+, fire", "feu de camp, feux de camp+, feu", "falò"
    ),
    Building.POST_OFFICE: Term(
        "post office, po, post, postoffice, post offices+",
        "bureau de poste, bureaux de poste+, poste",
        "ufficio postale, uffici postali+, posta",
    ),
    Building.HARBOUR: Term("harbour, hb, harbor, harbours+, harbors+", "port, ports+", "porto, porti+"),
    Building.CHURCH: Term("church, ch, churches+", "église, églises+", "chiesa, chiese+"),
    Building.COAL_MINE: Term(
        "coal mine, cm, coal, coalmine, coal mines+, coal pit, coalpit, mine",
        "mine de charbon, mines de charbon+, mine charbon, charbon",
        "miniera di carbone, miniere di carbone+, carbone, miniera",
    ),
    Building.GOLD_MINE: Term(
        "gold mine, gm, gold, goldmine, gold mines+, gold pit, mine",
        "mine d'or, mines d'or+",
        "miniera d'oro, miniere d'oro+, oro, miniera",
    ),
    Building.WAREHOUSE: Term(
        "warehouse, wh, warehouses+, store, storehouse", "entrepôt, entrepôts+", "emporio, empori+"
    ),
    Building.STATION: Term(
        "station, st, stations+, train station, train stations+, railway station, railroad station, depot",
        "gare, gares+",
        "stazione ferroviaria, stazioni ferroviarie+, stazione, stazioni+",
    ),
    Deck.LANDSCAPE: Term("landscape, l, landscapes+", "paysage, paysages+", "paesaggio, paesaggi+"),
    Deck.BUILDING: Term("building, b, buildings+", "bâtiment, bâtiments+", "edificio, edifici+"),
}


Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""A set of meanings that are accepted at a position."""

BUILDING_NAMES: Final = {building: building.value.replace("_", " ") for building in Building}
BUILDING_CODES: Final = {
    Building.POST_OFFICE: "PO",
    Building.HARBOUR: "HB",
    Building.CHURCH: "CH",
    Building.COAL_MINE: "CM",
    Building.GOLD_MINE: "GM",
    Building.WAREHOUSE: "WH",
    Building.STATION: "ST",
}

LINKS: Final[Kinds] = frozenset((*Token, Verb.PLACE, Verb.PLAY, Verb.USE)) - {Token.JOKER, Token.SEAT, Token.ASIDE}
"""The words that may be there or not without a difference, each where the grammar takes it:
connecting words, labels, and the verbs before the name of a piece ("place a farmer").
"""
_IN_FULL: Final[Kinds] = (frozenset(Token) | LINKS | {Verb.DEAL, Verb.NO_EXTRA}) - {Token.JOKER}
WORDS: Final = vocabulary(TERMS, verbs=tuple(Verb), in_full=_IN_FULL)
"""The vocabulary; small words and those of actions of chance may not be abbreviated."""
SPACES: Final = Spaces("The board has no space", columns=15, rows=10, example="C7")


def read(line: str) -> Line:
    """A reader of the line. Raises ``NotationError`` at a character that belongs to no word."""
    return Reader(line, WORDS, SPACES)
