"""The encoder on this machine: a model of BERT's kind, worked out the slow way beside it."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

pytest.importorskip("tokenizers")

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from flowctx.embedding_settings import EmbeddingSettings
from flowctx.service.sliding.embedding.bert import BertEncoder
from flowctx.service.sliding.embedding.encoder import EncoderError, open_encoder

WORDS = ["the", "car", "needs", "tyres", "and", "oil"]
WIDTH, INNER, HEADS, LAYERS, PLACES = 8, 12, 2, 2, 16
TEXT = "the car needs oil"
Vector = list[float]
Weights = dict[str, np.ndarray]


def make_model(folder: Path, *, takes_first: bool = False) -> Weights:
    """A tiny model with weights drawn at random."""
    pick = np.random.default_rng(5)
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in (f"encoder.layer.{n}" for n in range(LAYERS)):
        attention = [f"attention.self.{part}" for part in ("query", "key", "value")]
        for part in (*attention, "attention.output.dense"):
            shapes[f"{layer}.{part}.weight"] = (WIDTH, WIDTH)
        shapes[f"{layer}.intermediate.dense.weight"] = (INNER, WIDTH)
        shapes[f"{layer}.output.dense.weight"] = (WIDTH, INNER)
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    dense = {
        name.replace(".weight", ".bias"): (s[0],) for name, s in shapes.items() if "enc" in name
    }
    shapes |= dense | {f"{name}.{kind}": (WIDTH,) for name in norms for kind in ("weight", "bias")}
    weights = {name: pick.normal(0, 0.7, shape).astype("f4") for name, shape in shapes.items()}
    save_file(weights, folder / "model.safetensors")
    write_config(folder)
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="the"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "1_Pooling").mkdir()
    pooling = json.dumps({"pooling_mode_cls_token": takes_first})
    (folder / "1_Pooling" / "config.json").write_text(pooling)
    return weights


def write_config(folder: Path, **changed: object) -> None:
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": PLACES,
    }
    (folder / "config.json").write_text(json.dumps(config | changed))


def dense(x: Vector, weights: Weights, name: str) -> Vector:
    rows, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    pairs = zip(rows, bias, strict=True)
    return [sum(float(w) * v for w, v in zip(row, x, strict=True)) + float(b) for row, b in pairs]


def norm(x: Vector, weights: Weights, name: str) -> Vector:
    mean = sum(x) / len(x)
    spread = math.sqrt(sum((v - mean) ** 2 for v in x) / len(x) + 1e-12)
    scale, shift = weights[f"{name}.weight"], weights[f"{name}.bias"]
    parts = zip(x, scale, shift, strict=True)
    return [(v - mean) / spread * float(s) + float(b) for v, s, b in parts]


def attend(rows: list[Vector], weights: Weights, name: str) -> list[Vector]:
    """Each token's mixture of all, head by head."""
    query, key, value = (
        [dense(row, weights, f"{name}.{part}") for row in rows]
        for part in ("query", "key", "value")
    )
    size = WIDTH // HEADS
    mixed = []
    for asks in query:
        row: Vector = []
        for part in (slice(n * size, (n + 1) * size) for n in range(HEADS)):
            dots = [sum(a * b for a, b in zip(asks[part], k[part], strict=True)) for k in key]
            shares = [math.exp(dot / math.sqrt(size)) for dot in dots]
            whole = sum(shares)
            for at in range(part.start, part.stop):
                row.append(sum(s / whole * v[at] for s, v in zip(shares, value, strict=True)))
        mixed.append(row)
    return mixed


def slow(text: str, weights: Weights) -> list[Vector]:
    """The last layer's rows, one number after the other, with the exact error function."""
    kinds = weights["embeddings.token_type_embeddings.weight"][0]
    rows = []
    for place, word in enumerate(text.split()):
        token = weights["embeddings.word_embeddings.weight"][WORDS.index(word)]
        total = token + weights["embeddings.position_embeddings.weight"][place] + kinds
        rows.append(norm([float(v) for v in total], weights, "embeddings.LayerNorm"))
    for layer in (f"encoder.layer.{n}" for n in range(LAYERS)):
        mixed = attend(rows, weights, f"{layer}.attention.self")
        rows = [
            step(
                row,
                dense(mix, weights, f"{layer}.attention.output.dense"),
                weights,
                f"{layer}.attention.output",
            )
            for row, mix in zip(rows, mixed, strict=True)
        ]
        wide = [
            [gelu(v) for v in dense(row, weights, f"{layer}.intermediate.dense")] for row in rows
        ]
        rows = [
            step(row, dense(w, weights, f"{layer}.output.dense"), weights, f"{layer}.output")
            for row, w in zip(rows, wide, strict=True)
        ]
    return rows


def step(x: Vector, added: Vector, weights: Weights, name: str) -> Vector:
    return norm([a + b for a, b in zip(x, added, strict=True)], weights, f"{name}.LayerNorm")


def gelu(x: float) -> float:
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def test_vectors_are_those_of_the_slow_way(tmp_path: Path) -> None:
    """The mean of the last rows, to the precision of the short form of GELU."""
    weights = make_model(tmp_path)
    rows = slow(TEXT, weights)
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    assert BertEncoder(tmp_path).encode([TEXT])[0] == pytest.approx(mean, abs=5e-3)


def test_the_first_token_stands_for_the_text_where_the_model_says_so(tmp_path: Path) -> None:
    """As with models that were trained so."""
    weights = make_model(tmp_path, takes_first=True)
    first = slow(TEXT, weights)[0]
    assert BertEncoder(tmp_path).encode([TEXT])[0] == pytest.approx(first, abs=5e-3)


def test_long_texts_are_cut_and_empty_ones_have_no_direction(tmp_path: Path) -> None:
    """No text asks for more places than the model has."""
    make_model(tmp_path)
    long, cut = BertEncoder(tmp_path).encode([" ".join(["oil"] * 500), " ".join(["oil"] * PLACES)])
    assert long == cut
    with pytest.raises(EncoderError):
        open_encoder(EmbeddingSettings(path=str(tmp_path))).vectors_of([""])


@pytest.mark.parametrize("harm", ["kind", "weights", "missing weight", "tokenizer", "folder"])
def test_a_folder_that_holds_no_such_model_is_refused(tmp_path: Path, harm: str) -> None:
    """The message names the folder; nothing else escapes."""
    weights = make_model(tmp_path)
    folder = tmp_path
    match harm:
        case "kind":
            write_config(tmp_path, model_type="gpt2")
        case "weights":
            (tmp_path / "model.safetensors").write_bytes(random.Random(1).randbytes(900))
        case "missing weight":
            del weights["encoder.layer.1.output.dense.bias"]
            save_file(weights, tmp_path / "model.safetensors")
        case "tokenizer":
            (tmp_path / "tokenizer.json").write_text("{}")
        case "folder":
            folder = tmp_path / "missing"
    with pytest.raises(EncoderError, match=str(folder)):
        open_encoder(EmbeddingSettings(path=str(folder)))


def test_another_model_in_the_same_folder_has_another_name(tmp_path: Path) -> None:
    """So that its vectors are never compared with those of the one before."""
    weights = make_model(tmp_path)
    settings = EmbeddingSettings(path=str(tmp_path))
    before = open_encoder(settings).model
    assert open_encoder(settings).model == before
    save_file(
        {**weights, "pooler.dense.bias": weights["embeddings.LayerNorm.bias"]},
        tmp_path / "model.safetensors",
    )
    assert open_encoder(settings).model != before
