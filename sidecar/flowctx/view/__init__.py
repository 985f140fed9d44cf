"""The view of a session: pure functions from messages and decisions to ops.

In order: `turns` splits, `pairing` puts each result behind its call, `protect`
says what stays verbatim, `plan` renders turns and places folds, `budget` says
what must fold so that it fits.
"""
