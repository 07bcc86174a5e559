"""A server of Traccar's OsmAnd protocol, as strict as traccar.org/osmand describes it, that records its requests."""

import http.server
import math
import threading
import urllib.parse

from programs import Running
from track import LATITUDE, LONGITUDE, STEP
from waiting import until

DEVICE = "unit-7"
#: 21.6 knots, as the track says.
SPEED = 21.6


class Refused(Exception):
    """A request that the server does not accept."""


def number(fields, name, least, greatest):
    """Returns a parameter that has to be there, a finite number within bounds."""
    try:
        value = float(fields[name])
    except (KeyError, ValueError) as error:
        raise Refused(f"{name} is no number: {fields.get(name)}") from error
    if not math.isfinite(value) or not least <= value <= greatest:
        raise Refused(f"{name} is out of range: {value}")
    return value


class Tracker:
    """The server, with the positions that it has accepted, and why it has refused others."""

    def __init__(self):
        self.positions, self.refusals, self.repeated = [], [], 0
        tracker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Answers a report, and nothing else."""
            protocol_version = "HTTP/1.1"

            def do_POST(self):  # pylint: disable=invalid-name
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                try:
                    tracker.receive(self.headers, self.path, body)
                    status = 200
                except Refused as refusal:
                    tracker.refusals.append(str(refusal))
                    status = 400
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        class Server(http.server.ThreadingHTTPServer):
            """Says nothing of connections that the publisher has given up."""

            def handle_error(self, *_):  # pylint: disable=arguments-differ
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def receive(self, headers, path, body):
        """Takes the position in a request. Raises Refused."""
        if path != "/":
            raise Refused(f"the position must not be in the address: {path}")
        if headers.get("Content-Type") != "application/x-www-form-urlencoded":
            raise Refused(f"the content is {headers.get('Content-Type')}")
        pairs = urllib.parse.parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True)
        fields = dict(pairs)
        if len(fields) < len(pairs):
            raise Refused("a parameter is there twice")
        if fields.get("id") != DEVICE:
            raise Refused(f"no such device: {fields.get('id')}")
        position = (
            int(number(fields, "timestamp", 1e12, 1e13)), number(fields, "lat", -90, 90),
            number(fields, "lon", -180, 180))
        for name, least, greatest in (("speed", 0, 1e4), ("bearing", 0, 360), ("altitude", -1e4, 1e5),
                                      ("accuracy", 0, 1e6)):
            if name in fields:
                number(fields, name, least, greatest)
        if self.positions and position[0] < self.positions[-1][0]:
            raise Refused("a position is older than the one before")
        if self.positions and position == self.positions[-1][:3]:
            self.repeated += 1
        else:
            self.positions.append((*position, float(fields.get("speed", "nan"))))

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def run(scene, say):
    """Returns whether the server has got the track with a grant, and nothing without."""
    tracker = Tracker()
    file, state = scene.folder / "tracker.toml", scene.folder / "tracker"
    file.write_text(f'broker = "http://127.0.0.1:{tracker.port}"\nformat = "osmand"\ndevice = "{DEVICE}"\n')
    app = None
    publisher = Running(
        [scene.binaries / "locationd-publish", "--config", file, "--state-directory", state], scene.folder,
        scene.environment)
    try:
        app = until(scene.connected_app, lambda: f"the publisher: {publisher.text()}")
        scene.fixes(3)
        before = len(tracker.positions)
        scene.grant(app)
        until(lambda: len(tracker.positions) >= 5 or tracker.refusals, lambda: f"positions: {publisher.text()}")
        scene.revoke(app)
        # Reports on their way may still arrive.
        scene.fixes(2)
        count = len(tracker.positions)
        scene.fixes(3)
        after = len(tracker.positions) - count
    finally:
        if app:
            scene.reset(app)
        publisher.stop()
        tracker.stop()
    steps = [(latitude - LATITUDE) / STEP for _, latitude, _, _ in tracker.positions]
    is_track = all(abs(step - round(step)) < 0.01 for step in steps) and all(
        abs(longitude - LONGITUDE) < 1e-6 and abs(speed - SPEED) < 0.01
        for _, _, longitude, speed in tracker.positions)
    say(f"  {before} positions without a grant, {len(tracker.positions)} with it, {after} after the revocation; "
        f"{len(tracker.refusals)} refused {tracker.refusals[:1] or ''}")
    return before == 0 and after == 0 and len(tracker.positions) >= 5 and is_track and not tracker.refusals
