#!/usr/bin/python3
"""Kills the publisher and the server at random moments, and cuts the network between them, while the real daemon
produces locations. The connections are encrypted, under an authority of its own. Ends with exit status 1 if the server
lacks a report, or has one out of order or twice.

    publish_endurance.py BIN [--server mqtt] [--moments 400] [--cut 180] [--seed 1]

The server is `mqtt`, a broker with the consumer of the example; `https`, one that is posted each report to; or
`overland`, one that is posted up to 100 in a request to.

BIN is the folder of locationd, locationctl and locationd-publish. Needs mosquitto, openssl and
python3-paho-mqtt; root, for the network (`--cut 0` leaves it out): the publisher is in a network namespace of its own,
whose only link is taken down.
"""
import argparse
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import servers
from processes import Authority, Failed, Process, queue, settle, wait

# Of the link between the two namespaces: from the addresses for benchmarks, RFC 2544.
SERVER_ADDRESS, PUBLISHER_ADDRESS = "198.18.0.1", "198.18.0.2"
CONFIGURATION = """
{server}device = "van"
[tls]
ca = "{authority}"
[queue]
send-while-disabled = true
"""


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Network:
    """A network namespace whose only link leads to this one."""

    def __init__(self):
        self.name = f"locationd-{os.getpid()}"
        self.link = f"ld{os.getpid()}"

    def __enter__(self):
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name", "up0", "netns", self.name)
        run("ip", "address", "add", SERVER_ADDRESS + "/30", "dev", self.link)
        run("ip", "-n", self.name, "address", "add", PUBLISHER_ADDRESS + "/30", "dev", "up0")
        run("ip", "-n", self.name, "link", "set", "up0", "up")
        self.set("up")
        return self

    def __exit__(self, *_):
        run("ip", "netns", "delete", self.name)

    def set(self, state):
        run("ip", "link", "set", self.link, state)


class Scene:
    """A daemon that replays a journey, a publisher, and a server."""

    def __init__(self, arguments, folder, network):
        self.bin, self.folder = os.path.abspath(arguments.bin), folder
        self.publisher_path = os.path.join(folder, "locationd-publish")
        shutil.copy(os.path.join(self.bin, "locationd-publish"), self.publisher_path)
        self.queue_path = os.path.join(folder, "queue/queue.db")
        host = SERVER_ADDRESS if network else "127.0.0.1"
        authority = Authority(os.path.join(folder, "authority"), "127.0.0.1", SERVER_ADDRESS)
        make, format = servers.KINDS[arguments.server]
        self.server = make(folder, host, "0.0.0.0" if network else host, authority, format)
        configuration = self.write("publish.toml", CONFIGURATION.format(
            server=self.server.configuration, authority=authority.certificate))
        enter = ["ip", "netns", "exec", network.name] if network else []
        os.environ["LOCATIOND_RUNTIME_DIRECTORY"] = folder + "/run"
        self.daemon = Process(
            [self.bin + "/locationd", "--runtime-directory", folder + "/run", "--state-directory", folder + "/state",
             "--receiver", f"replay:{self.write('track.nmea', track())}@20"], folder + "/locationd.log")
        self.publisher = Process(
            [*enter, self.publisher_path, "--config", configuration, "--state-directory", folder + "/queue"],
            folder + "/publisher.log")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def ctl(self, *arguments):
        return run(self.bin + "/locationctl", *arguments)

    def start(self):
        self.daemon.start()
        wait("daemon", lambda: os.path.exists(self.folder + "/run/manage/io.locationd.Manage"))
        # Under sudo locationctl would mean the caller of sudo.
        self.ctl("grant", "exe:" + self.publisher_path, "--always", "--uid", str(os.getuid()))
        self.server.start()
        self.publisher.start(until="connected to")

    def restart_publisher(self):
        self.publisher.end()
        self.publisher.start()

    def drain(self):
        """Switches the location off, and waits until the server has everything. Returns the seconds."""
        before = self.server.count()
        wait("reports", lambda: self.server.count() > before)
        start = time.monotonic()
        self.ctl("disable")
        wait("end of the locations", lambda: "location services are off" in self.publisher.output())
        wait("empty queue", lambda: queue(self.queue_path)[1] == 0, 600)
        last = queue(self.queue_path)[2]
        settle(self.server.last, last)
        return time.monotonic() - start

    def end(self):
        for process in (self.publisher, self.daemon, *self.server.processes):
            process.end()


