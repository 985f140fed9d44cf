"""Dumps of databases: how tables are built, and a row that differs."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, rng, word


def sql_dump() -> Probe:
    """A dump: how the tables are built, how many rows each has, and rows that differ."""
    r = rng("sql dump")
    lines = ["-- MariaDB dump 10.19  Distrib 11.4.2, for Linux", "SET NAMES utf8mb4;", ""]
    for table, rows in (("lots", 190), ("doors", 60)):
        lines += [
            f"DROP TABLE IF EXISTS `{table}`;",
            f"CREATE TABLE `{table}` (",
            "  `id` bigint NOT NULL AUTO_INCREMENT,",
            f"  `{table}_label` varchar(32) DEFAULT NULL,",
            "  `state` enum('open','shut','void') NOT NULL,",
            "  PRIMARY KEY (`id`),",
            f"  KEY `ix_{table}_state` (`state`)",
            ") ENGINE=InnoDB;",
        ]
        for n in range(rows):
            state = "void" if (table, n) == ("lots", 117) else r.choice(["open", "shut"])
            lines.append(f"INSERT INTO `{table}` VALUES ({n},'{word(r)}','{state}');")
    lines += ["CREATE TRIGGER no_void BEFORE DELETE ON lots FOR EACH ROW SIGNAL SQLSTATE '45000';"]
    lines += ["-- Dump completed on 2026-11-29  4:10:07"]
    facts = (
        "`lots_label` varchar(32) DEFAULT NULL",
        "KEY `ix_lots_state`",
        "KEY `ix_doors_state`",
        "CREATE TABLE `doors`",
        "'void');",
        "CREATE TRIGGER no_void",
        "-- Dump completed on 2026-11-29  4:10:07",
    )
    return Probe("sql_dump", "\n".join(lines), facts, "mariadb-dump depot")


def long_inserts() -> Probe:
    """A dump that brings hundreds of rows in one statement, on one line."""
    r = rng("long inserts")
    lines = ["-- MySQL dump 10.13  Distrib 9.1.0", "DROP TABLE IF EXISTS `doors`;"]
    lines += [
        "CREATE TABLE `doors` (",
        "  `id` int NOT NULL,",
        "  `note` text,",
        "  `kind` char(4)",
    ]
    lines += [") ENGINE=InnoDB;"]
    for part in range(3):
        rows = [
            f"({part * 200 + n},'{word(r)}, the {word(r)}''s (own)','{r.choice(['iron', 'wood'])}')"
            for n in range(200)
        ]
        if part == 1:
            rows[77] = "(277,'left open; see \\'log\\'','????')"
        lines.append(f"INSERT INTO `doors` VALUES {','.join(rows)};")
    lines += ["-- Dump completed on 2026-11-28  3:00:41"]
    facts = ("(277,'left open; see", "`note` text", "3:00:41")
    return Probe("long_inserts", "\n".join(lines), facts, "cat doors.sql", "read")


def pg_dump() -> Probe:
    """A dump whose rows stand in blocks of copied lines."""
    r = rng("pg dump")
    lines = ["--", "-- PostgreSQL database dump", "--", "", "SET client_encoding = 'UTF8';", ""]
    for table, rows in (("lots", 150), ("doors", 60)):
        lines += [
            f"CREATE TABLE public.{table} (",
            "    id bigint NOT NULL,",
            f"    {table}_label text,",
            "    weight numeric(9,3)",
            ");",
            "",
            f"COPY public.{table} (id, {table}_label, weight) FROM stdin;",
        ]
        for n in range(rows):
            weight = "-41.000" if (table, n) == ("lots", 88) else f"{r.randint(2, 9)}.{n % 10}00"
            lines.append(f"{n}\t{word(r)}\t{weight}")
        lines += ["\\.", ""]
    lines += ["CREATE UNIQUE INDEX lots_once ON public.lots USING btree (lots_label);"]
    lines += ["ALTER TABLE ONLY public.doors ADD CONSTRAINT doors_pkey PRIMARY KEY (id);"]
    facts = ("lots_label text", "CREATE TABLE public.doors (", "COPY public.lots (id, lots_label")
    facts += ("-41.000", "lots_once", "doors_pkey")
    return Probe("pg_dump", "\n".join(lines), facts, "pg_dump depot")


PROBES = (sql_dump, long_inserts, pg_dump)
