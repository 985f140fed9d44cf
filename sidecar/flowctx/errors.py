"""Every error flowctx raises on purpose; all derive from `FlowctxError`."""


class FlowctxError(Exception):
    """Base of all errors flowctx raises on purpose.

    Attributes:
        hint: what to do next, one sentence; may be empty.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(f"{message} {hint}".strip())
        self.hint = hint


class InvalidRequestError(FlowctxError):
    """Raised when a request lacks something or holds a value that cannot be used."""


class TokenRejectedError(FlowctxError):
    """Raised when a call carries no token, or a wrong one."""


class AlreadyRunningError(FlowctxError):
    """Raised when another sidecar serves the same state directory."""


class SidecarUnreachableError(FlowctxError):
    """Raised when no sidecar answers."""


class StoreError(FlowctxError):
    """Base of the errors of the store."""


class StoreReadOnlyError(StoreError):
    """Raised when the store cannot be written: permissions, or a full disk."""


class StoreDamagedError(StoreError):
    """Raised when the database file is not a sound database."""


class StoreUnavailableError(StoreError):
    """Raised when an answer would come from a stand-in in place of the store."""


class StoreMissingError(StoreError):
    """Raised when no store has begun."""


class SchemaTooNewError(StoreError):
    """Raised when the database was written by a newer flowctx; it is left untouched."""


class OriginalNotFoundError(StoreError):
    """Raised when no original is stored under a hash, or the caller may not see it.

    Attributes:
        reason: "not-a-hash", "never-stored", "removed" or "not-yours".
        removed_at_ms: when it was removed, Unix milliseconds; 0 otherwise.
    """

    def __init__(self, message: str, *, reason: str, removed_at_ms: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        self.removed_at_ms = removed_at_ms


class RuleTableError(FlowctxError):
    """Raised when a shipped rule table cannot be used.

    Attributes:
        file: name of the table.
        rule: id of the rule, or the key, at fault.
    """

    def __init__(self, message: str, *, file: str, rule: str) -> None:
        super().__init__(f"{file}: {rule}: {message}")
        self.file = file
        self.rule = rule
