end(start(GRANTED, '''
region = {"identifier": "home", "latitude": 47.5, "longitude": 8.75, "radius": 100,
          "notifyOnEntry": True, "notifyOnExit": True}
assert ask(None, "StartMonitoringRegion", {"region": region}) == ""
'''))
for method, parameters, more in (
        ("GetLocation", {}, False), ("GetAuthorization", {}, False), ("ListRegions", {}, False),
        ("GetRegionState", {"identifier": "home"}, False), ("Subscribe", {}, True),
        ("RequestAuthorization", {"level": "always", "reason": "mine"}, False),
        ("StopMonitoringRegion", {"identifier": "home"}, False), ("MonitorVisits", {}, True)):
    isReused = False
    while not isReused:
        connection = new()
        child = start(GRANTED, '''
connection = connect(socket.socket(fileno=int(sys.argv[1])))
assert ask(connection) == "location"
        ''', connection.fileno())
        end(child)
        isReused = reuse(child, GRANTED)
    print(ask(connection, method, parameters, more=more))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
