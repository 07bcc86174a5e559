"""The servers that reports are published to while they are killed: a broker with its consumer, and an HTTPS server."""
import os
import signal
import sqlite3
import sys

from processes import Broker, Consumer, Process, free_port, missing, queue, wait

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "report_server.py")


class MQTTServer:
    """mosquitto, and the consumer of the example."""

    def __init__(self, folder, host, bound, authority, format):
        assert format == "json", "the consumer reads the format json alone"
        self.broker = Broker(os.path.join(folder, "broker"), host=bound, authority=authority)
        self.consumer = Consumer(folder, self.broker.port, authority)
        self.configuration = f'broker = "mqtts://{host}:{self.broker.port}"\nformat = "json"\nkeep-alive = 5\n'
        self.processes = [self.consumer, self.broker]

    def start(self):
        self.broker.start()
        self.consumer.start(until="subscribed")

    def restart(self, publisher):
        """Kills the broker, and starts it again. The consumer is there first: what is published while nobody has
        subscribed is lost to any consumer."""
        subscriptions = self.consumer.subscriptions
        self.broker.end()
        publisher.send(signal.SIGSTOP)
        self.broker.start()
        wait("consumer", lambda: self.consumer.subscriptions > subscriptions)
        publisher.send(signal.SIGCONT)

    def count(self):
        return self.consumer.count()

    def last(self):
        return self.consumer.query("SELECT max(number) FROM history")[0][0]

    def missing(self, queue_path):
        return missing(self.consumer, "van", queue_path)

    def counts(self):
        """Ends the consumer. Returns the numbers of reports that arrived, arrived again, and were out of order."""
        return self.consumer.counts()


class HTTPSServer(Process):
    """An HTTPS server that answers a request once its reports are on the disk."""

    def __init__(self, folder, host, bound, authority, format):
        self.database, port = os.path.join(folder, "reports.db"), free_port()
        self.configuration = f'broker = "https://{host}:{port}/reports"\nformat = "{format}"\n'
        self.processes = [self]
        super().__init__(
            [sys.executable, "-B", PROGRAM, self.database, bound, str(port), f"{authority.folder}/broker.pem",
             f"{authority.folder}/broker.key"], os.path.join(folder, "server.log"))

    def start(self):
        super().start(until="listening")

    def restart(self, _):
        self.end()
        self.start()

    def query(self, statement):
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=60) as database:
            return database.execute(statement).fetchall()

    def count(self):
        return self.query("SELECT count(*) FROM history")[0][0]

    def last(self):
        return self.query("SELECT max(number) FROM history")[0][0] or 0

    def missing(self, queue_path):
        name, _, last = queue(queue_path)
        rows = self.query("SELECT queue, number FROM history")
        numbers = {number for queue_name, number in rows if queue_name == name} & set(range(1, last + 1))
        return last - len(numbers), len(rows) - len(numbers)

    def counts(self):
        """The numbers of reports that arrived, arrived again, and were out of order."""
        return self.query("SELECT reports, repeated, disordered FROM arrival")[0]

    def requests(self):
        return self.query("SELECT requests FROM arrival")[0][0]


#: The servers and formats, by the names of the option --server.
KINDS = {"mqtt": (MQTTServer, "json"), "https": (HTTPSServer, "json"), "overland": (HTTPSServer, "overland")}
