"""The REST API: a blueprint for each resource, all of them listed here."""
