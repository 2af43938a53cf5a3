"""The use cases of a turn, in order: intake, submit, wait; pending, batch, judge; and the preview
and legal actions before it.
"""
