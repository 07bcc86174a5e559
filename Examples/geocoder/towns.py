#!/usr/bin/env python3
"""A geocoder for apps of locationd: the towns in a file of GeoNames, without a network.

Usage: towns.py SOCKET FILE

FILE is cities500.txt of https://download.geonames.org/export/dump, or one in the same format. SOCKET is the path that
[geocoder] in /etc/locationd/locationd.toml has.
"""
import contextlib
import json
import math
import os
import socketserver
import stat
import sys

INTERFACE = "io.locationd.Geocoder"


def towns(file):
    """Yields the towns in a file, as the interface has them."""
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            column = line.rstrip("\n").split("\t")
            yield {"latitude": float(column[4]), "longitude": float(column[5]), "locality": column[1],
                   "isoCountryCode": column[8], "timeZone": column[17]}


def distance(town, place):
    """Returns a distance in degrees, which is good enough to compare towns that are near."""
    east = (town["longitude"] - place["longitude"] + 180) % 360 - 180
    return math.hypot(town["latitude"] - place["latitude"], east * math.cos(math.radians(place["latitude"])))


def answer(call):
    """Returns the reply to a call."""
    parameters = call.get("parameters", {})
    if call["method"] == f"{INTERFACE}.ReverseGeocode":
        found = sorted(TOWNS, key=lambda town: distance(town, parameters))[:1]
    elif call["method"] == f"{INTERFACE}.Geocode":
        name = parameters["text"].split(",")[0].strip().casefold()
        found = [town for town in TOWNS if town["locality"].casefold() == name]
    else:
        return {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": call["method"]}}
    return {"parameters": {"placemarks": found}} if found else {"error": f"{INTERFACE}.NoResult"}


class Connection(socketserver.StreamRequestHandler):
    """A connection of an app, with one call after the other. Each ends with a zero byte."""

    def handle(self):
        """Answers the calls."""
        received = b""
        while data := self.request.recv(4096):
            *calls, received = (received + data).split(b"\0")
            for call in calls:
                self.wfile.write(json.dumps(answer(json.loads(call))).encode() + b"\0")


class Service(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """The service, with a thread for each app."""

    daemon_threads = True


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path = sys.argv[1]
    TOWNS = list(towns(sys.argv[2]))
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            sys.exit(f"{path} is there, and is not a socket")
        os.remove(path)
    with Service(path, Connection) as service:
        os.chmod(path, 0o666)  # for each app of each user
        service.serve_forever()
