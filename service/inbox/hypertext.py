"""The text of an HTML mail, its quotations marked as in a plain text."""

from __future__ import annotations

import re
from typing import Any, Final

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from lxml import etree
from lxml import html as lxml_html

SEPARATOR: Final = "-----Original Message-----"
"""The line before a quotation that is not marked line by line."""
_QUOTES: Final = {
    "appendonsend",
    "divrplyfwdmsg",
    "mail-editor-reference-message-container",
    "ms-outlook-mobile-reference-message",
    "olk_src_body_section",
    "stopspelling",
    "yahoo_quoted",
    "protonmail_quote",
    "tutanota_quote",
    "zmail_extra",
    "messagereplysection",
    "gwp_quote",
    "hmmessage_quote",
}
"""Identifiers, classes and names of the elements with which mail programs begin a quotation."""
_ATTRIBUTIONS: Final = {"gmail_attr", "moz-cite-prefix", "reply-intro", "moz-forward-container-header"}
_SIGNATURES: Final = {
    "gmail_signature",
    "moz-signature",
    "ms-outlook-mobile-signature",
    "protonmail_signature_block",
    "applemailsignature",
    "zmail_signature_below",
    "tutanota_signature",
    "signature",
}
_LONGEST_SIGNATURE: Final = 1_500
_OUTLOOK_LINE: Final = re.compile(
    r"border:none;border-top:solid#(?:b5c4df|e1e1e1)|border-top:1ptsolid|border-top:solid#"
)
_INDENT: Final = re.compile(r"border:none|border:0|border-width:0")
_UNSEEN: Final = ("head", "script", "style", "title", "template", "object", "svg", "noscript")
_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]*>")
_CONFIG: Final = ParserConfig(css=CSS_PROFILES["strict"])


def text_of(html: str) -> str:
    """The text of an HTML document, its lines ended by ``\\n``; empty if it cannot be read.

    Each line of a quotation that is an element of its own begins with ``> ``; before one that only
    begins at an element stands ``SEPARATOR``. Signatures that are marked as such are left out.
    """
    try:
        parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
        content = _DECLARATION.sub("", html).replace("\0", "").encode("utf-8", "replace")
        tree: Any = lxml_html.document_fromstring(content, parser=parser) if content.strip() else None
        if tree is None:
            return ""
        _remove_unseen(tree)
        _mark(tree)
        return _written(tree)
    except (etree.LxmlError, ValueError, RecursionError):
        return ""


def _remove_unseen(tree: Any) -> None:
    for element in list(tree.iter(*_UNSEEN)):
        if element.getparent() is not None:
            element.drop_tree()


def _mark(tree: Any) -> None:
    for element in list(tree.iter()):
        if not isinstance(element.tag, str) or element.getparent() is None:
            continue
        names = _names(element)
        if names & _ATTRIBUTIONS or (
            names & _SIGNATURES and len(element.text_content()) <= _LONGEST_SIGNATURE and not _has_quote(element)
        ):
            element.drop_tree()
        elif names & _QUOTES or _is_outlook_line(element):
            element.addprevious(_paragraph(SEPARATOR))
    for quote in list(tree.iter("blockquote")):
        if _is_quote(quote) and not any(_is_quote(outer) for outer in quote.iterancestors("blockquote")):
            _replace(quote)


def _names(element: Any) -> set[str]:
    said = " ".join(element.get(name, "") for name in ("id", "class", "name", "data-smartmail")).lower()
    return set(said.split())


def _has_quote(element: Any) -> bool:
    return next(element.iter("blockquote"), None) is not None


def _is_outlook_line(element: Any) -> bool:
    return element.tag == "div" and _OUTLOOK_LINE.search(_style(element)) is not None


def _is_quote(element: Any) -> bool:
    """Whether a block quote quotes: the indented paragraphs of Gmail are typed."""
    is_indent = "gmail_quote" in _names(element) and element.get("type") != "cite" and _INDENT.search(_style(element))
    return not is_indent


def _style(element: Any) -> str:
    return re.sub(r"\s", "", element.get("style", "").lower())


def _replace(quote: Any) -> None:
    """Puts the text of a quotation in its place, each line marked."""
    lines = _written(quote, alone=True).split("\n")
    marked = etree.Element("pre")
    marked.text = "\n".join(f"> {line}" for line in lines)
    marked.tail = quote.tail
    quote.getparent().replace(quote, marked)


def _written(tree: Any, alone: bool = False) -> str:
    tail = tree.tail
    if alone:
        tree.tail = None
    text: str = Inscriptis(tree, _CONFIG).get_text()
    tree.tail = tail
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _paragraph(text: str) -> Any:
    paragraph = etree.Element("p")
    paragraph.text = text
    return paragraph
