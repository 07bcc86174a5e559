"""Prometheus and its node_exporter, unchanged, on the output of `locationctl metrics`."""

import http.server
import json
import re
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

from programs import Running
from scene import free_port
from waiting import until

PACKAGES = ("prometheus", "prometheus-node-exporter", "python3-prometheus-client")
OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
# A quotation mark that would end the label, a metric of its own behind it, and a backslash before the end. The daemon
# knows no app with a line feed in its name.
HOSTILE = 'x"} 1 locationd_up 0 # EOF\\n\\'

# The client library of Prometheus for Python, whose parser is a strict one.
PARSER = """
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    for sample in family.samples:
        print(family.type, sample.name)
"""

CONFIGURATION = """\
global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs:
  - {{job_name: node_exporter, static_configs: [{{targets: ["127.0.0.1:{exporter}"]}}]}}
  - {{job_name: openmetrics, static_configs: [{{targets: ["127.0.0.1:{server}"]}}]}}
"""


class MetricsServer:
    """A server of what a command prints, as OpenMetrics."""

    def __init__(self, command):
        class Handler(http.server.BaseHTTPRequestHandler):
            """Answers every request."""

            def do_GET(self):  # pylint: disable=invalid-name
                text = command().encode()
                self.send_response(200)
                self.send_header("Content-Type", OPENMETRICS)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Metrics:
    """The scene's metrics, in each form."""

    def __init__(self, scene):
        self.scene, self.program = scene, scene.binaries / "locationctl"

    def text(self, *words, status=0):
        result = subprocess.run([str(self.program), "metrics", *words], env=self.scene.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if result.returncode != status:
            raise SystemExit(f"locationctl metrics {words}: {result.returncode} {result.stderr}")
        return result.stdout


def get(port, path):
    """Returns what an HTTP server answers, or None while it does not."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.read().decode()
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return None


def query(port, expression):
    """Returns the series that Prometheus has for an expression, or nothing while it does not answer."""
    answer = get(port, "/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
    return json.loads(answer)["data"]["result"] if answer else []


def value(port, expression):
    series = query(port, expression)
    return float(series[0]["value"][1]) if len(series) == 1 else None


def series(line):
    """Returns the name of a sample and its labels, which the exporter sorts."""
    name, _, rest = line.rpartition(" ")[0].partition("{")
    return name, tuple(sorted(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', rest)))


def kinds(text):
    """Returns the kinds of metrics by their names."""
    return dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))


def is_accepted(command, text, say):
    """Gives a text to a checking program, and returns whether it has nothing to say against it."""
    result = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            check=False)
    if result.returncode:
        say(f"  {command[0]}: {result.stdout}")
    return result.returncode == 0


def check_texts(metrics, say):
    """Has promtool and Prometheus's library read what is printed. Returns whether both accept it."""
    texts = [metrics.text("--format", "prometheus"), metrics.text("--format", "prometheus", "--apps", "--details")]
    good = [is_accepted(["promtool", "check", "metrics"], text, say) for text in texts]
    say(f"  promtool check metrics: {len(texts[1].splitlines())} lines")
    parser = ["/usr/bin/python3", "-c", PARSER]
    good += [is_accepted(parser, text, say) for text in (metrics.text(), metrics.text("--apps", "--details"))]
    # Without its end, a text of OpenMetrics is refused: the parser is strict.
    good.append(not is_accepted(parser, metrics.text().replace("# EOF\n", ""), lambda _: None))
    say("  prometheus_client's parser of OpenMetrics: the same")
    return all(good)


def run(scene, say):
    """Returns whether each of them read what was written, under the names that apps have."""
    metrics = Metrics(scene)
    app = f"exe:{scene.folder}/{HOSTILE}"
    scene.grant(app)
    folder = scene.folder / "textfile"
    folder.mkdir()
    file = folder / "locationd.prom"
    is_good = check_texts(metrics, say)
    server = MetricsServer(lambda: metrics.text("--apps", "--details"))
    exporter, prometheus = free_port(), free_port()
    running = []
    try:
        metrics.text("--format", "prometheus", "--apps", "--details", "--output", str(file))
        running.append(Running(
            ["prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
             f"--collector.textfile.directory={folder}", f"--web.listen-address=127.0.0.1:{exporter}"], scene.folder))
        exported = until(lambda: get(exporter, "/metrics"), lambda: f"node_exporter: {running[0].text()}")
        written, read = file.read_text(), {series(line) for line in exported.splitlines()}
        names = [series(line) for line in written.splitlines() if not line.startswith("#")]
        missing = [name for name in names if name not in read]
        types = [line for line in written.splitlines() if line.startswith("# TYPE") and line not in exported]
        if missing or types or "node_textfile_scrape_error 0" not in exported:
            say(f"  node_exporter does not have {missing[:3]} {types[:3]}")
            is_good = False
        say(f"  node_exporter: {len(names)} samples")

        configuration = scene.folder / "prometheus.yml"
        configuration.write_text(CONFIGURATION.format(exporter=exporter, server=server.port))
        running.append(Running(
            ["prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={scene.folder / 'tsdb'}",
             f"--web.listen-address=127.0.0.1:{prometheus}", "--log.level=warn"], scene.folder))
        for job in ("node_exporter", "openmetrics"):
            here = f'{{job="{job}"}}'
            until(lambda: value(prometheus, f"locationd_up{here}") == 1, lambda: f"{job}: {running[1].text()}")
            apps = [series["metric"]["app"] for series in query(prometheus, f"locationd_app_authorization{here}")]
            if app not in apps:
                say(f"  Prometheus, {job}: the app with a hostile name is not one of {apps}")
                is_good = False
        delivered = 'locationd_deliveries_total{job="openmetrics"}'
        before = until(lambda: value(prometheus, delivered), "deliveries")
        until(lambda: value(prometheus, delivered) > before, "further deliveries")
        expected = kinds(written) | kinds(metrics.text("--apps", "--details"))
        known = json.loads(get(prometheus, "/api/v1/metadata") or "{}")["data"]
        wrong = [name for name, kind in expected.items() if known.get(name, [{}])[0].get("type") != kind]
        if wrong:
            say(f"  Prometheus has the wrong types of {wrong}")
            is_good = False
        say(f"  Prometheus: {value(prometheus, delivered):.0f} deliveries, then more; {app!r} is an app")

        metrics.text("--format", "prometheus", "--output", str(file), "--runtime-directory", str(folder), status=3)
        until(lambda: value(prometheus, 'locationd_up{job="node_exporter"}') == 0, "locationd_up to be 0")
        say("  Prometheus: locationd_up is 0 once locationd is not there")
    finally:
        scene.reset(app)
        server.stop()
        for program in running:
            program.stop()
    return is_good
