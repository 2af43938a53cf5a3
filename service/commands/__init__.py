"""The subcommands of `overland`, one module each."""
