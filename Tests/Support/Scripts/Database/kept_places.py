import json, sqlite3, sys
c = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True, timeout=60)
state = c.execute("SELECT state FROM reduction").fetchone()
print(json.dumps({
    "cell": json.loads(state[0]).get("settled") if state else None,
    "visits": c.execute("SELECT latitude, longitude FROM visit").fetchall(),
    "lastPlaces": c.execute("SELECT count(lastDelivered) FROM monitoring").fetchone()[0]}))
