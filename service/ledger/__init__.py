"""The ledger: proves from the database that nothing was lost and nothing happened twice.

Reads only, so a running service may be checked.

1. ``case`` reads what the database has of one match.
2. ``history`` replays its log into steps: the deal, each turn, each resignation.
3. ``turns`` holds the steps against the turns and their verdicts, ``notices`` against what players
   are owed.
4. ``witnesses`` holds all of it against what clients and mail servers say they saw.
"""
