"""An HTTP server answers a report with 100 Continue, without end, and keeps a processor of the publisher busy."""

import time

from hostile_server import Server, send_interim
from publishing import Scene, wait

SECONDS = 20


def attack(bin):
    durations = []

    def behave(connection):
        start = time.monotonic()
        try:
            send_interim(connection)
        finally:
            durations.append(time.monotonic() - start)

    server = Server(behave)
    with Scene(bin) as scene:
        publisher = scene.publisher(f'broker = "http://127.0.0.1:{server.port}"\nformat = "osmand"\n')
        wait("connection", lambda: server.connections > 0)
        before, start = publisher.processor_seconds(), time.monotonic()
        time.sleep(SECONDS)
        share = (publisher.processor_seconds() - before) / (time.monotonic() - start)
        first = f"{durations[0]:.1f} s" if durations else f"more than {SECONDS} s"
        server.close()
        figure = f"the first connection lasted {first}; {server.connections} connections, {share:.0%} of a processor"
        return figure, None if durations and durations[0] < 5 else "it goes on"
