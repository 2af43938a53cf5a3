"""Worker processes: they judge turns, deliver notices, handle messages, play for bots, sweep."""
