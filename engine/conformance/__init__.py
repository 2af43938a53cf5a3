"""What holds for every game, as checks that anybody can run over theirs: ``overland game check``,
and the tests of Overland itself.

A check takes a game, or a match of it that was played to the end, and yields its findings as
sentences; a sound game has none. ``checks`` lists them all.
"""