def track():
    """A day to the north and back at up to 15 m/s, as GGA and RMC."""
    lines = []
    for second in range(86_400):
        north = 450 * (1 - math.cos(second / 30))
        minutes = 30 + north / 111_200 * 60
        time_of_day = f"{second // 3600:02}{second // 60 % 60:02}{second % 60:02}.00"
        place = f"47{minutes:08.5f},N,00845.00000,E"
        for sentence in (f"GPGGA,{time_of_day},{place},1,10,0.9,431.0,M,48.0,M,,",
                         f"GPRMC,{time_of_day},A,{place},29.2,0.0,010626,,,A"):
            checksum = 0
            for byte in sentence.encode():
                checksum ^= byte
            lines.append(f"${sentence}*{checksum:02X}\r\n")
    return "".join(lines)


def moments(scene, arguments, chance):
    """Kills publisher and server at random moments, in random order. Returns how often each was killed."""
    kinds = ["publisher", "server"] * (arguments.moments // 2)
    chance.shuffle(kinds)
    for kind in kinds:
        time.sleep(chance.uniform(0.05, 1.5))
        scene.restart_publisher() if kind == "publisher" else scene.server.restart(scene.publisher)
    return len(kinds) // 2


def cut(scene, network, seconds):
    """Cuts the network for a time. Returns the reports that have waited, and the seconds until all had arrived."""
    before = scene.server.count()
    wait("reports", lambda: scene.server.count() > before)
    network.set("down")
    time.sleep(seconds)
    waiting = queue(scene.queue_path)[1]
    network.set("up")
    start = time.monotonic()
    wait("reports after the cut", lambda: queue(scene.queue_path)[1] < 50, 600)
    return waiting, time.monotonic() - start


def measure(arguments, folder, network):
    chance = random.Random(arguments.seed)
    scene = Scene(arguments, folder, network)
    try:
        start = time.monotonic()
        scene.start()
        kills = moments(scene, arguments, chance)
        print(f"killed      publisher and server {kills} times each, in {time.monotonic() - start:.0f} s, "
              f"seed {arguments.seed}", flush=True)
        if network:
            waiting, seconds = cut(scene, network, arguments.cut)
            print(f"cut         {arguments.cut:.0f} s; {waiting} reports waited, sent {seconds:.1f} s after its end")
        print(f"drained     in {scene.drain():.1f} s")
        lost, added = scene.server.missing(scene.queue_path)
        total = queue(scene.queue_path)[2]
        arrived, repeated, disordered = scene.server.counts()
        print(f"reports     {total}, {lost} lost, {added} at the server that were not in the queue, "
              f"{disordered} out of order")
        print(f"repeated    {repeated} of {arrived} that arrived, recognised by their numbers")
        return lost == added == disordered == 0
    except Failed:
        for process in (scene.publisher, *scene.server.processes):
            if os.path.exists(process.log):
                sys.stderr.write(f"--- {process.log}\n{process.output()[-2000:]}\n")
        raise
    finally:
        scene.end()


def main():
    parser = argparse.ArgumentParser(description="Kill and cut while locations are published.")
    parser.add_argument("bin")
    parser.add_argument("--server", choices=servers.KINDS, default="mqtt")
    parser.add_argument("--moments", type=int, default=400, help="the number of kills, one half for each")
    parser.add_argument("--cut", type=float, default=180, help="seconds without a network; 0: no cut")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            if arguments.cut == 0:
                is_good = measure(arguments, folder, None)
            else:
                with Network() as network:
                    is_good = measure(arguments, folder, network)
    except Failed as failure:
        sys.exit(f"publish_endurance: {failure}")
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
