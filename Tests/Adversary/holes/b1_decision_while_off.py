"""Location services are off and a queue is being sent: revoke, reset or reduce have no effect, and it continues."""

import time

from hostile_server import SlowBroker
from publishing import Scene, wait

SECONDS = 5
TOPIC = "locationd/van"


def attempt(bin, command, more):
    """Returns how many positions arrived while services were off, how many after the decision, and how many wait."""
    broker = SlowBroker()
    with Scene(bin) as scene:
        publisher = scene.publisher(f'broker = "mqtt://127.0.0.1:{broker.port}"\nformat = "json"\n{more}')
        wait("queue", lambda: publisher.process.poll() is not None or publisher.waiting() > 100)
        if publisher.process.poll() is not None:
            return None
        wait("reports", lambda: broker.count(TOPIC) > 0)
        scene.ctl("disable")
        off = time.monotonic()
        wait("end of the locations", lambda: "location services are off" in publisher.log)
        time.sleep(1)
        scene.ctl(*command, publisher.identity)
        # The broker reads messages on their way before it sees the end of the connection.
        decided = time.monotonic() + 2
        time.sleep(2 + SECONDS)
        waiting = publisher.waiting()
        broker.close()
        return broker.count(TOPIC, since=off + 2), broker.count(TOPIC, since=decided), waiting


def attack(bin):
    figures, faults = [], []
    for command in (["revoke"], ["reset"], ["grant", "--always", "--reduced"]):
        for more in ("", "[queue]\nsend-while-disabled = true\n"):
            found = attempt(bin, command, more)
            name = " ".join(command) + (" with send-while-disabled" if more else "")
            if found is None:
                figures.append(f"{name}: the program has no such key")
                continue
            off, late, waiting = found
            figures.append(f"{name}: {late} positions in {SECONDS} s after it, {off} while off, {waiting} wait")
            if late:
                faults.append(f"{late} positions after {name}")
            if off and not more:
                faults.append(f"{off} positions left while location services were off")
    return "; ".join(figures), "; ".join(faults) or None
