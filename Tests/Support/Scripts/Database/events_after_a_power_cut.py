import json, sqlite3, sys
time = "2026-06-01T12:00:00.000Z"
location = {"timestamp": time, "latitude": 1.25, "longitude": 8.75, "simulated": False}
visit = {"latitude": 1.25, "longitude": 8.75, "horizontalAccuracy": 100, "arrival": time}
crossing = {"identifier": "home", "state": "inside", "location": location}
c = sqlite3.connect(sys.argv[1])
for kind, subject, event in (
        ("significantChange", "", location), ("visit", "", visit),
        ("region", "home", crossing)):
    c.execute("INSERT INTO pendingEvent (uid, app, kind, subject, parameters) VALUES (?, ?, ?, ?, ?)",
        (int(sys.argv[2]), sys.argv[3], kind, subject, json.dumps(event)))
c.commit()
