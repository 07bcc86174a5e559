"""The timer that writes metrics for Prometheus's node_exporter."""

from dongle import COORDINATES
from world import PATIENCE

SERVICE, TIMER = "locationd-metrics.service", "locationd-metrics.timer"
FOLDER = "/var/lib/prometheus/node-exporter"
FILE = f"{FOLDER}/locationd.prom"


def a_timer_writes_them(world):
    """once node_exporter's folder is there, the timer writes the metrics, the publisher's too, and no place"""
    root = world.root
    exposure = root.run(f"systemd-analyze security --no-pager --threshold=15 {SERVICE} | tail -n 1")
    world.report.figure(exposure.strip("→ "))
    root.run(f"systemctl enable --now {TIMER} && systemctl start {SERVICE}", PATIENCE)
    assert root.try_run(f"ls {FOLDER}")[0] != 0, "something was written where nobody reads it"
    root.run(f"install -d {FOLDER} && until [ -s {FILE} ]; do sleep 0.5; done", PATIENCE + 60)
    assert root.run(f"stat --format='%a %U' {FILE}") == "644 root"
    text = root.run(f"cat {FILE}")
    for line in ("locationd_up 1", "locationd_publisher_connected 1", 'locationd_receivers{state="running"} 1'):
        assert line in text.split("\n"), text
    assert not COORDINATES.search(text), text
    assert root.run(f"ls {FOLDER}") == "locationd.prom", "there is more than the file"
    root.run(f"systemctl disable --now {TIMER} && rm -r /var/lib/prometheus", PATIENCE)
