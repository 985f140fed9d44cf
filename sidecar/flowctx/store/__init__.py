"""The SQLite store. Only this package imports apsw.

`database` owns the connections and the one writer thread; the other modules
are one table family each: functions that take a connection, with SQL only here.
"""
