"""Mutation testing: changes the code in small ways and counts the changes that a test detects.

1. ``parts`` lists the files to mutate, and the tests that have to detect the mutants.
2. ``sources`` lists every mutant of a file; ``sample`` draws the same ones for the same seed.
3. ``trace`` runs the tests once and records which test calls which function.
4. ``trial`` writes one mutant into a private copy of the tree and runs the tests that call it.
5. ``report`` compares the survivors with those known to be equivalent.
"""
