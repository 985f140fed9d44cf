"""Showing how far the demo is: a bar on a terminal, a line for each step elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn


class DemoProgress:
    """Counts steps on stderr; use as a context manager."""

    def __init__(self, steps: int) -> None:
        self._console = Console(stderr=True)
        self._steps = steps
        self._done = 0
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.completed}/{task.total}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("", total=steps)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def step(self, text: str) -> None:
        """Say what begins now."""
        self._bar.update(self._task, description=text, completed=self._done)
        self._done += 1
        if not self._console.is_terminal:
            self.note(f"[{self._done}/{self._steps}] {text}")

    def note(self, text: str) -> None:
        """Say something that stays on the screen."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)
