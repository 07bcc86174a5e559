"""Clients of GeoClue for the soak: soak_clients.py ADDRESS many COUNT SECONDS | hold LEVEL | calls COUNT.

many: COUNT clients, each on a connection of its own, read every location; prints when each was told of it, the number
of its object, and its latitude.
hold: a client that starts with LEVEL, prints its first location and stays.
calls: every call that an app makes, again and again without a decision; prints the slowest reply.
"""

import json
import select
import signal
import sys
import time

from geoclue_calls import Client
from sdbus import Variant


def many(address, count, seconds):
    clients = [Client(address, f"org.example.Soak{number}") for number in range(int(count))]
    for client in clients:
        client.call("Start")
    arrivals = [[] for _ in clients]
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        for ready in select.select([client.bus for client in clients], [], [], 0.2)[0]:
            ready.receive()
        for client, moments in zip(clients, arrivals):
            for update in [message for message in client.bus.signals if message.member == "LocationUpdated"]:
                path = update.arguments[1]
                latitude = client.location(path)["Latitude"]
                moments.append((update.arrival, int(path.rpartition("/")[2]), latitude))
            client.bus.signals.clear()
    print(json.dumps({"arrivals": arrivals}), flush=True)


def hold(address, level):
    client = Client(address, level=int(level))
    client.call("Start")
    print(json.dumps({"first": client.next_location(110) is not None}), flush=True)
    signal.pause()


def calls(address, count):
    slowest, made = 0.0, 0
    for _ in range(int(count)):
        def timed(call, *arguments):
            nonlocal slowest, made
            began = time.monotonic()
            result = call(*arguments)
            slowest, made = max(slowest, time.monotonic() - began), made + 1
            return result
        client = timed(Client, address)
        timed(client.set, "TimeThreshold", Variant("u", 1))
        for member in ("Start", "Start", "Stop", "Start"):
            timed(client.call, member)
        timed(client.get, "Active")
        client.bus.close()
    print(json.dumps({"slowest": slowest, "calls": made}), flush=True)


if __name__ == "__main__":
    globals()[sys.argv[2]](sys.argv[1], *sys.argv[3:])
