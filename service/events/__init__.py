"""The log of events: what players and watchers of matches are to know, in order of commits."""
