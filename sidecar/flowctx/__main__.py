"""`python -m flowctx` is the command `flowctx`."""

from flowctx.cli.main import main

if __name__ == "__main__":
    main()
