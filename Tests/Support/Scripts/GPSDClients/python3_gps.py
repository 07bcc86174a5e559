import gps
session = gps.gps(host="HOST", port="PORT", mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE)
while session.read() == 0:
    if session.data["class"] == "TPV" and session.fix.mode > 1:
        print(session.data["time"], "%.9f %.9f" % (session.fix.latitude, session.fix.longitude))
