"""The breaker: no calls for a while where a model refuses the credentials."""

from dataclasses import dataclass, field

# Who is not authorised will hardly be a moment later.
FIRST_BREAK_MS = 30 * 60_000


@dataclass(frozen=True, slots=True)
class Pause:
    """No call may be made before `until_ms`, and why."""

    reason: str
    until_ms: int


@dataclass(slots=True)
class Breaker:
    """Stops all calls of an agent whose model refuses its credentials.

    Attributes:
        until_ms: by agent, when calls are tried again.
    """

    until_ms: dict[str, int] = field(default_factory=dict)
    _length_ms: dict[str, int] = field(default_factory=dict)

    def trip(self, agent: str, now_ms: int) -> None:
        """Note a refusal; each one in a row doubles the break."""
        length = self._length_ms.get(agent, FIRST_BREAK_MS // 2) * 2
        self._length_ms[agent] = length
        self.until_ms[agent] = now_ms + length

    def reset(self, agent: str) -> None:
        """Note that a call was answered."""
        self.until_ms.pop(agent, None)
        self._length_ms.pop(agent, None)

    def pause(self, agent: str, now_ms: int) -> Pause | None:
        """The break that is under way, if any."""
        until = self.until_ms.get(agent, 0)
        return Pause("the model refuses the credentials", until) if until > now_ms else None
