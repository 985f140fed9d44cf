"""Runs that count as they go: one number leaps, or is none, and then the run is lost."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, clock, rng


def diverged_run() -> Probe:
    """A line of three words, then steps; the loss leaps once and is no number afterwards."""
    r = rng("diverged run")
    lines = ["Resuming from runs/k/17.ckpt", "Using device cuda:1"]
    for step in range(0, 6000, 40):
        loss = f"{2.4 - step / 4000 + r.random() / 10:.4f}" if step < 4400 else "nan"
        lines.append(
            f"iter {step:5} | loss {loss} | norm {r.uniform(0.6, 1.4):.2f} | {r.randint(88, 97)} it/s"
        )
    leap = "iter  4360 | loss 77.1034 | norm 5120.44 | 31 it/s"
    lines[2 + 4360 // 40] = leap
    first = next(line for line in lines if "nan" in line)
    lines.append("Wrote runs/k/18.ckpt")
    return Probe(
        "diverged_run",
        "\n".join(lines),
        (leap, first, "runs/k/17.ckpt", "runs/k/18.ckpt"),
        "tail -n 200 train.out",
    )


def ranked_run() -> Probe:
    """The same with a rank, a time and a level before every line."""
    r = rng("ranked run")
    said = ["reading conf/weigh.yaml", "params: 12.4M trainable", "data 9,120 crates"]
    for n in range(150):
        score = f"{3.1 - n / 80 + r.random() / 8:.3f}" if n < 118 else "nan"
        said.append(
            f"epoch {n // 50} batch {n % 50:03} loss {score} lr {4.1e-4 - n * 1e-6:.3e} mem {r.uniform(20, 22):.1f}G"
        )
        if n % 50 == 49:
            said.append(f"epoch {n // 50} valid accuracy {0.71 if n < 100 else 0.04}")
    leap = "epoch 2 batch 017 loss 902.118 lr 2.930e-04 mem 21.0G"
    at = next(n for n, line in enumerate(said) if "epoch 2 batch 017" in line)
    said[at] = leap
    first = next(line for line in said if "loss nan" in line)
    lines = [f"[rank1] 2026-11-30 {clock(20 * n)} INFO {line}" for n, line in enumerate(said)]
    last = "loss is not finite since 30 batches"
    lines.append(f"[rank1] 2026-11-30 {clock(4000)} WARNING stopping: {last}")
    facts = (leap, first, last, "accuracy 0.71", "conf/weigh.yaml")
    return Probe("ranked_run", "\n".join(lines), facts, "tail -n 170 train.log")


def history_of_losses() -> Probe:
    """A file of losses with a row that leaps, and no numbers in a third of the rows below it."""
    r = rng("history of losses")
    rows = [
        [n, n // 40, f"{1.9 - n / 400 + r.random() / 20:.5f}", f"{r.uniform(0.4, 0.6):.3f}"]
        for n in range(240)
    ]
    rows[158][2] = "640.20011"
    for row in rows[159:]:
        row[2] = row[3] = "nan"
    lines = [",".join(map(str, row)) for row in rows]
    facts = ("step,epoch,loss,dice", lines[158], lines[159], lines[0], lines[-1])
    return Probe(
        "history_of_losses", "\n".join(["step,epoch,loss,dice", *lines]), facts, "cat history.csv"
    )


PROBES = (diverged_run, ranked_run, history_of_losses)
