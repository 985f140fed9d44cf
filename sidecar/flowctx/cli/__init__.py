"""The command `flowctx`: one file per subcommand, `main` puts them together."""
