"""The clocks of matches: a pure function of the steps of a match and of what stopped them."""
