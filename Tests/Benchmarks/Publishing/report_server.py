#!/usr/bin/python3
"""An HTTPS server that keeps each report of locationd-publish, in the formats json and overland.

    report_server.py DATABASE HOST PORT CERTIFICATE KEY

A request is answered once its reports are on the disk, so that a kill takes nothing that was acknowledged. The table
`history` has each report once, `arrival` how often reports came again and came later than ones that follow them.
"""
import http.server
import json
import sqlite3
import ssl
import sys
import threading

TABLES = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS history (queue TEXT, number INTEGER, PRIMARY KEY (queue, number)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS arrival (requests INTEGER, reports INTEGER, repeated INTEGER, disordered INTEGER);
    INSERT INTO arrival SELECT 0, 0, 0, 0 WHERE NOT EXISTS (SELECT * FROM arrival);
"""


def identities(body):
    """The queue and the number of each report in a request."""
    content = json.loads(body)
    if "locations" not in content:
        return [(content["queue"], content["number"])]
    texts = [feature["id"].rpartition("-") for feature in content["locations"]]
    return [(queue, int(number)) for queue, _, number in texts]


class Reports:
    """The database, for the threads of all connections."""

    def __init__(self, path):
        self.database = sqlite3.connect(path, check_same_thread=False)
        self.database.executescript(TABLES)
        self.lock = threading.Lock()

    def add(self, reports):
        """Adds the reports of a request, in one transaction."""
        with self.lock, self.database as database:
            repeated = disordered = 0
            for queue, number in reports:
                last = database.execute("SELECT max(number) FROM history WHERE queue = ?", [queue]).fetchone()[0] or 0
                is_new = database.execute("INSERT OR IGNORE INTO history VALUES (?, ?)", [queue, number]).rowcount
                repeated += not is_new
                disordered += bool(is_new) and number < last
            database.execute(
                "UPDATE arrival SET requests = requests + 1, reports = reports + ?, repeated = repeated + ?, "
                "disordered = disordered + ?", [len(reports), repeated, disordered])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        reports = identities(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.reports.add(reports)
        content = b'{"result":"ok"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def __init__(self, database, host, port, certificate, key):
        super().__init__((host, int(port)), Handler)
        self.reports = Reports(database)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)

    def finish_request(self, request, client_address):
        """TLS begins on the connection's own thread."""
        try:
            super().finish_request(self.context.wrap_socket(request, server_side=True), client_address)
        except OSError:
            pass


if __name__ == "__main__":
    server = Server(*sys.argv[1:])
    print("listening", flush=True)
    server.serve_forever()
