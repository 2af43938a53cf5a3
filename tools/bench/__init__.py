"""`overland bench` and `overland bench-ratios`: what turns and stored matches cost."""
