"""The ledger check: finds in the database whether anything was lost or happened twice.

Read-only, so a running service may be checked.

1. ``case`` reads the rows of one match.
2. ``history`` replays its log and divides it into spans: the deal, each turn, each resignation.
3. ``turns`` compares the spans with the turns and their verdicts, ``notices`` with the notices that
   must exist.
4. ``component_sets`` checks that every match has its set.
5. ``witnesses`` compares the database with reports of clients and mail servers.
"""
