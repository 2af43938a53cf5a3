"""The ledger: proves from the database that nothing was lost and nothing happened twice.

Reads only, so a running service may be checked.

1. ``case`` reads what the database has of one match.
2. ``history`` replays its log and divides it into spans: the deal, each turn, each resignation.
3. ``turns`` compares the spans with the turns and their verdicts, ``notices`` with what players
   are owed.
4. ``witnesses`` compares the database with what clients and mail servers report.
"""
