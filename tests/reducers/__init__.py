"""Tests of the reducers."""
