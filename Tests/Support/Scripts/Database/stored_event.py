import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("INSERT INTO pendingEvent (uid, app, kind, subject, parameters) VALUES (?, ?, ?, '', ?)",
    (int(sys.argv[2]), sys.argv[3], "significantChange", sys.argv[4]))
c.commit()
