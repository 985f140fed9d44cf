"""How files of many languages look."""

from __future__ import annotations

from typing import NamedTuple


class Source(NamedTuple):
    """How files of a language look: their head, a function, an odd one among them, their end."""

    file: str
    head: str
    function: str
    odd: str
    end: str
    facts: tuple[str, ...]


CSHARP = Source(
    "Vault.cs",
    "using System;\nusing Acme.Crypto;\n\nnamespace Acme.Keys;\n\npublic sealed class Vault : IVault\n{",
    "    public async Task<Key> {Word}{n}Async(Guid id, CancellationToken stop)\n    {{\n"
    "        var {word} = await _store.ReadAsync(id, stop);\n        if ({word} is null)\n        {{\n"
    '            throw new MissingKeyException(id);\n        }}\n        _log.LogDebug("{word} {{Id}}", id);\n'
    "        return {word}.ToKey();\n    }}\n",
    '    [Obsolete("leaks the seed")]\n    internal byte[] RawSeed(Slot slot) => slot.Seed;\n\n'
    "    public int Slots => _slots.Count;\n\n    public Key this[int at] => _slots[at];\n\n"
    "    public static implicit operator string(Vault vault) => vault.Name;\n",
    "}",
    (
        "internal byte[] RawSeed(Slot slot) => slot.Seed;",
        "leaks the seed",
        "using Acme.Crypto;",
        "public sealed class Vault : IVault",
        "public Key this[int at]",
        "implicit operator string(Vault vault)",
    ),
)
ELIXIR = Source(
    "lib/vault.ex",
    'defmodule Acme.Vault do\n  @moduledoc "Keys."\n  use GenServer\n  alias Acme.Store\n',
    '  @doc "{Word} by id."\n  def {word}_{n}(id, opts \\\\ []) do\n    id\n    |> Store.read!({Word})\n'
    "    |> Map.put(:{word}, :open)\n    |> Map.put(:seen_at, DateTime.utc_now())\n    |> Store.write!(opts)\n  end\n",
    "  @spec burn!(integer, Key.t()) :: :ok\n  defp burn!(id, %Key{} = key) when key.uses > 9 do\n"
    "    # HACK: twice is harmless\n    Store.drop!(id)\n  end\n\n  defmacro sealed(do: block) do\n    block\n  end\n",
    "end",
    (
        "defmodule Acme.Vault do",
        "defp burn!(id, %Key{} = key) when key.uses > 9 do",
        "alias Acme.Store",
        "defmacro sealed(do: block) do",
        "HACK: twice is harmless",
    ),
)
KOTLIN = Source(
    "src/Vault.kt",
    "package com.acme.keys\n\nimport com.acme.store.Store\n\nclass Vault(private val store: Store) : AutoCloseable {",
    "    /** Finds the {word}. */\n    fun {word}{n}(id: Long, {word}: String): Result<Key> {{\n"
    '        val found = store.read(id)\n        require(found != null) {{ "no {word}" }}\n'
    "        val keys = found.map {{ it.{word} }}\n        return Result.success(keys.first())\n    }}\n",
    '    @Deprecated("use burnAll")\n    internal suspend fun burn(slot: Slot, tries: Int = 5): Receipt {\n'
    "        return store.drop(slot)\n    }\n\n    data class Slot(val at: Int, val seed: ByteArray)\n",
    "}",
    (
        "class Vault(private val store: Store) : AutoCloseable",
        "internal suspend fun burn(slot: Slot, tries: Int = 5): Receipt",
        "import com.acme.store.Store",
        "data class Slot(val at: Int, val seed: ByteArray)",
    ),
)
SWIFT = Source(
    "Sources/Vault.swift",
    "import Foundation\nimport CryptoKit\n\nfinal class Vault: Storing {\n    private let store: Store\n",
    "    /// Finds the {word}.\n    func {word}{n}(id: UUID, {word}: String) throws -> Key {{\n"
    "        guard let found = try store.read(id) else {{\n            throw VaultError.missing(id)\n        }}\n"
    "        let keys = found.map {{ $0.{word} }}\n        return keys[0]\n    }}\n",
    "    @available(*, deprecated)\n    fileprivate func burn(_ slot: Slot, tries: Int = 5) async throws -> Receipt {\n"
    "        try await store.drop(slot)\n    }\n\n    init(store: Store) {\n        self.store = store\n    }\n",
    "}\n\nextension Vault: Sendable {}",
    (
        "final class Vault: Storing",
        "fileprivate func burn(_ slot: Slot, tries: Int = 5) async throws -> Receipt",
        "import CryptoKit",
        "extension Vault: Sendable",
        "init(store: Store)",
    ),
)
SCALA = Source(
    "src/Vault.scala",
    "package com.acme.keys\n\nimport com.acme.store.{Store, Slot}\n\nfinal class Vault(store: Store) extends Storing {",
    "  /** Finds the {word}. */\n  def {word}{n}(id: Long, {word}: String): Either[Missing, Key] = {{\n"
    "    val found = store.read(id)\n    found match {{\n      case Some(key) => Right(key.{word})\n"
    "      case None => Left(Missing(id))\n    }}\n  }}\n",
    '  @deprecated("use burnAll", "2.1")\n  private[keys] def burn(slot: Slot, tries: Int = 5): Receipt = {\n'
    "    store.drop(slot)\n  }\n",
    "}\n\nobject Vault {\n  val MaxSlots = 64\n}\n\nsealed trait Phase",
    (
        "final class Vault(store: Store) extends Storing",
        "private[keys] def burn(slot: Slot, tries: Int = 5): Receipt",
        "import com.acme.store.{Store, Slot}",
        "sealed trait Phase",
    ),
)
LUA = Source(
    "vault.lua",
    'local store = require("acme.store")\nlocal Vault = {}\nVault.__index = Vault\n',
    "-- Finds the {word}.\nfunction Vault:{word}{n}(id, {word})\n  local found = store.read(id)\n"
    '  if not found then\n    return nil, "no {word}"\n  end\n  local key = found[{word}]\n  return key\nend\n',
    "local function burn(slot, tries)\n  -- FIXME: tries is not counted down\n  return store.drop(slot)\nend\n\n"
    "Vault.seal = function(self, seed)\n  self.seed = seed\nend\n",
    "return Vault",
    (
        "local function burn(slot, tries)",
        "tries is not counted down",
        'require("acme.store")',
        "Vault.seal = function(self, seed)",
    ),
)
DART = Source(
    "lib/vault.dart",
    "import 'dart:async';\nimport 'package:acme/store.dart';\n\nclass Vault implements Storing {\n  final Store _store;\n",
    "  /// Finds the {word}.\n  Future<Key> {word}{n}(int id, String {word}) async {{\n"
    "    final found = await _store.read(id);\n    if (found == null) {{\n      throw MissingKey(id);\n    }}\n"
    "    final keys = found.where((k) => k.{word});\n    return keys.first;\n  }}\n",
    "  @Deprecated('use burnAll')\n  Future<Receipt> burn(Slot slot, {int tries = 5}) => _store.drop(slot);\n\n"
    "  bool get isSealed => _seed != null;\n",
    "}\n\nenum Phase { open, sealed, burnt }",
    (
        "class Vault implements Storing",
        "Future<Receipt> burn(Slot slot, {int tries = 5})",
        "import 'package:acme/store.dart';",
        "enum Phase { open, sealed, burnt }",
        "bool get isSealed",
    ),
)
ZIG = Source(
    "src/vault.zig",
    'const std = @import("std");\nconst Store = @import("store.zig").Store;\n\npub const Vault = struct {\n    store: *Store,\n',
    "    /// Finds the {word}.\n    pub fn {word}{n}(self: *Vault, id: u64, {word}: []const u8) !Key {{\n"
    "        const found = try self.store.read(id);\n        if (found.len == 0) {{\n            return error.Missing;\n"
    "        }}\n        const key = found[{word}.len];\n        return key;\n    }}\n",
    "    fn burn(self: *Vault, slot: Slot, tries: u8) error{Busy}!void {\n"
    "        // TODO: wipe the memory\n        try self.store.drop(slot);\n    }\n",
    '};\n\nconst Phase = enum { open, sealed };\n\ntest "a burnt slot stays empty" {\n    try std.testing.expect(true);\n}',
    (
        "pub const Vault = struct",
        "fn burn(self: *Vault, slot: Slot, tries: u8) error{Busy}!void",
        '@import("store.zig").Store',
        'test "a burnt slot stays empty"',
        "const Phase = enum { open, sealed };",
    ),
)
HASKELL = Source(
    "src/Vault.hs",
    "{-# LANGUAGE OverloadedStrings #-}\nmodule Acme.Vault (Vault, burn) where\n\nimport qualified Data.Map as Map\n"
    "import Acme.Store (Store)\n\ndata Phase = Open | Sealed | Burnt deriving (Eq, Show)\n",
    "-- | Finds the {word}.\n{word}{n} :: Store -> Int -> Either Missing Key\n{word}{n} store at =\n"
    "  case Map.lookup at (slots store) of\n    Nothing -> Left (Missing at)\n    Just found ->\n"
    "      let {word} = first found\n       in Right {word}\n",
    "burn :: MonadIO m => Vault -> Slot -> m Receipt\nburn vault slot = do\n  -- FIXME: not masked\n  drop vault slot\n\n"
    "instance Semigroup Vault where\n  Vault a <> Vault b = Vault (a <> b)\n",
    "newtype Seed = Seed ByteString",
    (
        "module Acme.Vault (Vault, burn) where",
        "burn :: MonadIO m => Vault -> Slot -> m Receipt",
        "import Acme.Store (Store)",
        "instance Semigroup Vault where",
        "data Phase = Open | Sealed | Burnt",
    ),
)
VUE = Source(
    "src/Vault.vue",
    "<script setup lang=\"ts\">\nimport {{ ref }} from 'vue'\nimport store from '@/store'\n"
    "const props = defineProps<{{ vaultId: number }}>()\n".replace("{{", "{").replace("}}", "}"),
    "async function {word}{n}(id: number) {{\n  const found = await store.read(`/{word}/${{id}}`)\n"
    "  if (!found) {{\n    notice.value = 'no {word}'\n    return\n  }}\n  {word}.value = found.data\n"
    "  busy.value = false\n}}\n",
    "const emit = defineEmits<{ (e: 'burnt', slot: number): void }>()\n"
    "watch(() => props.vaultId, reload, { immediate: true })\n",
    '</script>\n\n<template>\n  <KeyList v-if="keys.length" :keys="keys" @burn="burn" />\n</template>',
    (
        "import store from '@/store'",
        "defineProps<{ vaultId: number }>()",
        "defineEmits<{ (e: 'burnt', slot: number): void }>()",
        "watch(() => props.vaultId, reload",
    ),
)
PHP = Source(
    "src/Vault.php",
    "<?php\nnamespace Acme\\Keys;\n\nuse Acme\\Store\\Store;\n\nfinal class Vault implements Storing\n{\n    private const SLOTS = 64;\n",
    "    public function {word}{n}(int $id, ?string ${word} = null): array\n    {{\n"
    "        $found = $this->store->read($id);\n        if ($found === null) {{\n"
    "            throw new MissingKey($id);\n        }}\n        $keys = array_map(fn($k) => $k['{word}'], $found);\n"
    "        return $keys;\n    }}\n",
    "    protected function burn(Slot $slot, int $tries = 5): Receipt\n    {\n"
    "        return $this->store->drop($slot); // FIXME: not atomic\n    }\n",
    "}\n\nenum Phase: string\n{\n    case Open = 'open';\n}",
    (
        "final class Vault implements Storing",
        "protected function burn(Slot $slot, int $tries = 5): Receipt",
        "use Acme\\Store\\Store;",
        "private const SLOTS = 64;",
        "enum Phase: string",
    ),
)

SOURCES = (CSHARP, ELIXIR, KOTLIN, SWIFT, SCALA, LUA, DART, ZIG, HASKELL, VUE, PHP)
