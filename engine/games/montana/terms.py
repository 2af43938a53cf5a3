"""The terms of Montana: every action, piece and place in English, French and Italian.

The French terms are those of the rulebook, which exists in French. The English name of a term is
used by help, errors and sentences; the notation reads all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from engine.games.montana.components import Area
from engine.vocabulary import Term


class Verb(Enum):
    """The first words of actions."""

    RECRUIT = "recruit"
    MOVE = "move"
    PAY = "pay"
    CHOOSE = "choose"
    RETURN = "return"
    SEND = "send"
    HARVEST = "harvest"
    AGAIN = "again"
    TOWN = "town"
    PLACE = "place"
    PASS = "pass"
    TAKE = "take"
    UPGRADE = "upgrade"
    EXCHANGE = "exchange"
    BUILD = "build"
    TRADE = "trade"
    USE = "use"
    CANTEEN = "canteen"
    END = "end"
    LAY = "lay"
    SPIN = "spin"


class Thing(Enum):
    """A good or the worker that harvests it; the action determines which of the two is meant."""

    WHEAT = "wheat"
    PUMPKIN = "pumpkin"
    COPPER = "copper"
    STONE = "stone"


class Token(Enum):
    """Other pieces and places, and the small words between them."""

    BANK = "bank"
    SMALL_BOX = "small box"
    SLOT = "slot"
    SPACE = "space"
    ROW = "row"
    COLUMN = "column"
    HEX = "hex"
    SEGMENT = "segment"
    ARROW = "arrow"
    REPRESENTATIVE = "representative"
    SETTLEMENT = "settlement"
    WORKER = "worker"
    GOODS = "goods"
    COW = "cow"
    COINS = "coins"
    LARGE = "large"
    SMALL = "small"
    NOTHING = "nothing"
    TIMES = "x"
    START = "start"
    TILE = "tile"
    TURNED = "turned"
    AT = "on"
    WITH = "with"
    FOR = "for"
    OF = "of"
    AND = "and"


Meaning: TypeAlias = Verb | Thing | Token | Area

TERMS: Final[Mapping[Meaning, Term]] = {
    Verb.RECRUIT: Term(
        "recruit, recruits, hire, hires",
        "recruter, recrute, recrutez",
        "reclutare, recluta, reclutate, assumere, assumi",
    ),
    Verb.MOVE: Term(
        "move, moves",
        "avancer, avance, avancez, déplacer, déplace, déplacez",
        "avanzare, avanza, muovere, muovi, muove, spostare, sposta",
    ),
    Verb.PAY: Term("pay, pays", "payer, paie, payez", "pagare, paga, pagate"),
    Verb.CHOOSE: Term("choose, chooses", "choisir, choisis, choisit, choisissez", "scegliere, scegli, sceglie"),
    Verb.RETURN: Term(
        "return, returns, give back, gives back, dismiss",
        "remettre, remets, remet, remettez, rendre, rends, rend, rendez",
        "restituire, restituisci, restituisce, rendere, rendi",
    ),
    Verb.SEND: Term("send, sends", "envoyer, envoie, envoyez", "mandare, manda, mandate, inviare, invia, inviate"),
    Verb.HARVEST: Term(
        "harvest, harvests", "récolter, récolte, récoltez", "raccogliere, raccogli, raccoglie, raccolta"
    ),
    Verb.AGAIN: Term(
        "again, harvest again, once more, harvest once more",
        "encore, récolter encore, récolte encore, récoltez encore",
        "ancora, raccogliere ancora, raccogli ancora",
    ),
    Verb.TOWN: Term(
        "town, shop, go to town, goes to town, go to shop, go into town",
        "ville, boutique, aller en ville, va en ville, allez en ville",
        "città, bottega, negozio, andare in città, va in città, vai in città",
    ),
    Verb.PLACE: Term(
        "place, places, put, puts",
        "placer, place, placez, mettre, mets, met, mettez, poser, pose, posez",
        "piazzare, piazza, piazzate, mettere, metti, mette, posizionare, posiziona",
    ),
    Verb.PASS: Term("pass, passes", "passer, passe, passez", "passare, passa, passate, passo"),
    Verb.TAKE: Term(
        "take, takes, receive, receives",
        "prendre, prends, prend, prenez, recevoir, reçois, reçoit, recevez, récupérer, récupère",
        "prendere, prendi, prende, ricevere, ricevi, riceve",
    ),
    Verb.UPGRADE: Term("upgrade, upgrades", "améliorer, améliore, améliorez", "migliorare, migliora, migliorate"),
    Verb.EXCHANGE: Term(
        "exchange, exchanges, swap, swaps", "échanger, échange, échangez", "scambiare, scambia, scambiate"
    ),
    Verb.BUILD: Term(
        "build, builds, settle, settles",
        "construire, construis, construit, construisez, bâtir, bâtis, bâtissez",
        "costruire, costruisci, costruisce, costruite",
    ),
    Verb.TRADE: Term(
        "trade, trades, sell, sells",
        "vendre, vends, vend, vendez, commerce, commerce de bétail",
        "vendere, vendi, vende, commerciare, commercia",
    ),
    Verb.USE: Term(
        "use, uses, spend, spends",
        "utiliser, utilise, utilisez, dépenser, dépense, dépensez",
        "usare, usa, usate, spendere, spendi, spende",
    ),
    Verb.CANTEEN: Term("canteen", "gourde, jeton gourde", "borraccia"),
    Verb.END: Term(
        "end, ends, end turn, ends turn, done, finish, finishes",
        "fin, finir, finis, finit, finissez, terminer, termine, terminez, fin de tour, fin du tour, finir tour,"
        " terminer tour",
        "fine, finire, finisci, finisce, terminare, termina, terminate, fine turno, fine del turno, termina turno",
    ),
    Verb.LAY: Term("lay, lays"),
    Verb.SPIN: Term("spin, spins"),
    Thing.WHEAT: Term("wheat, w, beige", "blé, blés", "grano, frumento"),
    Thing.PUMPKIN: Term("pumpkin, p, pumpkins, orange", "courge, courges", "zucca, zucche, arancione, arancioni"),
    Thing.COPPER: Term("copper, c, brown", "cuivre, cuivres, marron", "rame, marrone, marroni"),
    Thing.STONE: Term("stone, s, stones, grey, gray", "pierre, pierres, gris", "pietra, pietre, grigio, grigi"),
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
    Token.WORKER: Term("worker, workers", "ouvrier, ouvriers", "operaio, operai, lavoratore, lavoratori"),
    Token.GOODS: Term("goods, good", "ressources, ressource, marchandises, marchandise", "risorse, risorsa, merci"),
    Token.COW: Term("cow, cows", "vache, vaches", "mucca, mucche, vacca, vacche"),
    Token.COINS: Term("coins, coin, money", "pièces, pièce, argent", "monete, moneta, soldi"),
    Token.LARGE: Term("large, big", "grand, grande, grands, grandes", "grandi"),
    Token.SMALL: Term("small, little", "petit, petite, petits, petites", "piccolo, piccola, piccoli, piccole"),
    Token.NOTHING: Term("nothing, none", "rien, aucun, aucune", "niente, nulla"),
    Token.TIMES: Term("x, times", "fois", "volte"),
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
