"""`overland simulate`: matches played by bots, and measured."""
