"""The REST API: a module for each resource; `blueprints` lists them and puts them together."""
