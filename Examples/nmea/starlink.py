#!/usr/bin/env python3
"""A Starlink dish as a receiver of locationd, at the Unix socket that the service manager passes or that is named.

The dish tells its place to this network only after "Allow access on local network" in the app, under debug data.
It is asked once a second, by grpcurl, while locationd is connected.
"""
import functools
import json
import os
import socket
import subprocess
import sys
import time

DISH = ["grpcurl", "-plaintext", "-max-time", "3", "-d", '{"getLocation":{}}', "192.168.100.1:9200",
        "SpaceX.API.Device.Device/Handle"]


def angle(degrees, width, signs):
    minutes = round(abs(degrees) * 6_000_000)
    return f"{minutes // 6_000_000:0{width}}{minutes % 6_000_000 / 100_000:08.5f},{signs[degrees < 0]}"


def sentences(place, sigma):
    where = angle(place["lat"], 2, "NS") + "," + angle(place["lon"], 3, "EW")
    now = time.gmtime()
    clock = time.strftime("%H%M%S", now)
    bodies = [f"GNRMC,{clock},A,{where},,,{time.strftime('%d%m%y', now)},,,A",
              f"GNGGA,{clock},{where},1,,,{place['alt']:.1f},M,,M,,", f"GNGST,{clock},,,,,{sigma},{sigma},{sigma}"]
    sums = [functools.reduce(lambda sum, byte: sum ^ byte, body.encode(), 0) for body in bodies]
    return "".join(f"${body}*{sum:02X}\r\n" for body, sum in zip(bodies, sums)).encode()


if "LISTEN_FDS" in os.environ:
    listener = socket.socket(fileno=3)
else:
    listener = socket.socket(socket.AF_UNIX)
    os.umask(0o177)  # Whoever may connect learns where the dish is: this user and root.
    listener.bind(sys.argv[1])
    listener.listen(1)
while True:
    with listener.accept()[0] as connection:
        try:
            while True:
                answer = json.loads(subprocess.run(DISH, stdout=subprocess.PIPE, check=True).stdout)["getLocation"]
                connection.sendall(sentences(answer["lla"], answer.get("sigmaM", 10)))
                time.sleep(1)
        except (OSError, subprocess.CalledProcessError, KeyError, ValueError) as error:
            print(error, file=sys.stderr)
            time.sleep(1)
