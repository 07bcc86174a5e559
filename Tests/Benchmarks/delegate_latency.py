#!/usr/bin/env python3
"""Measures the time from the daemon's write of an update to the call of a CLLocationManager's delegate, and the run
time of a program that links CoreLocation and does nothing.

Usage: delegate_latency.py RUN_LOOP_APP, the program of Tests/Fixtures. This script acts as the daemon: each location's
altitude is the time of writing, on the clock that the program reads as well.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

UPDATES = 1000
INTERVAL = 0.005
AUTHORIZATION = {"authorization": {"status": "authorizedWhenInUse", "accuracy": "full", "servicesEnabled": True}}


def reply(connection, parameters, continues):
    message = {"parameters": parameters, "continues": continues} if continues else {"parameters": parameters}
    connection.sendall(json.dumps(message).encode() + b"\0")


def updates(connection):
    for number in range(UPDATES):
        time.sleep(INTERVAL)
        location = {"timestamp": "2026-06-01T12:00:00.000Z", "latitude": 47.5, "longitude": number / 1e6,
                    "simulated": True, "altitude": time.clock_gettime(time.CLOCK_MONOTONIC)}
        reply(connection, {"update": {"event": "location", "location": location}}, True)


def serve(connection):
    pending = b""
    while data := connection.recv(65536):
        *messages, pending = (pending + data).split(b"\0")
        for message in messages:
            call = json.loads(message)
            method = call["method"].rsplit(".", 1)[1]
            if method == "GetAuthorization":
                reply(connection, AUTHORIZATION, call.get("more", False))
            elif method == "ListRegions":
                reply(connection, {"regions": []}, False)
            elif method == "Subscribe":
                updates(connection)


def main(program):
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(folder + "/io.locationd.Location")
        listener.listen()

        def accept():
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=[connection], daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        environment = {**os.environ, "LOCATIOND_RUNTIME_DIRECTORY": folder}
        subprocess.run([program, "latency", str(UPDATES)], env=environment, check=True)
        times = []
        for _ in range(20):
            begin = time.monotonic()
            subprocess.run([program, "nothing"], env=environment, check=True)
            times.append(time.monotonic() - begin)
        print(f"idle program: median {sorted(times)[10] * 1e3:.1f} ms of 20, maximum {max(times) * 1e3:.1f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
