"""`overland simulate`: plays matches between bots and measures them."""
