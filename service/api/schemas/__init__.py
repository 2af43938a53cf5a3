"""The schemas of what the API reads and writes, a module for each resource."""
