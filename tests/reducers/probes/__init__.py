"""Outputs made for the tests: realistic in build, each with facts planted in it."""

from __future__ import annotations

from tests.reducers.probes import (
    builds,
    crashes,
    data,
    listings,
    logs,
    named,
    pages,
    runs,
    sources,
    specs,
    systems,
    tongues,
)
from tests.reducers.probes.probe import Probe

_MODULES = (
    specs,
    data,
    runs,
    builds,
    logs,
    tongues,
    crashes,
    sources,
    listings,
    pages,
    systems,
    named,
)
ALL: tuple[Probe, ...] = tuple(make() for module in _MODULES for make in module.PROBES)
