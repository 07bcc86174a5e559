#!/usr/bin/python3
"""Plays a fleet through two brokers, one mirroring the other by mosquitto's bridge, each with a consumer that
writes to the same PostgreSQL; kills either broker (SIGKILL) again and again, and counts the rows. Ends with exit status
1 if a report is lost or there twice. It is the recipe of docs/fleet.md.

    fleet_mirror.py BIN [--units 1000] [--seconds 300] [--rate 0.1] [--processes 4] [--kills 10]

BIN is the folder of the program publish-load. Needs mosquitto, mosquitto-clients, postgresql, python3-paho-mqtt and
python3-psycopg2. As root, PostgreSQL runs as the user postgres.
"""
import argparse
import glob
import os
import random
import shutil
import signal
import subprocess
import time

from fleet_load import Units, drained, run, shares
from processes import Broker, Consumer, Failed, Process, queue, settle, wait

BRIDGE = """
connection mirror
address 127.0.0.1:{port}
topic locationd/# out 1
cleansession false
restart_timeout 1 5
"""
# Messages of a unit that would end a consumer which is not careful.
HOSTILE = [
    '{"unit":"evil","queue":"q","number":1e999,"timestamp":"t","latitude":1,"longitude":2}',
    '{"unit":"evil","queue":"q","number":9223372036854775808,"timestamp":"t","latitude":1,"longitude":2}',
    '{"unit":"evil","queue":"q","number":1,"timestamp":"t","latitude":1' + "0" * 400 + ',"longitude":2}',
    '{"unit":"evil","queue":"q","number":1,"timestamp":"t","latitude":1,"longitude":2,"speed":{}}',
    '{"unit":"evil","queue":"q","number":1,"timestamp":"t","latitude":1,"longitude":2,"event":["x"]}',
    '{"unit":"evil","queue":"\\u0000","number":1,"timestamp":"t","latitude":1,"longitude":2}',
    '{"unit":"evil","queue":"\\ud800","number":1,"timestamp":"t","latitude":1,"longitude":2}',
    '{"unit":"other","queue":"q","number":1,"timestamp":"t","latitude":1,"longitude":2}',
    "[" * 100_000, " ", "x", "1", "null",
]


