"""Reducers: a tool result becomes a short form that keeps its facts.

Everything here is pure, text in and value out. `pipeline.reduce_output` is the
one entry; the families it tries stand in a literal list at its top.
"""
