"""The processes for measuring the publisher: brokers, consumers, and processes that are killed at random."""
import os
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import time

CONSUMER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Examples/fleet/consumer.py")
# The session outlasts the broker: saved after each change. No limits: nothing is dropped because a program is slow.
BROKER = """
user root
persistence true
persistence_location {folder}/
autosave_interval {interval}
autosave_on_changes {autosave}
max_inflight_messages 0
max_queued_messages 0
sys_interval 1
listener {port} {host}
allow_anonymous true
"""
TLS = """
certfile {0}/broker.pem
keyfile {0}/broker.key
"""


class Failed(Exception):
    """What did not happen, or should not have."""


def wait(what, condition, seconds=300):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Failed(f"no {what} within {seconds} s")
        time.sleep(0.05)
    return value


def settle(count, wanted, seconds=60):
    """Waits until a count has reached what is wanted, or has stayed the same for a time."""
    last, end = count(), time.monotonic() + seconds
    while last < wanted and time.monotonic() < end:
        time.sleep(0.2)
        if (now := count()) != last:
            last, end = now, time.monotonic() + seconds


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Process:
    """A program that runs, with its output in a file. The times of all its runs add up."""

    def __init__(self, command, log):
        self.command, self.log = command, log
        self.cpu, self.written = 0.0, 0
        self.running = None

    def start(self, until=None):
        """Starts the program, and waits for a text in its output."""
        with open(self.log, "ab") as log:
            before = log.tell()
            self.running = subprocess.Popen(self.command, stdout=log, stderr=log)
        if until:
            wait(f"{until!r} in {self.log}", lambda: until in self.output(before), 120)

    def output(self, start=0):
        with open(self.log, "rb") as log:
            log.seek(start)
            return log.read().decode(errors="replace")

    def send(self, number):
        os.kill(self.running.pid, number)

    def end(self, number=signal.SIGKILL):
        """Ends the program, and counts what it has used."""
        if self.running is None:
            return
        self.written += self.bytes_written()
        self.send(number)
        _, _, usage = os.wait4(self.running.pid, 0)
        self.running.returncode = 0
        self.running = None
        self.cpu += usage.ru_utime + usage.ru_stime

    def bytes_written(self):
        """What the running program has made the kernel write to the disk: proc(5)."""
        with open(f"/proc/{self.running.pid}/io") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


class Authority:
    """A certificate authority of its own, with a certificate for a broker at these addresses."""

    def __init__(self, folder, *addresses):
        self.folder, self.certificate = folder, f"{folder}/ca.pem"
        os.makedirs(folder)
        self.make("ca", "/CN=Authority", "basicConstraints=critical,CA:TRUE")
        self.make("broker", "/CN=broker", "subjectAltName=" + ",".join(f"IP:{address}" for address in addresses),
                  "-CA", self.certificate, "-CAkey", f"{folder}/ca.key")

    def make(self, name, subject, extension, *more):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", subject, "-addext", extension, "-keyout", f"{self.folder}/{name}.key", "-out",
             f"{self.folder}/{name}.pem", *more], check=True, capture_output=True)


class Broker(Process):
    def __init__(self, folder, host="127.0.0.1", saves_each_change=True, authority=None):
        self.port, self.received = free_port(), 0
        os.makedirs(folder, exist_ok=True)
        configuration = os.path.join(folder, "mosquitto.conf")
        with open(configuration, "w") as file:
            file.write(BROKER.format(folder=folder, port=self.port, host=host,
                                     interval=1 if saves_each_change else 60,
                                     autosave="true" if saves_each_change else "false"))
            if authority:
                file.write(TLS.format(authority.folder))
        super().__init__(["/usr/sbin/mosquitto", "-c", configuration], os.path.join(folder, "mosquitto.log"))

    def start(self):
        super().start(until="running")

    def end(self, number=signal.SIGKILL):
        self.received += self.bytes_received()
        super().end(number)

    def bytes_received(self):
        """The bytes that the running broker has received, as of a second ago at most."""
        command = ["mosquitto_sub", "-p", str(self.port), "-t", "$SYS/broker/bytes/received", "-C", "1", "-W", "5"]
        answer = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        return int(answer) if answer.isdigit() else 0


class Consumer(Process):
    """Examples/fleet/consumer.py."""

    def __init__(self, folder, port, authority=None):
        self.database = os.path.join(folder, "fleet.db")
        tls = ["--host", "127.0.0.1", "--ca", authority.certificate] if authority else []
        super().__init__(["/usr/bin/python3", "-B", CONSUMER, self.database, "--port", str(port), *tls],
                         os.path.join(folder, "consumer.log"))

    @property
    def subscriptions(self):
        return self.output().count("subscribed") if os.path.exists(self.log) else 0

    def counts(self):
        """Ends the consumer. Returns the numbers of reports that arrived, arrived again, and were out of order."""
        self.end(signal.SIGTERM)
        text = re.search(r"(\d+) reports, (\d+) of them again, (\d+) out of order", self.output())
        if not text:
            raise Failed(f"the consumer has failed: {self.output()}")
        return tuple(int(number) for number in text.groups())

    def query(self, statement):
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=60) as database:
            return database.execute(statement).fetchall()

    def count(self):
        return self.query("SELECT count(*) FROM history")[0][0]


def queue(path):
    """The name of a publisher's queue, the number of reports in it and of those that were ever put into it."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60) as database:
        name = database.execute("SELECT name FROM queue").fetchone()[0]
        count = database.execute("SELECT count(*) FROM report").fetchone()[0]
        last = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'report'").fetchone()
        return name, count, last[0] if last else 0


def missing(consumer, unit, path):
    """The number of reports of a unit's queue that the consumer does not have, and of those that it should not have."""
    name, _, last = queue(path)
    rows = consumer.query(f"SELECT queue, number FROM history WHERE unit = '{unit}'")
    numbers = {number for queue_name, number in rows if queue_name == name}
    return last - len(numbers & set(range(1, last + 1))), len(rows) - len(numbers & set(range(1, last + 1)))


def raise_descriptor_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
