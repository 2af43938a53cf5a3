"""What a viewer may see of a match: board, log, record, what happened."""
