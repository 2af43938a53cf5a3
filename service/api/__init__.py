"""The REST API: a module for each resource; `blueprints` lists and registers them."""
