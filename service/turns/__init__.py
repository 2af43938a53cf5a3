"""The use cases of a turn, in order: intake, submit, pending, judge, ruling, wait; preview and
legal actions before it.
"""
