"""The ledger check: finds in the database whether anything was lost or happened twice. Read-only.

``case`` reads the rows of a match, and ``history`` divides its log into spans: the deal, each turn,
each resignation. ``turns`` and ``notices`` compare these with what must exist; ``check`` does that
for every match, and compares the database with reports of clients and mail servers.
"""
