#!/usr/bin/python3
"""Keeps where each unit of a fleet is and was, from what locationd-publish sends in the format json.

    consumer.py DATABASE [--host HOST] [--port PORT] [--ca FILE] [--certificate FILE --key FILE]

It is known to the broker by its certificate, or by MQTT_USER and MQTT_PASSWORD.

DATABASE is the path of a file of SQLite, or a database of PostgreSQL as postgresql://HOST/NAME, into which any number
of consumers may write.

Each report is in the table `history` exactly once, however often it arrives: a unit, its queue and the number of the
report identify it. The broker hears that a report has arrived once it is on the disk, not before.

Needs Debian's python3-paho-mqtt, and for PostgreSQL python3-psycopg2.
"""
import argparse
import json
import os
import signal
import sqlite3
import sys
import threading

import paho.mqtt.client as mqtt

# These words are the same in both databases.
TABLES = """
    CREATE TABLE IF NOT EXISTS history (
        unit TEXT, queue TEXT, number BIGINT, timestamp TEXT NOT NULL, latitude DOUBLE PRECISION NOT NULL,
        longitude DOUBLE PRECISION NOT NULL, accuracy DOUBLE PRECISION, speed DOUBLE PRECISION,
        course DOUBLE PRECISION, event TEXT, region TEXT, PRIMARY KEY (unit, queue, number)
    );
    CREATE TABLE IF NOT EXISTS state (
        unit TEXT PRIMARY KEY, queue TEXT, number BIGINT, timestamp TEXT, latitude DOUBLE PRECISION,
        longitude DOUBLE PRECISION, accuracy DOUBLE PRECISION, isOnline INTEGER
    );
"""
REPORT = "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
# A state of the same queue is newer if its number is. The retained one arrives again with each connection.
STATE = """
    INSERT INTO state (unit, queue, number, timestamp, latitude, longitude, accuracy) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (unit) DO UPDATE SET queue = excluded.queue, number = excluded.number, timestamp = excluded.timestamp,
        latitude = excluded.latitude, longitude = excluded.longitude, accuracy = excluded.accuracy
    WHERE excluded.queue IS DISTINCT FROM state.queue OR excluded.number > state.number
"""
ONLINE = """
    INSERT INTO state (unit, isOnline) VALUES (?, ?) ON CONFLICT (unit) DO UPDATE SET isOnline = excluded.isOnline
"""
# The errors of malformed messages. Attack: a unit sends a message that ends this program, which gets it again at each
# start: numbers that no column holds, objects instead of texts, a thousand brackets.
SENSELESS = (ValueError, KeyError, TypeError, OverflowError, RecursionError)


def real(value):
    return None if value is None else float(value)


def text(value):
    if value is None:
        return None
    if not isinstance(value, str) or "\0" in value:
        raise TypeError("no text")
    value.encode()  # half of a surrogate pair is none
    return value


class SQLite:
    """A file."""

    def __init__(self, path):
        self.database = sqlite3.connect(path)
        # FULL: acknowledged reports survive a power cut too.
        self.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                                    + TABLES.replace(");", ") WITHOUT ROWID;"))

    def write(self, statement, values):
        """Returns the number of rows that have changed, once they are on the disk."""
        with self.database:
            return self.database.execute(statement, values).rowcount

    def note(self, statement, values):
        """Writes what reaches the disk with the next report."""
        self.database.execute(statement, values)

    def close(self):
        self.database.commit()


class PostgreSQL:
    """A database of PostgreSQL. Each statement is a transaction: one that held a row until the next report would block
    the other consumers."""

    def __init__(self, address):
        import psycopg2  # pylint: disable=import-outside-toplevel
        self.reports, self.states = psycopg2.connect(address), psycopg2.connect(address)
        self.reports.autocommit = self.states.autocommit = True
        # If consumers start together, one makes the tables.
        self._execute(self.reports, "SELECT pg_advisory_lock(2947)")
        self._execute(self.reports, TABLES)
        self._execute(self.reports, "SELECT pg_advisory_unlock(2947)")
        self._execute(self.states, "SET synchronous_commit = off")

    @staticmethod
    def _execute(connection, statement, values=None):
        with connection.cursor() as cursor:
            cursor.execute(statement.replace("?", "%s"), values)
            return cursor.rowcount

    def write(self, statement, values):
        """Returns the number of rows that have changed, once they are on the disk."""
        return self._execute(self.reports, statement, values)

    def note(self, statement, values):
        """Writes what reaches the disk within a second."""
        self._execute(self.states, statement, values)

    def close(self):
        self.reports.close()
        self.states.close()


