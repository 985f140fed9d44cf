"""Processes of one private gateway: starting them, and leaving none behind."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

# Every process of a run inherits it; so one that detached itself is found too.
RUN_VARIABLE = "FLOWCTX_E2E_RUN"

_END_S = 3.0
_KILL_S = 5.0


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has ended, with what it said."""

    code: int
    stdout: str
    stderr: str


def spawn(
    command: Sequence[str | Path], *, env: Mapping[str, str], folder: Path, console: Path
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, its output appended to a file."""
    with console.open("ab") as output:
        return subprocess.Popen(
            [str(part) for part in command],
            env=dict(env),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def run(
    command: Sequence[str | Path], *, env: Mapping[str, str], folder: Path, timeout_s: float
) -> Finished:
    """Run a command to its end; raises `TimeoutError` after killing it and its children."""
    process = subprocess.Popen(
        [str(part) for part in command],
        env=dict(env),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{' '.join(map(str, command))} took more than {timeout_s} s") from None
    finally:
        if process.poll() is None:
            end(_with_children(process.pid))
            process.wait()
    return Finished(process.returncode, stdout, stderr)


def stop(process: subprocess.Popen[bytes], *, patience_s: float) -> None:
    """End one process: first politely, then for good. What it detached lives on."""
    process.terminate()
    try:
        process.wait(patience_s)
    except subprocess.TimeoutExpired:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End one process the hard way, as a crash would; its children are left alone."""
    process.kill()
    process.wait(_KILL_S)


def of_run(run_id: str, root: Path) -> list[psutil.Process]:
    """Living processes of a run: they carry its id, or name its folder on the command line."""
    return [each for each in psutil.process_iter() if _belongs(each, run_id, str(root))]


def names_of(processes: Sequence[psutil.Process]) -> list[str]:
    """Names of the processes that have not ended since they were found."""
    names = []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            names.append(process.name())
    return names


def end(processes: Sequence[psutil.Process]) -> None:
    """Ask processes to end, wait, and kill those that stay."""
    for process in processes:
        _signal(process, kill_it=False)
    _, alive = psutil.wait_procs(processes, timeout=_END_S)
    for process in alive:
        _signal(process, kill_it=True)
    psutil.wait_procs(alive, timeout=_KILL_S)


def _belongs(process: psutil.Process, run_id: str, root: str) -> bool:
    if process.pid == os.getpid():
        return False
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        if process.environ().get(RUN_VARIABLE) == run_id:
            return True
        return any(root in part for part in process.cmdline())
    except psutil.Error:
        return False


def _with_children(pid: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _signal(process: psutil.Process, *, kill_it: bool) -> None:
    try:
        process.kill() if kill_it else process.terminate()
    except psutil.NoSuchProcess:
        return
