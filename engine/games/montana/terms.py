"""The terms of Montana: every action, piece and place in English, French and Italian; and the
vocabulary of its notation, made from them.

The French terms are those of the rulebook, which exists in French. The English name of a term is
used by help, errors and sentences; the notation reads all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from engine.games.montana.components import Area
from engine.reading import Reader, Spaces
from engine.vocabulary import Term, vocabulary

Verb = Enum(
    "Verb",
    "RECRUIT MOVE PAY CHOOSE RETURN SEND HARVEST AGAIN TOWN PLACE PASS TAKE UPGRADE EXCHANGE BUILD TRADE USE "
    "CANTEEN END LAY SPIN",
)
"""The first words of actions."""


class Thing(Enum):
    """A good or the worker that harvests it; the action determines which of the two is meant."""

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"


class Colour(Enum):
    """The colours of the workers; goods have none."""

    BEIGE = "beige"
    ORANGE = "orange"
    BROWN = "brown"
    GREY = "grey"


Token = Enum(
    "Token",
    "BANK SMALL_BOX SLOT SPACE ROW COLUMN HEX SEGMENT ARROW REPRESENTATIVE SETTLEMENT WORKER GOODS COW COINS "
    "LARGE SMALL NOTHING START TILE TURNED AT WITH FOR OF AND",
)
"""Other pieces and places, and the small words between them."""


Meaning: TypeAlias = Verb | Thing | Colour | Token | Area

TERMS: Final[Mapping[Meaning, Term]] = {
    Verb.RECRUIT: Term(
        "recruit, recruits, hire, hires",
        "recruter, recrute, recrutez",
        "reclutare, recluta, reclutate, recluto, assumere, assumi, assumo",
    ),
    Verb.MOVE: Term(
        "move, moves",
        "avancer, avance, avancez, déplacer, déplace, déplacez",
        "avanzare, avanza, avanzo, muovere, muovi, muove, muovo, spostare, sposta, sposto",
    ),
    Verb.PAY: Term("pay, pays", "payer, paie, paye, payez", "pagare, paga, pagate, pago"),
    Verb.CHOOSE: Term("choose, chooses", "choisir, choisis, choisit, choisissez", "scegliere, scegli, sceglie, scelgo"),
    Verb.RETURN: Term(
        "return, returns, give back, gives back, dismiss",
        "remettre, remets, remet, remettez, rendre, rends, rend, rendez",
        "restituire, restituisci, restituisce, restituisco, rendere, rendi, rendo",
    ),
    Verb.SEND: Term(
        "send, sends", "envoyer, envoie, envoyez", "mandare, manda, mandate, mando, inviare, invia, inviate, invio"
    ),
    Verb.HARVEST: Term(
        "harvest, harvests, work, works",
        "récolter, récolte, récoltez",
        "raccogliere, raccogli, raccoglie, raccolta, raccolgo",
    ),
    Verb.AGAIN: Term(
        "again, harvest again, once more, harvest once more",
        "encore, récolter encore, récolte encore, récoltez encore",
        "ancora, raccogliere ancora, raccogli ancora, raccolgo ancora",
    ),
    Verb.TOWN: Term(
        "town, shop, go to town, goes to town, go to shop, go into town",
        "ville, boutique, aller en ville, va en ville, vais en ville, allez en ville",
        "città, bottega, negozio, andare in città, va in città, vai in città, vado in città",
    ),
    Verb.PLACE: Term(
        "place, places, put, puts",
        "placer, place, placez, mettre, mets, met, mettez, poser, pose, posez",
        "piazzare, piazza, piazzate, piazzo, mettere, metti, mette, metto, posizionare, posiziona, posiziono",
    ),
    Verb.PASS: Term("pass, passes", "passer, passe, passez", "passare, passa, passate, passo"),
    Verb.TAKE: Term(
        "take, takes, receive, receives",
        "prendre, prends, prend, prenez, recevoir, reçois, reçoit, recevez, récupérer, récupère",
        "prendere, prendi, prende, prendo, ricevere, ricevi, riceve, ricevo",
    ),
    Verb.UPGRADE: Term(
        "upgrade, upgrades", "améliorer, améliore, améliorez", "migliorare, migliora, migliorate, miglioro"
    ),
    Verb.EXCHANGE: Term(
        "exchange, exchanges, swap, swaps", "échanger, échange, échangez", "scambiare, scambia, scambiate, scambio"
    ),
    Verb.BUILD: Term(
        "build, builds, settle, settles",
        "construire, construis, construit, construisez, bâtir, bâtis, bâtissez",
        "costruire, costruisci, costruisce, costruite, costruisco",
    ),
    Verb.TRADE: Term(
        "trade, trades, sell, sells",
        "vendre, vends, vend, vendez, commerce, commerce de bétail",
        "vendere, vendi, vende, vendo, commerciare, commercia, commercio",
    ),
    Verb.USE: Term(
        "use, uses, spend, spends",
        "utiliser, utilise, utilisez, dépenser, dépense, dépensez",
        "usare, usa, usate, uso, utilizzare, utilizza, utilizzo, spendere, spendi, spende, spendo",
    ),
    Verb.CANTEEN: Term("canteen", "gourde, jeton gourde", "borraccia"),
    Verb.END: Term(
        "end, ends, end turn, ends turn, end of turn, done, finish, finishes, finish turn, finished, that's it,"
        " that's all, that is all",
        "fin, fini, finir, finis, finit, finissez, terminer, termine, terminez, terminé, c'est tout, fin de tour, fin"
        " du tour, finir tour, terminer tour, termine tour, finis tour",
        "fine, finito, ho finito, finire, finisci, finisce, finisco, terminare, termina, terminate, termino, fine"
        " turno, fine del turno, termina turno, termino turno, finisco turno, finisci turno",
    ),
    Verb.LAY: Term("lay, lays"),
    Verb.SPIN: Term("spin, spins"),
    Thing.WHEAT: Term("wheat, w", "blé, blés+", "grano, grani+, frumento"),
    Thing.PUMPKIN: Term("pumpkin, p, pumpkins+", "courge, courges+", "zucca, zucche+"),
    Thing.COPPER: Term("copper, c", "cuivre, cuivres+", "rame"),
    Thing.STONE: Term("stone, s, stones+", "pierre, pierres+", "pietra, pietre+"),
    Colour.BEIGE: Term("beige, beiges+", "beige, beiges+", "beige"),
    Colour.ORANGE: Term("orange, oranges+", "orange, oranges+", "arancione, arancioni+, arancio"),
    Colour.BROWN: Term("brown, browns+", "marron, marrons+, brun, bruns+", "marrone, marroni+"),
    Colour.GREY: Term("grey, gray, greys+, grays+", "gris", "grigio, grigi+"),
    Area.MINE: Term("mine, copper mine", "mine de cuivre", "miniera, miniera di rame"),
    Area.QUARRY: Term("quarry, stone quarry", "carrière", "cava, cava di pietra"),
    Area.FIELD: Term("field, wheat field", "champ, champ de blé, champs", "campo, campo di grano"),
    Area.GARDEN: Term("garden, pumpkin garden", "potager", "orto, orto di zucche"),
    Token.BANK: Term("bank", "banque", "banca"),
    Token.SMALL_BOX: Term("small box", "petite case, case de droite", "casella piccola, piccola casella"),
    Token.SLOT: Term("slot", "emplacement", "postazione"),
    Token.SPACE: Term("space, box, large box", "case, grande case", "casella, spazio, casella grande"),
    Token.ROW: Term("row", "rangée, ligne", "riga, fila"),
    Token.COLUMN: Term("column, col", "colonne", "colonna"),
    Token.HEX: Term("hex, hexagon", "région, hexagone", "regione, esagono"),
    Token.SEGMENT: Term("segment, segments", "case, cases", "casella, caselle, segmento, segmenti"),
    Token.ARROW: Term("arrow, wheel", "flèche, roue", "freccia, ruota"),
    Token.REPRESENTATIVE: Term("representative", "représentant", "rappresentante"),
    Token.SETTLEMENT: Term("settlement, settlements", "campement, campements", "insediamento, insediamenti"),
    Token.WORKER: Term("worker, workers+", "ouvrier, ouvriers+", "operaio, operai+, lavoratore, lavoratori+"),
    Token.GOODS: Term("goods, good", "ressources, ressource, marchandises, marchandise", "risorse, risorsa, merci"),
    Token.COW: Term("cow, cows+", "vache, vaches+", "mucca, mucche+, vacca, vacche+"),
    Token.COINS: Term("coins, coin, money", "pièces, pièce, argent", "monete, moneta, soldi"),
    Token.LARGE: Term("large, big", "grand, grande, grands, grandes", "grandi"),
    Token.SMALL: Term("small, little", "petit, petite, petits, petites", "piccolo, piccola, piccoli, piccole"),
    Token.NOTHING: Term("nothing, none", "rien, aucun, aucune", "niente, nulla"),
    Token.START: Term("start, start tile"),
    Token.TILE: Term("tile"),
    Token.TURNED: Term("turned"),
    Token.AT: Term(
        "on, onto, in, into, to, at, by", "sur, dans, en, au, aux", "su, sul, sulla, in, nel, nella, al, alla, allo"
    ),
    Token.WITH: Term("with, using", "avec", "con"),
    Token.FOR: Term("for, against", "contre, pour", "per, contro"),
    Token.OF: Term("of", "de, du, des, d", "di, del, della, dei, delle, d"),
    Token.AND: Term("and, plus", "et", "e, ed"),
}


Line: TypeAlias = Reader[Meaning]
"""A line that is being read."""
Kinds: TypeAlias = frozenset[Meaning]
"""A set of meanings that are accepted at a position."""

WORDS: Final = vocabulary(TERMS, verbs=tuple(Verb), in_full=(Verb.LAY, Verb.SPIN, *Token))
"""The vocabulary; actions of chance and small words may not be abbreviated."""
LINKS: Final[Kinds] = frozenset(
    (
        *(Token.AT, Token.WITH, Token.FOR, Token.OF, Token.AND),
        *(Token.SLOT, Token.SPACE, Token.ROW, Token.COLUMN, Token.HEX, Token.SEGMENT, Token.ARROW),
        *(Token.REPRESENTATIVE, Token.SETTLEMENT, Token.WORKER, Token.GOODS, Token.COW, Token.SMALL),
        *(Verb.HARVEST, Verb.SEND, Verb.PLACE, Verb.USE, Verb.PAY, Verb.MOVE),
    )
)
"""The words that may be there or not without a difference, such as links and labels."""
SPACES: Final = Spaces("No board has a hex", columns=16, rows=16, example="C5")


def read(line: str) -> Line:
    """A reader of the line. Raises ``NotationError`` at a character that belongs to no word."""
    return Reader(line, WORDS, SPACES)
