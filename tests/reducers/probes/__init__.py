"""Outputs made for the tests: realistic in build, each with facts planted in it."""
