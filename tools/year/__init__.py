"""`overland simulate-year`: plays a year of matches against the clock, and has a referee of its own
check every deadline.
"""
