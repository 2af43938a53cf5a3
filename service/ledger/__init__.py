"""The ledger check: finds in the database whether anything was lost or happened twice.

Read-only, so a running service may be checked.

1. ``case`` reads the rows of one match.
2. ``history`` replays its log and divides it into spans: the deal, each turn, each resignation.
3. ``turns`` compares the spans with the turns and their verdicts, with what the match says of
   itself, and with its clocks; ``notices`` with the notices and events that must exist.
4. ``check`` does all of that for every match, and compares the database with reports of clients and
   mail servers.
"""
