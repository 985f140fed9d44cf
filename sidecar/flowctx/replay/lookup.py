"""Where a probe can be had: in the view, one retrieve away, by search, or nowhere.

What is not visible must come out of the store, by a lookup of a hash or node
that the view names; what no view leads to, by the search that a model would use.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from flowctx.errors import OriginalNotFoundError
from flowctx.message import HASH_CHARS, hash_text, parse_message, text_of
from flowctx.replay.figures import Probes
from flowctx.replay.host import Host
from flowctx.replay.probes import Probe, whole_text
from flowctx.replay.provider import Item
from flowctx.service.bodies import load_message
from flowctx.service.retrieve import retrieve_as_owner
from flowctx.service.search.feed import IndexFeed
from flowctx.service.search.find import MOST_HITS, search

_HASH = re.compile(r"\b[0-9a-f]{24}\b")
_WORD = re.compile(r"\w+")
_QUERY_WORDS = 12
_NODE = re.compile(r"<flowctx-handoff-note node=\"([^\"]+)\"")


@dataclass(slots=True)
class Lookup:
    """Looks probes up in one view of one session."""

    host: Host
    view: Sequence[Item]
    _texts: str = field(init=False)
    _hashes: frozenset[str] = field(init=False)
    _by_node: set[int] = field(init=False)
    _by_digest: dict[bytes, str] = field(init=False)
    _is_indexed: bool = False

    def __post_init__(self) -> None:
        # Rows that are under way to the store are there before anything is looked for.
        self.host.context.database.write(lambda _: None).result()
        self._texts = "\n".join(whole_text(parse_message(item.body)) for item in self.view)
        self._hashes = frozenset(_HASH.findall(self._texts))
        self._by_node = self._named_by_nodes()
        self._by_digest = self.host.hashes()

    def count(self, probes: Iterable[Probe]) -> Probes:
        """Classify the probes whose messages are not in the view as they are."""
        counted = Probes()
        whole = {item.body for item in self.view}
        for probe in probes:
            if self.host.history[probe.at].body not in whole:
                name = self.classify(probe)
                setattr(counted, name, getattr(counted, name) + 1)
        return counted

    def classify(self, probe: Probe) -> str:
        """Name of the class: "visible", "one_step", "found" or "lost"."""
        if probe.text in self._texts:
            return "visible"
        if self._is_behind_a_hash(probe):
            return "one_step"
        if not self._is_stored(probe):
            return "lost"
        if probe.at in self._by_node:
            return "one_step"
        return "found" if self._is_found(probe) else "lost"

    def _is_behind_a_hash(self, probe: Probe) -> bool:
        digest = self.host.history[probe.at].message.digest
        hash_ = self._by_digest.get(digest, "")
        if hash_ not in self._hashes:
            return False
        try:
            return probe.text in retrieve_as_owner(self.host.context.database, hash_).text
        except OriginalNotFoundError:
            return False

    def _is_stored(self, probe: Probe) -> bool:
        row, digest = self.host.state.row, self.host.history[probe.at].message.digest
        parsed = load_message(self.host.context, row, digest) if row else None
        return parsed is not None and probe.text in whole_text(parsed)

    def _is_found(self, probe: Probe) -> bool:
        """True where a search for the probe's words leads to its message."""
        self._index()
        asked = " ".join(_WORD.findall(probe.text)[:_QUERY_WORDS])
        found = search(self.host.context.database, self.host.state.ref, asked, MOST_HITS)
        text = text_of(self.host.history[probe.at].value)
        own = hash_text(text)[:HASH_CHARS]
        return any(hit.hash == own or probe.text in hit.snippet for hit in found.hits)

    def _index(self) -> None:
        """Index what was stored; most replays end without a need to."""
        if self._is_indexed:
            return
        feed = IndexFeed(self.host.context.database)
        feed.drain(self.host.context.settings)
        feed.close()
        self._is_indexed = True

    def _named_by_nodes(self) -> set[int]:
        named = set(_NODE.findall(self._texts))
        stored = self.host.stored_folds()
        return {
            at
            for placed in stored
            if placed.fold.node in named
            for at in range(placed.start, placed.end)
        }
