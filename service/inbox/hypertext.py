"""The text of an HTML mail, its quotations marked as in a plain text."""

from __future__ import annotations

import re
from typing import Any, Final

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from inscriptis.model.tag import CustomHtmlTagHandlerMapping
from inscriptis.model.tag.table_tag import table_end_handler
from lxml import etree
from lxml import html as lxml_html

from service.inbox.bounds import BOUNDS, MailBounds, check
from service.inbox.plain_text import EMOJI
from service.texts import gettext as _

SEPARATOR: Final = "-----Original Message-----"
"""The line before a quotation that is not marked line by line."""
_QUOTES: Final = frozenset(
    "appendonsend divrplyfwdmsg mail-editor-reference-message-container ms-outlook-mobile-reference-message"
    " olk_src_body_section stopspelling yahoo_quoted protonmail_quote tutanota_quote zmail_extra messagereplysection"
    " gwp_quote hmmessage_quote".split()
)
"""Identifiers, classes and names of the elements with which mail programs begin a quotation."""
_ATTRIBUTIONS: Final = frozenset("gmail_attr moz-cite-prefix reply-intro moz-forward-container-header".split())
_SIGNATURES: Final = frozenset(
    "gmail_signature moz-signature ms-outlook-mobile-signature protonmail_signature_block applemailsignature"
    " zmail_signature_below tutanota_signature signature".split()
)
_LONGEST_SIGNATURE: Final = 1_500
_OUTLOOK_LINE: Final = re.compile(
    r"border:none;border-top:solid#(?:b5c4df|e1e1e1)|border-top:1ptsolid|border-top:solid#"
)
_INDENT: Final = re.compile(r"border:none|border:0|border-width:0")
_UNSEEN: Final = "head script style title template object svg noscript s strike del".split()
_UNSEEN_STYLE: Final = re.compile(r"line-through|visibility:hidden|mso-hide:all|opacity:0(?![.\d])")
_MARKUP: Final = re.compile(
    r"""<!--.*?(?:-->|\Z)|<[!?][^<>]*+>|<(?P<tag>/?[a-z][a-z0-9:]*+)(?P<rest>(?:"[^"]*+"|'[^']*+'|[^"'<>])*+)>|<""",
    re.IGNORECASE | re.DOTALL,
)
"""Comments, declarations and tags. One that is not ended goes no further than to the next, and is
text: each would be read to the end of the mail.
"""
_ATTRIBUTE: Final = re.compile(
    r"""(?<![\w-])(id|class|name|data-smartmail|start|style|type|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""",
    re.IGNORECASE,
)
"""The attributes that matter to the text."""
_LONG_NUMBER: Final = re.compile(r"\d{3,}")
"""In a style, it is the size of a margin that would fill pages."""
_EMOJI_PICTURE: Final = re.compile(rf"""\balt\s*=\s*["']?([{EMOJI}]+)""", re.IGNORECASE)
"""An emoji as a picture."""
_OURS: Final = "quotation"
"""The attribute of the elements that are put where a quotation is, or begins."""
_INTEGER: Final = re.compile(r"\s*([+-]?[0-9]{1,9})(?![0-9])")
_LIST_STYLE: Final = re.compile(r"list-style(?:-type)?:(?!decimal)")
_BULLET: Final = "* "


def text_of(html: str, bounds: MailBounds = BOUNDS) -> str:
    """The text of an HTML document, without marked signatures; empty if it cannot be read. Raises
    ``Beyond`` where it has too many elements, or too deep ones.

    Each line of a quotation that is an element of its own begins with ``> ``; before one that only
    begins at an element stands ``SEPARATOR``.
    """
    content = _plain_tags(html.replace("\0", ""), bounds)
    if not content.strip():
        return ""
    try:
        parser = lxml_html.HTMLParser(encoding="utf-8")
        tree: Any = lxml_html.document_fromstring(content.encode("utf-8", "replace"), parser=parser)
        _check_depth(tree, bounds)
        for element in list(tree.iter()):
            if element.getparent() is not None and _is_unseen(element):
                element.drop_tree()
        config = _config(bounds)
        _mark(tree, config)
        _mark_tables(tree, config)
        return _written(tree, config)
    except (etree.LxmlError, ValueError, RecursionError):
        return ""


def _plain_tags(html: str, bounds: MailBounds) -> str:
    """The document with what matters alone: parsers take quadratic time for many attributes."""
    count = 0

    def plain(found: re.Match[str]) -> str:
        nonlocal count
        if (tag := found["tag"]) is None:
            return "&lt;" if found[0] == "<" else ""
        if tag.startswith("/"):
            return f"<{tag}>"
        if tag.lower() == "img" and (sign := _EMOJI_PICTURE.search(found["rest"])) is not None:
            return sign[1]
        count += 1
        check(count, bounds.elements, _("Its HTML has more than {most} elements."))
        said = {
            name.lower(): double or single or bare for name, double, single, bare in _ATTRIBUTE.findall(found["rest"])
        }
        if "style" in said:
            said["style"] = _LONG_NUMBER.sub("99", said["style"])
        if tag.lower() == "ol" and "reversed" in found["rest"].lower():
            said["type"] = "reversed"
        written = "".join(' {}="{}"'.format(name, value.replace('"', "&quot;")) for name, value in said.items())
        return f"<{tag}{written}>"

    return _MARKUP.sub(plain, html)


def _check_depth(tree: Any, bounds: MailBounds) -> None:
    depth = 0
    for event, _element in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        check(depth, bounds.nested, _("The elements of its HTML are more than {most} deep within each other."))


