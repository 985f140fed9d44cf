"""Pages and chats keep what their readers act by: commands, rows below their head, settings."""

from __future__ import annotations

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import explain_output

RUN_BOOK = """# Moving the tide gauge to the spare radio

This page is for whoever is on duty when the gauge falls silent. It was written after the storm
in spring and has been read by everybody in the group since then.

## Look first

The lamp on the mast is green while the gauge is well. A yellow lamp means a low
battery, and then a walk along the pier with a new one is all that it takes. Tell the office.

## Move it

The spare radio stands below the desk and is warm when it is ready to be used by the gauge.

```sh
gaugectl hold --station pier
gaugectl route --station pier --via spare
```

Nothing has to be done on the pier itself while the radio is moved, and the curve goes on by itself.

## What the display says

| Display | Meaning | What helps |
|---|---|---|
| H2 | The float is stuck in the tube | Knock at the tube, wait for a wave |
| H5 | The aerial has lost its cable | Never climb alone, call the riggers at 4471 |

## Afterwards

The old radio goes into its box with a note on what was heard of it, and the box onto the shelf by
the door, where the people from the makers find it when they come by with the boat.

Write down in the blue book who did it and how long it has taken. The others read it on Monday.

## Read for this page

- `gauge/mast.py` (112 lines)
- `gauge/radio.py` (240 lines)
- `gauge/route.py` (87 lines)
- `gauge/lamp.py` (61 lines)
- `gauge/float.py` (305 lines)
- `gauge/tests/test_route.py` (190 lines)
"""

CHAT = """2026-11-20 09:01 <ines> morning
2026-11-20 09:02 <ines> the buoy has been silent since the night, who knows why?
2026-11-20 09:03 <tor> hi
2026-11-20 09:04 <tor> it was fine when I left on wednesday evening
2026-11-20 09:06 <ines> hm
2026-11-20 09:07 <ines> the shore station hears it, we do not
2026-11-20 09:09 <tor> then it is the relay that drops what is slow
2026-11-20 09:10 <ines> could be
2026-11-20 09:12 <tor> give it more time, RELAY_WAIT_S=90 is what the makers say
2026-11-20 09:13 <ines> ok
2026-11-20 09:14 <tor> please don't move the aerial before the riggers have been there
2026-11-20 09:15 <ines> ok, I won't
2026-11-20 09:16 <tor> coffee?
2026-11-20 09:17 <ines> yes
2026-11-20 09:31 <ines> it is back, the curve is whole again
2026-11-20 09:32 <tor> nice
2026-11-20 09:33 <ines> thanks
2026-11-20 09:34 <tor> see you
2026-11-20 09:40 <ines> there is cake in the kitchen for whoever wants some of it
2026-11-20 09:41 <tor> who made it
2026-11-20 09:42 <ines> my sister did
2026-11-20 09:43 <tor> great
"""


def reduced(text: str) -> Reduction:
    """The text as a reading tool returned it, reduced."""
    result = explain_output(ToolOutput(text, "read")).result
    assert isinstance(result, Reduction)
    return result


def test_commands_that_a_page_tells_to_type_stay():
    """They are what the page is opened for, though no sentence holds them."""
    body = reduced(RUN_BOOK).body
    assert "gaugectl hold --station pier" in body
    assert "gaugectl route --station pier --via spare" in body


def test_rows_stand_below_the_head_of_their_table():
    """A row without its columns cannot be read."""
    body = reduced(RUN_BOOK).body
    assert "Never climb alone" in body
    assert body.index("| Display | Meaning | What helps |") < body.index("Never climb alone")


def test_items_that_only_point_at_files_give_way():
    """What a section lists without a word about it is left out first."""
    shown = sum(line.startswith("- `gauge/") for line in reduced(RUN_BOOK).body.split("\n"))
    assert shown <= 2


def test_a_chat_with_names_in_angle_brackets_is_what_people_said():
    """Settings agreed upon and requests stay, cheers and greetings do not."""
    result = reduced(CHAT)
    assert result.type == "talk"
    assert "RELAY_WAIT_S=90" in result.body
    assert "please don't move the aerial" in result.body
    assert "<tor> nice" not in result.body
