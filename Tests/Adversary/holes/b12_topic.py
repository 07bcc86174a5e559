"""The configuration has a topic that MQTT forbids, and the check of the configuration says that it is right."""

import subprocess
import tempfile
from pathlib import Path

# MQTT 5, 1.5.4 and 4.7.
TOPICS = {
    "zero": r'"a\u0000b"', "zero, long": r'"a\U00000000b"', "zero at the end": r'"a\u0000"', "control": r'"a\u0001b"',
    "C1 control": r'"a\u0085b"', "non-character": r'"a\uFFFFb"',
    "non-character of Unicode": r'"a\uFDD0b"', "#": '"a/#"', "+": '"a/+/b"',
}


def attack(bin):
    passed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, topic in TOPICS.items():
            file = Path(folder) / "publish.toml"
            file.write_text(f'broker = "mqtt://b"\nformat = "json"\ndevice = "van"\ntopic = {topic}\n')
            status = subprocess.run([bin / "locationd-publish", "--check", "--config", file], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
            if status == 0:
                passed.append(name)
    figure = f"{len(passed)} of {len(TOPICS)} topics that MQTT forbids pass"
    return figure, "pass: " + ", ".join(passed) if passed else None
