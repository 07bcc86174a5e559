import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("INSERT INTO pendingEvent (uid, app, method, subject, parameters) VALUES (?, ?, ?, '', ?)",
    (int(sys.argv[2]), sys.argv[3], "MonitorSignificantChanges", sys.argv[4]))
c.commit()
