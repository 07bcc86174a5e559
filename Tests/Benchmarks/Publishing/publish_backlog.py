#!/usr/bin/python3
"""Measures how long a long queue takes to be sent, after a time without a network.

    publish_backlog.py BIN [--server overland] [--count 86400]

BIN is the folder of locationd, locationctl and locationd-publish. The queue is filled with copies of a real report,
each with a time of its own, and sent to a server on this machine. Ends with exit status 1 if the server lacks a report,
or has one out of order.
"""
import argparse
import datetime
import json
import os
import sqlite3
import sys
import tempfile
import time

import servers
from processes import Failed, queue, wait
from publish_endurance import Scene


def fill(path, count):
    """Adds reports to a queue that has one, each a second later."""
    with sqlite3.connect(path, timeout=60) as database:
        stored, content = database.execute("SELECT stored, content FROM report ORDER BY number DESC").fetchone()
        report = json.loads(content)
        first = datetime.datetime.fromisoformat(report["location"]["timestamp"].replace("Z", "+00:00"))

        def copies():
            for second in range(1, count + 1):
                moment = first + datetime.timedelta(seconds=second)
                text = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"
                report["location"]["timestamp"] = text
                yield stored, json.dumps(report, separators=(",", ":")).encode()

        database.executemany("INSERT INTO report (stored, content) VALUES (?, ?)", copies())


def peak_megabytes(process):
    with open(f"/proc/{process.running.pid}/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def measure(arguments, folder):
    scene = Scene(arguments, folder, None)
    try:
        scene.daemon.start()
        wait("daemon", lambda: os.path.exists(folder + "/run/manage/io.locationd.Manage"))
        scene.ctl("grant", "exe:" + scene.publisher_path, "--always", "--uid", str(os.getuid()))
        # There is no listener yet.
        scene.publisher.start(until="no connection to")
        wait("report", lambda: queue(scene.queue_path)[1] > 0)
        scene.publisher.end()
        fill(scene.queue_path, arguments.count)
        waiting = queue(scene.queue_path)[1]
        scene.server.start()
        start = time.monotonic()
        scene.publisher.start(until="connected to")
        scene.ctl("disable")
        wait("empty queue", lambda: queue(scene.queue_path)[1] == 0, 7200)
        seconds = time.monotonic() - start
        memory = peak_megabytes(scene.publisher)
        scene.publisher.end()
        lost, _ = scene.server.missing(scene.queue_path)
        reports, repeated, disordered = scene.server.counts()
        requests = f" in {scene.server.requests()} requests" if arguments.server != "mqtt" else ""
        print(f"sent        {waiting} reports that waited, and {reports - waiting} more, in {seconds:.1f} s{requests}")
        print(f"publisher   {scene.publisher.cpu:.1f} s of CPU, {memory:.0f} MB of memory at most")
        print(f"reports     {lost} lost, {repeated} repeated, {disordered} out of order")
        return lost == disordered == 0
    finally:
        scene.end()


def main():
    parser = argparse.ArgumentParser(description="Measure how long a queue takes to be sent.")
    parser.add_argument("bin")
    parser.add_argument("--server", choices=servers.KINDS, default="overland")
    parser.add_argument("--count", type=int, default=86_400)
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(0 if measure(arguments, folder) else 1)
    except Failed as failure:
        sys.exit(f"publish_backlog: {failure}")


if __name__ == "__main__":
    main()
