"""Rows and columns of what commands print, and of CSV whose cells have several lines."""

from __future__ import annotations

import csv
import io

import pytest

from flowctx.excerpt.cut import cut_part
from flowctx.excerpt.parts import Part, UnusablePartError

PS = """\
USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
root           1  0.0  0.1 168936 11236 ?        Ss   Nov29   0:09 /sbin/init splash
postgres    2231  1.2  3.4 1219004 278112 ?      Ssl  Nov29  12:44 postgres: writer process
www-data   31337 99.1  0.4  21344  4210 pts/0    R+   10:02   3:11 python3 app.py --port 80
"""
DF = """\
Filesystem      Size  Used Avail Use% Mounted on
/dev/sda1        98G   71G   23G  76% /
tmpfs           7.8G  1.2M  7.8G   1% /dev/shm
/dev/sdb1       1.8T  1.7T   20G  99% /srv/my data
"""
PODS = """\
NAME                    READY   STATUS             RESTARTS      AGE
api-6c9f7d5b8-x2x9p     1/1     Running            0             3d4h
worker-7d8b6f5c4-k8s7q  0/1     CrashLoopBackOff   17 (2m ago)   5h
"""
DOCKER = """\
CONTAINER ID   IMAGE          COMMAND                  CREATED       STATUS       PORTS     NAMES
4f66ad9a0b2e   postgres:16    "docker-entrypoint.s…"   2 hours ago   Up 2 hours             db
77a1b2c3d4e5   web:latest     "nginx -g 'daemon of…"   3 days ago    Up 3 days    80/tcp    web
"""


def cells(text: str, part: Part) -> list[list[str]]:
    """The rows of an answer without their numbers, as cells."""
    page, _ = cut_part(text, part)
    head, *rows = page.text.split("\n")
    lines = [head, *(row.partition(":")[2] for row in rows)]
    return list(csv.reader(io.StringIO("\n".join(lines))))


@pytest.mark.parametrize(
    ("text", "part", "wanted"),
    [
        pytest.param(
            PS, Part(rows="2", columns="PID,%CPU,COMMAND"),
            [["PID", "%CPU", "COMMAND"], ["2231", "1.2", "postgres: writer process"]],
            id="ps, with values that push others aside",
        ),
        pytest.param(
            DF, Part(columns="Use%,Mounted on"),
            [["Use%", "Mounted on"], ["76%", "/"], ["1%", "/dev/shm"], ["99%", "/srv/my data"]],
            id="df, with a head of two words",
        ),
        pytest.param(
            "\n".join(DF.splitlines()[:2]), Part(columns="Mounted on"),
            [["Mounted on"], ["/"]],
            id="df of one short mount",
        ),
        pytest.param(
            PODS, Part(rows="2", columns="STATUS,RESTARTS"),
            [["STATUS", "RESTARTS"], ["CrashLoopBackOff", "17 (2m ago)"]],
            id="kubectl, with blanks in a value",
        ),
        pytest.param(
            DOCKER, Part(columns="container id,ports,names"),
            [["CONTAINER ID", "PORTS", "NAMES"], ["4f66ad9a0b2e", "", "db"],
             ["77a1b2c3d4e5", "80/tcp", "web"]],
            id="docker, with a cell that is empty",
        ),
    ],
)  # fmt: skip
def test_columns_that_stand_below_each_other_are_a_table(text: str, part: Part, wanted):
    """Each value stands under its own head, whatever the command."""
    assert cells(text, part) == wanted


@pytest.mark.parametrize("sign", [",", "\t", ";"])
def test_a_cell_may_have_several_lines(sign: str):
    """A quoted cell goes on over line ends; rows are counted, not lines."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sign, lineterminator="\n")
    writer.writerow(["id", "said", "by"])
    writer.writerows([n, f"first line of {n}\n\nthird, line", f"u{n}"] for n in range(1, 200))
    page, _ = cut_part(out.getvalue(), Part(rows="150", columns="id,by"))
    assert page.text == f"id{sign}by\n150:150{sign}u150"
    page, selection = cut_part(out.getvalue(), Part(rows="7", columns="said"))
    assert "first line of 7\\n\\nthird, line" in page.text and selection.total == 199


@pytest.mark.parametrize(
    "text",
    [
        "It was a dark night.\nNobody came, and nobody\nwent; so it stayed.",
        "one\ntwo\nthree",
        "Dear Anna,\n\n  the boat is ready.\n  Come on Monday.\n",
        "",
    ],
)
def test_prose_is_no_table(text: str):
    """It is said so, and what to use in its place."""
    with pytest.raises(UnusablePartError):
        cut_part(text, Part(rows="1"))
