"""The schemas of what the API reads, bodies and queries, a module for each resource; and of
problems.
"""
