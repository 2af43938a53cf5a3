"""`overland bench` and `overland bench-ratios`: the speed of turns, and how it scales."""
