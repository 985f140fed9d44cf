"""Settings of the cross-session working memory: the object under the key `sliding`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from flowctx.embedding_settings import EMBEDDING_GROUP, EmbeddingSettings, parse_embedding
from flowctx.setting import Problem, Setting, attribute_of, read_value

GROUP = "sliding"

Level = Literal["never", "titles", "full"]
_LEVELS = ("never", "titles", "full")

SLIDING_SETTINGS: tuple[Setting, ...] = (
    Setting("enabled", True, "cards of other sessions are written and shown"),
    Setting(
        "windowHours",
        48,
        "how long a card is shown and kept; never longer than its session",
        1,
        8_760,
        "hours",
    ),
    Setting("recentCount", 5, "always the newest cards", 0, 50, "cards"),
    Setting("relevantCount", 3, "and the most relevant ones", 0, 50, "cards"),
    Setting("maxInjectEntries", 8, "most cards in one block", 0, 50, "cards"),
    Setting("maxInjectTokens", 1_500, "most tokens of one block", 0, 20_000, "tokens"),
    Setting("skipTrivial", True, "HEARTBEAT_OK, NO_REPLY and the like leave no card"),
    Setting("skipSessions", (), "session keys (globs) that neither leave nor see cards"),
    Setting(
        "dmToGroup", "never", "what a group sees of its member's own sessions", choices=_LEVELS
    ),
    Setting("groupToDm", "titles", "what a member sees of a group", choices=_LEVELS),
    Setting("triggerToDm", "full", "what the owner sees of cron and webhooks", choices=_LEVELS),
    Setting("dmToTrigger", "full", "what cron and webhooks see of the owner", choices=_LEVELS),
    Setting("triggerToGroup", "never", "what a group sees of cron and webhooks", choices=_LEVELS),
    Setting("groupToTrigger", "never", "what cron and webhooks see of a group", choices=_LEVELS),
)

_BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in SLIDING_SETTINGS}


@dataclass(frozen=True, slots=True)
class SlidingSettings:
    """All of them, read and clamped; attribute names are the keys in snake case."""

    enabled: bool = True
    window_hours: int = 48
    recent_count: int = 5
    relevant_count: int = 3
    max_inject_entries: int = 8
    max_inject_tokens: int = 1_500
    skip_trivial: bool = True
    skip_sessions: tuple[str, ...] = ()
    dm_to_group: Level = "never"
    group_to_dm: Level = "titles"
    trigger_to_dm: Level = "full"
    dm_to_trigger: Level = "full"
    trigger_to_group: Level = "never"
    group_to_trigger: Level = "never"
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)

    @property
    def window_ms(self) -> int:
        """The window in milliseconds."""
        return self.window_hours * 3_600_000


def parse_sliding(raw: Any) -> tuple[SlidingSettings, list[Problem]]:
    """Read the object under `sliding`; what is no object counts as none."""
    if not isinstance(raw, Mapping):
        return SlidingSettings(), [Problem(GROUP, "not an object, ignored")]
    values: dict[str, Any] = {}
    group = f"{GROUP}.{EMBEDDING_GROUP}"
    values["embedding"], problems = parse_embedding(raw.get(EMBEDDING_GROUP), group)
    for key, value in raw.items():
        if key == EMBEDDING_GROUP:
            continue
        setting = _BY_KEY.get(key)
        if setting is None:
            problems.append(Problem(f"{GROUP}.{key}", "unknown key, ignored"))
            continue
        values[attribute_of(key)], complaint = read_value(setting, value)
        if complaint:
            problems.append(Problem(f"{GROUP}.{key}", complaint))
    return SlidingSettings(**values), problems