def _mark(tree: Any, config: ParserConfig) -> None:
    for element in list(tree.iter()):
        if not isinstance(element.tag, str) or element.getparent() is None:
            continue
        names = _names(element)
        if names & _ATTRIBUTIONS or (names & _SIGNATURES and _is_signature(element)):
            element.drop_tree()
        elif names & _QUOTES or (element.tag == "div" and _OUTLOOK_LINE.search(_style(element))):
            separator = etree.Element("p", {_OURS: ""})
            separator.text = SEPARATOR
            element.addprevious(separator)
    for quote in list(tree.iter("blockquote")):
        if _is_quote(quote) and not any(_is_quote(outer) for outer in quote.iterancestors("blockquote")):
            _replace(quote, config)


def _is_unseen(element: Any) -> bool:
    """Whether an element shows nothing, or what was struck out, which is not meant any more."""
    return element.tag in _UNSEEN or (
        isinstance(element.tag, str) and _UNSEEN_STYLE.search(_style(element)) is not None
    )


def _names(element: Any) -> set[str]:
    said = " ".join(element.get(name, "") for name in ("id", "class", "name", "data-smartmail")).lower()
    return set(said.split())


def _is_signature(element: Any) -> bool:
    """Whether an element that is marked as a signature is one alone."""
    return len(element.text_content()) <= _LONGEST_SIGNATURE and next(element.iter("blockquote"), None) is None


def _is_quote(element: Any) -> bool:
    """Whether a block quote quotes: the indented paragraphs of Gmail are typed."""
    is_indent = "gmail_quote" in _names(element) and element.get("type") != "cite" and _INDENT.search(_style(element))
    return not is_indent


def _style(element: Any) -> str:
    return re.sub(r"\s", "", element.get("style", "").lower())


def _replace(quote: Any, config: ParserConfig) -> None:
    """Puts the text of a quotation in its place, each line marked."""
    marked = etree.Element("pre", {_OURS: ""})
    marked.tail, quote.tail = quote.tail, None
    marked.text = "\n".join(f"> {line}" for line in _written(quote, config).split("\n")) + "\n\n"
    quote.getparent().replace(quote, marked)


def _mark_tables(tree: Any, config: ParserConfig) -> None:
    """Puts a quote mark before the lines of tables where other text stands above the quotation,
    too: that was typed, and the cells are those of a signature, or were copied.
    """
    tables: list[Any] = []
    within, beside = 0, ""
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if element.get(_OURS) is not None:
            break
        is_table = element.tag == "table"
        if event == "start":
            tables += [element] if is_table and not within else []
            within += is_table
        else:
            within -= is_table
        if not within:
            beside += (element.text if event == "start" else element.tail) or ""
    if beside.strip():
        for table in tables:
            _replace(table, config)


_NARROWEST: Final = 8
"""Blanks that a column counts as at least, for each row: it takes time also where it is empty."""


def _begin_list(state: Any, attributes: Any) -> None:
    """Begins an ordered list, from whose first number its items are counted."""
    state.li_counter.append(_integer(attributes.get("start", ""), 1) if _is_numbered(attributes) else _BULLET)


def _begin_item(state: Any, attributes: Any) -> None:
    """Begins an item with the number that its reader sees: a player may have typed it, and what is
    not counted in numbers has none.
    """
    counters = state.li_counter or [_BULLET]
    if isinstance(counters[-1], int):
        counters[-1] = _integer(attributes.get("value", ""), counters[-1]) if _is_numbered(attributes) else _BULLET
    state.tags[-1].list_bullet = _BULLET
    if isinstance(counters[-1], int):
        state.tags[-1].list_bullet = f"{counters[-1]}. "
        counters[-1] += 1
    state.tags[-1].write("")


def _is_numbered(element: Any) -> bool:
    """Whether a list, or one item of it, is counted upwards in numbers."""
    return element.get("type", "1").strip() in ("", "1") and _LIST_STYLE.search(_style(element)) is None


def _integer(text: str, otherwise: int) -> int:
    """A number as browsers read it."""
    found = _INTEGER.match(text)
    return otherwise if found is None else int(found[1])


def _config(bounds: MailBounds) -> ParserConfig:
    """How the elements of one document are written, each cell as wide as the widest in its column.
    Raises ``Beyond`` where that would take too many blanks.
    """
    blanks = 0

    def end_table(state: Any) -> None:
        nonlocal blanks
        blanks += _blanks_of(state.current_table[-1]) if state.current_table else 0
        check(blanks, bounds.blanks, _("Its tables need more than {most} blanks as text."))
        table_end_handler(state)

    return ParserConfig(
        css=CSS_PROFILES["strict"],
        custom_html_tag_handler_mapping=CustomHtmlTagHandlerMapping(
            {"ol": _begin_list, "li": _begin_item}, {"table": end_table}
        ),
    )


def _blanks_of(table: Any) -> int:
    """How many blanks fill the cells of a table: as wide as the widest of their columns, as high as
    the highest of their rows.
    """
    height = content = 0
    widths: list[int] = []
    for row in table.rows:
        longest = 1
        for column, cell in enumerate(row.columns):
            cell.flush_inline()
            lines = "\n".join(cell.blocks).split("\n")
            content += sum(map(len, lines))
            longest = max(longest, len(lines))
            widths += [_NARROWEST] if column == len(widths) else []
            widths[column] = max(widths[column], *map(len, lines))
        height += longest
    return height * sum(widths) - content


def _written(tree: Any, config: ParserConfig) -> str:
    text: str = Inscriptis(tree, config).get_text()
    return "\n".join(line.rstrip() for line in text.split("\n"))
