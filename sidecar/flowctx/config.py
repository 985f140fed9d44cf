"""Settings: one table of keys, defaults and ranges, and how raw values are read.

Bad values never stop anything: numbers are clamped, wrong types fall back to
the default, unknown keys are ignored. Each is reported as a `Problem`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flowctx.setting import Problem, Setting, attribute_of, read_value
from flowctx.sliding_settings import GROUP, SlidingSettings, parse_sliding

SETTINGS: tuple[Setting, ...] = (
    Setting("shortTermMemory", True, "master switch; false hands every message through untouched"),
    Setting("debug", False, "`[flowctx:engine]` detail lines in the log"),
    Setting(
        "dumpSummaryRequests", False, "write each summary request and view to `<state>/memory`"
    ),
    Setting(
        "contextWindowTokens",
        1_000_000,
        "window where the host gives none",
        8_000,
        2_000_000,
        "tokens",
    ),
    Setting("projection", True, "reduce old tool results"),
    Setting(
        "projectionThreshold",
        1_000,
        "tool results above this are reduced",
        200,
        100_000,
        "tokens",
    ),
    Setting("freshTailWindow", 64, "cap on the protected tail", 0, 64, "messages"),
    Setting(
        "projectionKeepRecentTurns",
        1,
        "last user turns left verbatim, the current one counted; at most `summaryKeepRecentTurns`",
        0,
        100,
        "turns",
    ),
    Setting(
        "verbatimReadTurns",
        1,
        "turns in which file reads stay verbatim, the current one counted",
        0,
        10,
        "turns",
    ),
    Setting(
        "projectionTtlSeconds",
        604_800,
        "least life of an original; never shorter than its marker's",
        60,
        31_536_000,
        "seconds",
    ),
    Setting("backgroundSummary", True, "handoff notes by the host's model"),
    Setting(
        "summaryTriggerRatio",
        0.2,
        "assembled tokens ÷ window that opens the gate",
        0.05,
        0.95,
    ),
    Setting(
        "foldPolicy",
        "cost",
        "cost = fold when it pays; ratio = only at the gate",
        choices=("cost", "ratio"),
    ),
    Setting("summaryMinTurns", 6, "shorter sessions are not summarised", 1, 1_000, "turns"),
    Setting("summaryKeepRecentTurns", 2, "turns kept before the folded prefix", 0, 100, "turns"),
    Setting("summaryReplacesHistory", True, "notes replace what they cover"),
    Setting("incrementalSummary", True, "feed only what is new, with the prior note"),
    Setting("layeredSummary", True, "leaves and condensed notes; false = one rolling note"),
    Setting("leafChunkTokens", 40_000, "raw tokens one leaf covers", 2_000, 64_000, "tokens"),
    Setting("condenseFanout", 6, "notes of one depth that condense into the next", 2, 32, "notes"),
    Setting("maxSummaryDepth", 1, "0 = leaves only", 0, 3, "levels"),
    Setting("summaryMaxTokens", 0, "cap on a note; 0 = none", 0, 64_000, "tokens"),
    Setting(
        "summaryMaxCallsPerHour",
        24,
        "calls for notes of one session",
        1,
        1_000,
        "calls an hour",
    ),
    Setting(
        "summaryDailyTokenBudget",
        0,
        "input and output of these calls in a day; 0 = no limit",
        0,
        1_000_000_000,
        "tokens",
    ),
    Setting(
        "summaryModel",
        "",
        "model that writes notes, as `provider/model`; empty = the agent's own",
    ),
    Setting(
        "compactionTriggerRatio",
        0.9,
        "above it the host's own compaction is asked for",
        0.5,
        0.99,
    ),
    Setting(
        "recallTokenBudget",
        1_500,
        "cap on injected cross-session memory per turn",
        0,
        20_000,
        "tokens",
    ),
    Setting("scratchpad", False, "working memory the model edits"),
    Setting("scratchpadMaxChars", 8_000, "its size", 500, 100_000, "characters"),
    Setting(
        "captureFieldMaxChars",
        16_000,
        "longest field kept in continuity and index rows",
        1_000,
        1_000_000,
        "characters",
    ),
    Setting("sessionContinuity", True, "continuity log and cross-session cards"),
    Setting("stripInjectionOnWrite", True, "our injected blocks never enter the store"),
    Setting("savingsTracking", True, "ledger of tokens and money saved"),
    Setting("inputCostPerMTok", 3.0, "list price where the host gives none", 0, 1_000, "USD"),
)

ALIASES: Mapping[str, str] = {"kvCacheTailWindow": "freshTailWindow"}

_BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, read and clamped; attribute names are the keys in snake case."""

    short_term_memory: bool = True
    debug: bool = False
    dump_summary_requests: bool = False
    context_window_tokens: int = 1_000_000
    projection: bool = True
    projection_threshold: int = 1_000
    fresh_tail_window: int = 64
    projection_keep_recent_turns: int = 1
    verbatim_read_turns: int = 1
    projection_ttl_seconds: int = 604_800
    background_summary: bool = True
    summary_trigger_ratio: float = 0.2
    fold_policy: str = "cost"
    summary_min_turns: int = 6
    summary_keep_recent_turns: int = 2
    summary_replaces_history: bool = True
    incremental_summary: bool = True
    layered_summary: bool = True
    leaf_chunk_tokens: int = 40_000
    condense_fanout: int = 6
    max_summary_depth: int = 1
    summary_max_tokens: int = 0
    summary_max_calls_per_hour: int = 24
    summary_daily_token_budget: int = 0
    summary_model: str = ""
    compaction_trigger_ratio: float = 0.9
    recall_token_budget: int = 1_500
    scratchpad: bool = False
    scratchpad_max_chars: int = 8_000
    capture_field_max_chars: int = 16_000
    session_continuity: bool = True
    strip_injection_on_write: bool = True
    savings_tracking: bool = True
    input_cost_per_m_tok: float = 3.0
    sliding: SlidingSettings = field(default_factory=SlidingSettings)


def parse_settings(raw: Mapping[str, Any]) -> tuple[Settings, tuple[Problem, ...]]:
    """Read a raw configuration object.

    Returns:
        The settings, and a problem for each key that was not taken as written.
    """
    values: dict[str, Any] = {}
    sliding, problems = parse_sliding(raw.get(GROUP, {}))
    for written, value in raw.items():
        if written == GROUP:
            continue
        key = ALIASES.get(written, written)
        setting = _BY_KEY.get(key)
        if setting is None:
            problems.append(Problem(written, "unknown key, ignored"))
        elif key != written and key in raw:
            problems.append(Problem(written, f"ignored: {key} is set as well"))
        else:
            values[key], complaint = read_value(setting, value)
            if complaint:
                problems.append(Problem(written, complaint))
    _hold_order(values, problems)
    attributes = {attribute_of(key): value for key, value in values.items()}
    return Settings(**attributes, sliding=sliding), tuple(problems)


def _hold_order(values: dict[str, Any], problems: list[Problem]) -> None:
    # What is kept verbatim must be kept from folding too, or a fold would
    # cover messages the user asked to leave alone.
    keep_key, fold_key = "projectionKeepRecentTurns", "summaryKeepRecentTurns"
    keep = values.get(keep_key, _BY_KEY[keep_key].default)
    limit = values.get(fold_key, _BY_KEY[fold_key].default)
    if keep > limit:
        if keep_key in values:
            problem = Problem(keep_key, f"{keep} is above {fold_key} ({limit}); using {limit}")
        else:
            problem = Problem(fold_key, f"{limit} is below {keep_key} ({keep}); both are {limit}")
        problems.append(problem)
        values[keep_key] = limit
