"""A sentence encoder on this machine: models of BERT's kind, as sentence-transformers saves them.

The folder holds `config.json`, `model.safetensors` and `tokenizer.json`; nothing is
downloaded. Numbers and formulas are those of Devlin et al., "BERT" (arXiv 1810.04805).
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file
from tokenizers import Tokenizer

Matrix = npt.NDArray[np.float32]

# Longer texts than a card are cut; attention costs the square of the length.
_MOST_TOKENS = 192
_KIND = "bert"


class BertEncoder:
    """Vectors of texts from a model that was read from a folder.

    Args:
        folder: of the model.

    Raises:
        ValueError: the folder holds no model of this kind.
        OSError: it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        if config.get("model_type") != _KIND or config.get("hidden_act") != "gelu":
            message = f"{folder} holds no model of BERT's kind."
            raise ValueError(message)
        self._heads, self._layers = config["num_attention_heads"], config["num_hidden_layers"]
        self._epsilon = config.get("layer_norm_eps", 1e-12)
        self._takes_first = _takes_first(folder)
        self._weights: Mapping[str, Matrix] = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        most = min(_MOST_TOKENS, config["max_position_embeddings"])
        self._tokenizer.enable_truncation(most)
        self._tokenizer.no_padding()

    def encode(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, not brought to unit length."""
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> list[float]:
        ids = self._tokenizer.encode(text).ids
        if not ids:
            return []
        x = self._embed(ids)
        for number in range(self._layers):
            x = self._layer(x, f"encoder.layer.{number}")
        pooled: Matrix = x[0] if self._takes_first else x.mean(axis=0)
        return [float(value) for value in pooled]

    def _embed(self, ids: Sequence[int]) -> Matrix:
        weights = self._weights
        words = weights["embeddings.word_embeddings.weight"][np.asarray(ids)]
        places = weights["embeddings.position_embeddings.weight"][: len(ids)]
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        return self._norm(words + places + kind, "embeddings.LayerNorm")

    def _layer(self, x: Matrix, name: str) -> Matrix:
        mixed = self._dense(self._attend(x, f"{name}.attention.self"), f"{name}.attention.output")
        x = self._norm(x + mixed, f"{name}.attention.output.LayerNorm")
        wide = _gelu(self._dense(x, f"{name}.intermediate"))
        return self._norm(x + self._dense(wide, f"{name}.output"), f"{name}.output.LayerNorm")

    def _attend(self, x: Matrix, name: str) -> Matrix:
        query, key, value = (self._split(x, f"{name}.{part}") for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(query.shape[-1]))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        joined: Matrix = (weights @ value).transpose(1, 0, 2).reshape(x.shape)
        return joined

    def _split(self, x: Matrix, name: str) -> Matrix:
        """Heads first: (heads, tokens, width)."""
        whole = self._linear(x, name)
        return whole.reshape(len(x), self._heads, -1).transpose(1, 0, 2)

    def _dense(self, x: Matrix, name: str) -> Matrix:
        return self._linear(x, f"{name}.dense")

    def _linear(self, x: Matrix, name: str) -> Matrix:
        product: Matrix = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return product

    def _norm(self, x: Matrix, name: str) -> Matrix:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + self._epsilon)
        scaled: Matrix = centred / spread * self._weights[f"{name}.weight"]
        return scaled + self._weights[f"{name}.bias"]


def _gelu(x: Matrix) -> Matrix:
    """X · Φ(x) with the tanh form of Hendrycks & Gimpel, "GELU" (arXiv 1606.08415), section 2."""
    inner = np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x * x * x)
    curved: Matrix = np.float32(0.5) * x * (1 + np.tanh(inner))
    return curved


def _takes_first(folder: Path) -> bool:
    """Whether the first token stands for the text; else the mean of all does."""
    path = folder / "1_Pooling" / "config.json"
    config: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return bool(config.get("pooling_mode_cls_token"))
