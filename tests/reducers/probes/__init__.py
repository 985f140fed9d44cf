"""Outputs made for the tests: realistic in build, each with facts planted in it."""

from __future__ import annotations

from tests.reducers.probes import (
    builds,
    classes,
    crashes,
    data,
    documents,
    dumps,
    further,
    inner_rows,
    irregular,
    languages,
    listings,
    logs,
    named,
    nested,
    noisy,
    operations,
    pages,
    runs,
    sources,
    specs,
    statements,
    structures,
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
    further,
    operations,
    classes,
    languages,
    structures,
    nested,
    documents,
    dumps,
    noisy,
    inner_rows,
    statements,
    irregular,
)
ALL: tuple[Probe, ...] = tuple(make() for module in _MODULES for make in module.PROBES)
