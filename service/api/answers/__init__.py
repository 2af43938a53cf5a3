"""Answers of the API, one module per resource: dataclasses that add what only HTTP has (links,
numbers, what is the caller's own) to the results of the use cases, and the functions that build
them.
"""
