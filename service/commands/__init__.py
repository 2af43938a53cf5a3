"""What the `overland` command does, one module per subcommand."""
