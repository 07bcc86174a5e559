"""Two publishers have the name of one device, and end each other's connections once a second, forever."""

import shutil
import socket
import subprocess
import time

from publishing import Scene, wait

SECONDS = 30
CAUSE = "give each machine a device of its own"


def attack(bin):
    program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Scene(bin) as scene:
        configuration = scene.folder / "mosquitto.conf"
        configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nlog_type all\n")
        with open(scene.folder / "broker.log", "wb") as log:
            broker = subprocess.Popen([program, "-c", configuration], stdout=log, stderr=log)
        try:
            text = f'broker = "mqtt://127.0.0.1:{port}"\nformat = "json"\n'
            both = [scene.publisher(text, "a"), scene.publisher(text, "b")]
            for publisher in both:
                wait("connection", lambda: "connected to" in publisher.log)
            time.sleep(SECONDS)
            connections = (scene.folder / "broker.log").read_text().count("New client connected")
            lines = sum(publisher.log.count("\n") for publisher in both)
            named = any(CAUSE in publisher.log for publisher in both)
            figure = f"{connections} connections and {lines} lines in {SECONDS} s, the cause is named: {named}"
            # Each waits 1, 2, 4, 8 and 16 s.
            return figure, "they go on" if connections > 14 or not named else None
        finally:
            broker.kill()
            broker.wait()
