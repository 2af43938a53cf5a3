"""A turn's way: intake, submit, pending, judge, ruling, wait; and what is asked beforehand."""
