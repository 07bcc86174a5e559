from gps3 import gps3
connection, stream = gps3.GPSDSocket(), gps3.DataStream()
connection.connect("HOST", PORT)
connection.watch()
while True:
    data = connection.next(timeout=1)
    if data and '"TPV"' in data:
        stream.unpack(data)
        if stream.TPV["mode"] > 1:
            print(stream.TPV["time"], "%.9f %.9f" % (stream.TPV["lat"], stream.TPV["lon"]))
