"""What the API answers: dataclasses that add to the answers of the use cases what only HTTP has
(links, numbers, what is the caller's own), a module for each resource, with the function that
builds each.
"""
