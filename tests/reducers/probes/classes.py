"""Source code of classes: their constants, what they say of themselves, and open tasks."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, rng, word


def java_class() -> Probe:
    r = rng("java class")
    lines = ["package com.acme.pay;", "", "import java.util.*;", "", "/** Moves money. */"]
    lines += ["public final class Ledger {", "  private static final int MAX_RETRIES = 7;", ""]
    for n in range(40):
        lines += [
            f"  public Optional<Entry> {word(r)}{n}(String {word(r)}) throws LedgerException {{"
        ]
        lines += [f"    var {word(r)} = store.{word(r)}({at}).orElseThrow();" for at in range(7)]
        lines += ["  }", ""]
        if n == 25:
            lines += ["  void forcePost(Entry entry) {", "    // HACK: skips the balance check"]
            lines += ["    store.write(entry);", "  }", ""]
    lines += ["  enum State { OPEN, FROZEN, CLOSED }", "}"]
    facts = ("void forcePost(Entry entry)", "skips the balance check", "MAX_RETRIES = 7")
    facts += ("enum State { OPEN, FROZEN, CLOSED }",)
    return Probe(
        "java_class", "\n".join(lines), facts, "cat src/main/java/com/acme/pay/Ledger.java"
    )


def cpp_templates() -> Probe:
    r = rng("cpp templates")
    lines = ["#include <vector>", "", "namespace net {", ""]
    for n in range(40):
        name = f"{word(r)}{n}"
        lines += ["template <typename T>", f"std::vector<T> Ring<T>::{name}(int limit) const {{"]
        lines += [f"  {word(r)}_ += {n} * {word(r)}({at});" for at in range(9)]
        lines += ["}", ""]
        if n == 20:
            lines += ["Ring<int>::Ring(int capacity) : capacity_(capacity), head_(0) {}", ""]
            lines += [
                "bool operator<(const Frame& a, const Frame& b) { return a.seq < b.seq; }",
                "",
            ]
            lines += ["// HACK: drops the last frame when the buffer wraps"]
    lines += ["static constexpr int kMaxFrames = 4096;", "}  // namespace net"]
    facts = (
        "Ring<int>::Ring(int capacity)",
        "bool operator<(const Frame& a",
        "drops the last frame",
    )
    facts += ("kMaxFrames = 4096",)
    return Probe("cpp_templates", "\n".join(lines), facts, "cat src/ring.cc")


def ruby_model() -> Probe:
    r = rng("ruby model")
    lines = ["require 'json'", "", "module Billing", "  class Invoice < ApplicationRecord"]
    lines += ["    MAX_LINES = 250", "    has_many :lines, dependent: :destroy", ""]
    for n in range(45):
        lines += [f"    def {word(r)}_{n}({word(r)}, at: Time.now)"]
        lines += [f"      {word(r)} = lines.map {{ |l| l.{word(r)} }}.sum + {n}" for _ in range(6)]
        lines += ["    end", ""]
    lines += ["    private", "", "    def round_half_even(amount)", "      amount.round(2)"]
    lines += ["    end", "  end", "end"]
    facts = ("MAX_LINES = 250", "has_many :lines", "def round_half_even(amount)")
    return Probe("ruby_model", "\n".join(lines), facts, "cat app/models/invoice.rb")


PROBES = (java_class, cpp_templates, ruby_model)
