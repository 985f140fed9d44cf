"""Several files that one command prints: each is told as what it is, under its own name."""

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output

_RUST = "use std::fmt;\n\n" + "".join(
    f"/// Slot {n}.\npub fn slot_{n}(at: usize) -> usize {{\n    let held = at + {n};\n"
    f'    println!("{{}}", held);\n    held * {n}\n}}\n\n'
    for n in range(40)
)
_LUA = "local lights = {}\n\n" + "".join(
    f"function lights.turn_{n}(level)\n  if level > {n} then\n    return level - {n}\n  end\n"
    f"  return lights.off\nend\n\n"
    for n in range(40)
)
_SETTINGS = "".join(f"server {{\n  listen {8000 + n};\n  root /srv/{n};\n}}\n" for n in range(40))
_FILES = {"src/slot.rs": _RUST, "src/lights.lua": _LUA, "conf/nginx.conf": _SETTINGS}


def _printed() -> str:
    return "\n".join(f"==> {name} <==\n{body}" for name, body in _FILES.items())


@pytest.mark.parametrize("command", ["tail -n +1 src/* conf/*", "head -400 src/slot.rs", ""])
def test_each_file_keeps_its_name_and_what_is_in_it(command: str) -> None:
    """Knowing the command loses neither the names of the files nor what they hold."""
    made = reduce_output(ToolOutput(_printed(), "exec", command, exit_code=0))
    assert isinstance(made, Reduction)
    places = [made.body.index(f"==> {name} <==") for name in _FILES]
    assert places == sorted(places)
    rust, lua, settings = (
        made.body[start:end] for start, end in zip(places, [*places[1:], None], strict=True)
    )
    assert "pub fn slot_0" in rust
    assert "function lights.turn_0" in lua
    assert "listen 8000" in settings
