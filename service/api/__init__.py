"""The REST API: one module per resource, registered by `blueprints`."""
