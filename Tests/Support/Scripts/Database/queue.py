import sqlite3, sys
database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True, timeout=60)
print(database.execute("SELECT count(*) FROM report").fetchone()[0])
print((database.execute("SELECT seq FROM sqlite_sequence").fetchone() or [0])[0])
