"""Settings of the optional embeddings: the object under `sliding.embedding`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flowctx.setting import Problem, Setting, attribute_of, read_value

EMBEDDING_GROUP = "embedding"

EMBEDDING_SETTINGS: tuple[Setting, ...] = (
    Setting("url", "", "endpoint that speaks OpenAI's protocol, as `http://127.0.0.1:11434/v1`"),
    Setting("model", "", "model the endpoint is asked for"),
    Setting("apiKeyEnv", "", "variable of the gateway's environment that holds its key"),
    Setting("path", "", "folder of a model that runs inside the sidecar, instead of an endpoint"),
)

_BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in EMBEDDING_SETTINGS}
_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Where vectors of cards come from; without `url` and `path` there are none."""

    url: str = ""
    model: str = ""
    api_key_env: str = ""
    path: str = ""

    @property
    def is_on(self) -> bool:
        """True where something makes vectors."""
        return bool(self.url or self.path)


def parse_embedding(raw: Any, group: str) -> tuple[EmbeddingSettings, list[Problem]]:
    """Read the object; "none" and null mean the same as no object.

    Args:
        raw: the value as written.
        group: name of its key, for problems.
    """
    if raw is None or raw == "none":
        return EmbeddingSettings(), []
    if not isinstance(raw, Mapping):
        return EmbeddingSettings(), [Problem(group, "not an object, ignored")]
    values: dict[str, str] = {}
    problems: list[Problem] = []
    for key, value in raw.items():
        setting = _BY_KEY.get(key)
        if setting is None:
            problems.append(Problem(f"{group}.{key}", "unknown key, ignored"))
            continue
        values[attribute_of(key)], complaint = read_value(setting, value)
        if complaint:
            problems.append(Problem(f"{group}.{key}", complaint))
    _hold_one_source(values, problems, group)
    return EmbeddingSettings(**values), problems


def _hold_one_source(values: dict[str, str], problems: list[Problem], group: str) -> None:
    url = values.get("url", "")
    if url and not url.lower().startswith(_SCHEMES):
        problems.append(Problem(f"{group}.url", "no http or https address, ignored"))
        values["url"] = ""
    if values.get("url") and values.get("path"):
        problems.append(Problem(f"{group}.url", "ignored: path is set as well"))
        values["url"] = ""
    if values.get("url") and not values.get("model"):
        problems.append(Problem(f"{group}.url", "ignored: model is not set"))
        values["url"] = ""
