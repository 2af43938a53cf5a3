"""Recognises what stands below a text: signatures, footers of phones and gateways, sign-offs."""

from __future__ import annotations

import re
from typing import Final

_SEPARATOR: Final = re.compile(r"\s*--\s*")
_FOOTER: Final = re.compile(
    r"\W*(?:"
    r"(?:sent|enviado|envoy[ée]|inviato|inviata|gesendet|verzonden|skickat|sendt|send) "
    r"(?:from|with|via|using|by|by way of|de|depuis|du|avec|par|à partir|da|dal|dalla|con|tramite|mit|von|vom"
    r"|aus|über|met|vanaf|van|via"
    r"|desde|do|från|fra)\b.*"
    r"|(?:von|vom) mein\w* .*\bgesendet\b.*|diese (?:nachricht|e-?mail|mail) wurde (?:von|mit)\b.*\bgesendet\b.*"
    r"|get outlook for \w+.*|get the (?:app|outlook)\b.*|(?:obtenir|obtenez|t[ée]l[ée]charge[rz]?) outlook\b.*"
    r"|(?:scarica|ottieni) outlook\b.*|(?:holen sie sich )?outlook f(?:ü|ue)r (?:ios|android)\b.*"
    r"|(?:descargar?|obtener) outlook\b.*|download outlook\b.*"
    r"|yahoo! ?mail\b.*|yahoo mail: search.*|(?:virus-free|virenfrei|sans virus|garanti sans virus"
    r"|privo di virus)\b.*"
    r"|.*\bplease excuse (?:my|any|the) (?:brevity|typos|terseness)\b.*|.*\bexcusez (?:ma|la) brièveté\b.*"
    r"|.*\bbitte entschuldigen sie die kürze\b.*|un(?:e)? messagerie (?:gratuite|pro).*"
    r"|.*\bscann?ed by\b.*|.*\bavast\b.*\bvirus.*"
    r")",
    re.IGNORECASE,
)
_DISCLAIMER: Final = re.compile(
    r"\W*(?:"
    r"(?:confidential(?:ity)?|disclaimer|legal notice|important notice|privileged|privacy notice|avertissement"
    r"|avis de confidentialit[ée]"
    r"|avviso di riservatezza|informativa privacy|vertraulichkeitshinweis|haftungsausschluss)\b.{0,40}(?:[:.-]"
    r"|notice|$).*"
    r"|(?:this|the (?:information|content|contents) (?:in|of|contained in) this) (?:e-?mail|message"
    r"|communication|transmission)\b.{0,60}"
    r"(?:\b(?:and any|is|are|may|contains?|has|including|was|\(including)\b).*"
    r"|(?:the )?information (?:contained )?in this (?:e-?mail|message)\b.*"
    r"|ce (?:message|courriel|mail|courrier|mél)\b.{0,60}\b(?:et|est|peut|contient|ainsi)\b.*"
    r"|(?:questo messaggio|questa e-?mail|la presente e-?mail|il presente messaggio|le informazioni contenute)\b.*"
    r"|diese (?:e-?mail|nachricht|mitteilung)\b.{0,60}\b(?:kann|ist|enthält|und|könnte)\b.*"
    r"|(?:please )?consider the environment\b.*|(?:please )?think (?:of|about) the environment\b.*"
    r"|pensez à l'environnement.*"
    r"|avant d'imprimer.*|prima di stampare.*|bitte denken sie an die umwelt.*"
    r"|if you (?:are|have) (?:not the (?:intended|named)|received this)\b.*"
    r"|you received this message because you are subscribed\b.*|to unsubscribe from this (?:group|list)\b.*"
    r")",
    re.IGNORECASE,
)
_WARNING: Final = re.compile(
    r"\W*(?:"
    r"\[(?:external|externe?r?|esterno|extern)[^\]]{0,40}\].*"
    r"|(?:external|externe|externer|esterno) (?:e-?mail|message|sender|absender|courriel)\b.*"
    r"|(?:caution|warning|achtung|attention|attenzione|security)\s?[:!-].{0,20}\b(?:e-?mail|message|external"
    r"|mail|nachricht|messaggio)\b.*"
    r"|you don't often get (?:e-?mail|mail) from\b.*|(?:some people|some)? ?who received this message don't often\b.*"
    r")",
    re.IGNORECASE,
)
_SIGN_OFF: Final = re.compile(
    r"(?:(?:best|kind|kindest|warm|warmest|many|with (?:best|kind)|all the) )?"
    r"(?:regards|wishes|greetings|best|cheers|cheerio|bye|bye bye|ciao|ciao ciao|yours|yours (?:sincerely|truly"
    r"|faithfully)|sincerely"
    r"|take care|xx?x?|love|see you|see ya|talk soon|br|rgds|kr|bw"
    r"|cordialement|bien cordialement|bien à (?:toi|vous)|amicalement|amitiés|bises|bisous|à plus|à bientôt|a\+"
    r"|salutations|cdlt"
    r"|saluti|cordiali saluti|distinti saluti|un saluto|a presto|un abbraccio|baci|tanti saluti"
    r"|gr(?:ü|ue)(?:ß|ss)e|viele gr(?:ü|ue)(?:ß|ss)e|liebe gr(?:ü|ue)(?:ß|ss)e|(?:mit )?(?:freundliche[nm]?"
    r"|besten?|schöne[nm]?|herzliche[nm]?) gr(?:ü|ue)(?:ß|ss)en?"
    r"|mfg|lg|vg|tschüss|tschüs|gru(?:ß|ss)|bis bald|saludos|un saludo|abrazos?|groet(?:en|jes)?"
    r"|met vriendelijke groet|mvg|abraços?|cumprimentos)"
    r"(?: (?:and|et|e|und) [^\W\d_]+)?(?:[,.! ]+[^\W\d_]+){0,2}\W*",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    r"(?:many |lots of )?(?:thanks|thank you|thx|ty|tia|merci|grazie|danke|gracias|bedankt|obrigado|obrigada)"
    r"(?: (?:a lot|so much|very much|again|all|everyone|beaucoup|mille|tante|schön|vielmals|encore|ancora))?"
    r"(?:[,.! ]+[^\W\d_]+){0,2}\W*",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|afternoon|day)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?"
    r"|moin|servus|grüezi"
    r"|bonjour|bonsoir|salut|coucou|cher|chère|ciao|salve|buongiorno|buonasera|caro|cara|hola|buenos días|olá"
    r"|hoi|dag|beste)"
    r"(?: (?:there|all|everyone|everybody|overland|zusammen|à tous|a tutti|tutti|tous|team))?"
    r"(?:[,.! ]+[^\W\d_]+){0,2}\W*",
    re.IGNORECASE,
)


def is_separator(line: str) -> bool:
    """Whether the line separates a signature (RFC 3676, section 4.3), its trailing space lost or
    not.
    """
    return _SEPARATOR.fullmatch(line) is not None


def is_footer(line: str) -> bool:
    """Whether a mail program wrote the line below the text: "Sent from my iPhone"."""
    return len(line) <= 200 and _FOOTER.fullmatch(line) is not None


def is_disclaimer(line: str) -> bool:
    """Whether the line begins what a company adds below its mails."""
    return _DISCLAIMER.match(line) is not None


def is_warning(line: str) -> bool:
    """Whether a mail server put the line above a text that came from outside."""
    return _WARNING.match(line) is not None


def is_sign_off(line: str) -> bool:
    """Whether the line ends a mail politely: "Cheers, Bob"; what follows is a signature."""
    return len(line) <= 80 and _SIGN_OFF.fullmatch(line.strip()) is not None


def is_thanks(line: str) -> bool:
    """Whether the line only thanks."""
    return len(line) <= 80 and _THANKS.fullmatch(line.strip()) is not None


def is_greeting(line: str) -> bool:
    """Whether the line only greets: "Hello Anna,"."""
    return len(line) <= 80 and _GREETING.fullmatch(line.strip()) is not None
