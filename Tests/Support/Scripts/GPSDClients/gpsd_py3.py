import gpsd, time
gpsd.connect("HOST", PORT)
while True:
    fix = gpsd.get_current()
    if fix.mode > 1:
        print(fix.time, "%.9f %.9f" % fix.position())
    time.sleep(0.02)
