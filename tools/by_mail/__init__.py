"""`overland by-mail`: a whole match by mail alone, through a Postfix and back.

Nothing is asked over HTTP between the first mail, which signs up, and the last, which has the
scores.
"""
