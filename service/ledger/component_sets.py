"""Checks that the component set of every match is stored, and is the one of its digest."""

from __future__ import annotations

from sqlalchemy import Connection

from service.ledger.findings import Findings
from service.store import component_sets


def check_component_sets(connection: Connection, findings: Findings) -> None:
    """Checks every stored set, and that every match has one."""
    for digest in component_sets.mismatched(connection):
        sentence = f"The component set {digest} is not the one that has this digest: it was changed."
        findings.breach("components_differ", digest, sentence)
    for match_id in component_sets.missing(connection):
        findings.breach("components_missing", match_id, f"Match {match_id}: its component set is not stored.")
