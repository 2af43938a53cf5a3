"""Offers that the players of a match make each other: a pause, a day more."""
