"""Parts of a long text: lines, matches, values of JSON, rows of tables. Pure."""