class Fleet:
    """What is known of the units, in a database."""

    def __init__(self, database):
        self.database = (PostgreSQL if database.startswith("postgresql:") else SQLite)(database)
        self.reports, self.repeated, self.disordered, self.states = 0, 0, 0, 0
        self.last = {}  # the greatest number that this run has received, by unit and queue

    def receive(self, topic, payload):
        """Stores a message. Raises one of SENSELESS if it makes no sense."""
        _, unit, *kind = topic.split("/")
        if kind == ["availability"]:
            return self.database.write(ONLINE, (unit, int(payload == b"online")))
        report = json.loads(payload)
        # Attack: a unit sends reports of another one. The broker's rules restrict the publishers of a topic; this
        # compares the message with its topic.
        if report["unit"] != unit:
            raise ValueError("the unit is not the topic's")
        place = (text(report["timestamp"]), float(report["latitude"]), float(report["longitude"]),
                 real(report.get("horizontalAccuracy")))
        identity = (unit, text(report["queue"]), int(report["number"]))
        if not 0 <= identity[2] < 1 << 63:
            raise ValueError("the number is none of a queue")
        if kind == ["state"]:
            self.states += 1
            # The broker keeps the newest state, and sends it again.
            self.database.note(STATE, identity + place)
            return
        details = (real(report.get("speed")), real(report.get("course")), text(report.get("event")),
                   text(report.get("region")))
        self.reports += 1
        *queue, number = identity
        if self.database.write(REPORT, identity + place + details) == 0:
            self.repeated += 1
        elif number < self.last.get(tuple(queue), 0):
            self.disordered += 1
        self.last[tuple(queue)] = max(number, self.last.get(tuple(queue), 0))


def run(client, arguments):
    """Receives until SIGTERM or SIGINT, which end the program also while there is no connection."""
    is_ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: is_ended.set())
    logged = None
    while not is_ended.is_set():
        try:
            client.connect(arguments.host, arguments.port)
            while not is_ended.is_set() and client.loop(timeout=1) == mqtt.MQTT_ERR_SUCCESS:
                pass
            problem = "the connection has ended: does the broker accept this certificate, or user?"
        except OSError as error:  # also errors of TLS
            problem = str(error)
        if is_ended.is_set():
            break
        if problem != logged:
            print(f"no connection to {arguments.host}:{arguments.port}: {problem}; trying again", file=sys.stderr)
        logged = problem
        is_ended.wait(2)
    try:
        client.disconnect()
    except OSError:  # the broker has closed the connection already
        pass


def main(arguments):
    fleet = Fleet(arguments.database)

    def connected(client, *_):
        client.subscribe([("locationd/+", 1), ("locationd/+/state", 1), ("locationd/+/availability", 1)])

    def received(_client, _data, message):
        # A malformed message is acknowledged: otherwise it would arrive again forever. Any other error ends the program
        # before the message is acknowledged, so that the broker keeps it.
        try:
            fleet.receive(message.topic, message.payload)
        except SENSELESS as error:
            print(f"a message on {message.topic} makes no sense: {error!r}", file=sys.stderr)

    options = {"client_id": arguments.client, "clean_session": False}
    if hasattr(mqtt, "CallbackAPIVersion"):  # paho 2
        options["callback_api_version"] = mqtt.CallbackAPIVersion.VERSION2
    # A session that outlasts the connection: the broker keeps reports that arrive while this program is not running.
    client = mqtt.Client(**options)
    client.on_connect, client.on_message = connected, received
    client.on_subscribe = lambda *_: print("subscribed", flush=True)
    if "MQTT_USER" in os.environ:
        client.username_pw_set(os.environ["MQTT_USER"], os.environ.get("MQTT_PASSWORD"))
    if arguments.ca:
        client.tls_set(arguments.ca, arguments.certificate, arguments.key)
    run(client, arguments)
    fleet.database.close()
    print(f"{fleet.reports} reports, {fleet.repeated} of them again, {fleet.disordered} out of order; "
          f"{fleet.states} states")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("database", help="the path of a file, or postgresql://HOST/NAME")
    parser.add_argument("--host", default="localhost")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--ca", help="the certificate of the broker's authority, for TLS")
    parser.add_argument("--certificate", help="this program's own certificate, if the broker wants one")
    parser.add_argument("--key", help="the key of that certificate")
    parser.add_argument("--client", default="fleet-consumer", help="the name of the session at the broker")
    main(parser.parse_args())
