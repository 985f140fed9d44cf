"""The real host around the tests: its installation, its gateway and a scripted model."""