class PostgreSQL(Process):
    """A server of its own, at a Unix socket in its folder."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "postgresql")
        os.makedirs(self.folder)
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not programs:
            raise Failed("PostgreSQL is not installed")
        self.user = []
        if os.geteuid() == 0:
            os.chmod(folder, 0o755)
            shutil.chown(self.folder, "postgres")
            self.user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"]
        data = f"{self.folder}/data"
        subprocess.run([*self.user, f"{programs[-1]}/initdb", "-D", data, "-A", "trust", "-U", "fleet"], check=True,
                       stdout=subprocess.DEVNULL)
        self.address = f"postgresql://fleet@/postgres?host={self.folder}"
        super().__init__([*self.user, f"{programs[-1]}/postgres", "-D", data, "-k", self.folder, "-c",
                          "listen_addresses="], os.path.join(folder, "postgresql.log"))

    def start(self, until="ready to accept connections"):
        super().start(until)

    def query(self, statement):
        result = subprocess.run(["psql", "-XAt", "-F", " ", "-c", statement, self.address], check=False, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if result.returncode:
            raise Failed(f"psql: {result.stderr}")
        return [line.split(" ") for line in result.stdout.splitlines()]

    def count(self):
        return int(self.query("SELECT count(*) FROM history")[0][0])


class DatabaseConsumer(Consumer):
    """The consumer of one broker."""

    def __init__(self, folder, port, database):
        os.makedirs(folder)
        super().__init__(folder, port)
        self.command[self.command.index(self.database)] = database.address


class Edge(Broker):
    """The broker of the units, which mirrors everything to another one."""

    def __init__(self, folder, port):
        super().__init__(folder, saves_each_change=False)
        with open(os.path.join(folder, "mosquitto.conf"), "a", encoding="utf-8") as file:
            file.write(BRIDGE.format(port=port))

    def mirrors(self):
        """Returns whether the other broker is connected."""
        command = ["mosquitto_sub", "-p", str(self.port), "-t", "$SYS/broker/connection/+/state", "-C", "1", "-W", "2"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() == "1"


def publish(port, payload):
    subprocess.run(["mosquitto_pub", "-p", str(port), "-q", "1", "-t", "locationd/evil", "-s"], input=payload.encode(),
                   check=True)


def trouble(arguments, edge, mirror, consumers, chance):
    """Kills the brokers in turn at random moments, and starts them again. Two of them are never away at once."""
    end = time.monotonic() + arguments.seconds
    pause = arguments.seconds / (arguments.kills + 1)
    for number in range(arguments.kills):
        time.sleep(chance.uniform(0, pause))
        broker, consumer = ((mirror, consumers[1]), (edge, consumers[0]))[number % 2]
        before = consumer.subscriptions
        broker.end(signal.SIGKILL)
        time.sleep(chance.uniform(0, 3))
        broker.start()
        wait("bridge", edge.mirrors)
        wait("consumer", lambda: consumer.subscriptions > before)
    time.sleep(max(0, end - time.monotonic()))


def missing(database, paths):
    """The number of reports that were put into the units' queues and are not in the database, and of those that are in
    it and should not be."""
    rows = {(unit, name): (int(count), int(least), int(most)) for unit, name, count, least, most in database.query(
        "SELECT unit, queue, count(*), min(number), max(number) FROM history GROUP BY unit, queue")}
    lost = added = 0
    for unit, path in paths.items():
        name, _, last = queue(path)
        count, least, most = rows.pop((unit, name), (0, 1, 0))
        outside = 0 if least >= 1 and most <= last else count
        lost, added = lost + last - count + outside, added + outside
    return lost, added + sum(count for count, _, _ in rows.values())


def measure(arguments, folder, queues):
    chance = random.Random(arguments.seed)
    database = PostgreSQL(folder)
    mirror = Broker(os.path.join(folder, "mirror"), saves_each_change=False)
    edge = Edge(os.path.join(folder, "edge"), mirror.port)
    consumers = [DatabaseConsumer(f"{folder}/consumer-{number}", broker.port, database)
                 for number, broker in enumerate((edge, mirror))]
    parts = shares(arguments.units, arguments.processes)
    units = [Units(arguments, queues, edge.port, *part) for part in parts]
    try:
        database.start()
        mirror.start()
        edge.start()
        for consumer in consumers:
            consumer.start(until="subscribed")
        wait("bridge", edge.mirrors)
        for payload in HOSTILE:
            publish(edge.port, payload)
        begin = time.monotonic()
        for process in units:
            process.start()
        trouble(arguments, edge, mirror, consumers, chance)
        for process in units:
            process.send(signal.SIGUSR1)
        paths = {f"unit-{unit}": f"{queues}/unit-{unit}.db" for process in units for unit in process.units}
        total = wait("empty queues", lambda: drained(paths), 600)
        seconds = time.monotonic() - begin
        settle(database.count, total)
        for process in units:
            process.end(signal.SIGTERM)
        lost, added = missing(database, paths)
        rows = database.count()
        states = int(database.query("SELECT count(*) FROM state WHERE latitude IS NOT NULL")[0][0])
        counts = [consumer.counts() for consumer in consumers]
    finally:
        # In this order: the consumers and the brokers would wait for missing partners.
        for process in [*units, *consumers, edge, mirror]:
            process.end()
        database.end(signal.SIGINT)
    print(f"{arguments.units} units, {seconds:.0f} s, {arguments.kills} kills of a broker, seed {arguments.seed}")
    print(f"reports     {total} in the queues, {rows} rows, {lost} lost, {added} that no unit has; {states} states")
    print("consumers   " + ", ".join(f"{reports} reports" for reports, *_ in counts)
          + f"; {sum(again for _, again, _ in counts)} were there already")
    for name, process in zip(("edge", "mirror", "consumer", "consumer", "postgresql"),
                             (edge, mirror, *consumers, database)):
        print(f"{name:<11} {1000 * process.cpu / max(total, 1):.3f} ms of CPU for a report")
    return lost == added == 0 and states == arguments.units


def main():
    parser = argparse.ArgumentParser(description="Play a fleet through two brokers into PostgreSQL.")
    parser.add_argument("bin")
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rate", type=float, default=0.1, help="locations of a unit in a second; what waits "
                        "for a consumer that does not keep up is lost with its broker")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--kills", type=int, default=10, help="kills of a broker, in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queues", default="/dev/shm", help="the folder of the queues")
    run(parser, measure)


if __name__ == "__main__":
    main()
