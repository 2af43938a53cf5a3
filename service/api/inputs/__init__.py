"""Schemas of request bodies and queries, one module per resource, and of problems."""
