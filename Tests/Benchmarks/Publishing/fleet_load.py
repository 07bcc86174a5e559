#!/usr/bin/python3
"""Plays a fleet through one broker, while the broker is restarted and processes of units are killed, and compares what
the consumer has with the contents of the units' queues. Ends with exit status 1 if a report is lost or there twice.

    fleet_load.py BIN [--units 1000] [--seconds 600] [--rate 1] [--processes 4] [--restarts 5] [--kills 20]

BIN is the folder of the program publish-load. The units' publishers and queues are the real ones, some hundred in a
process. Needs mosquitto, mosquitto-clients and python3-paho-mqtt.
"""
import argparse
import os
import random
import signal
import sys
import tempfile
import time

from processes import Broker, Consumer, Failed, Process, missing, queue, raise_descriptor_limit, settle, wait


class Units(Process):
    """A process that plays some of the units."""

    def __init__(self, arguments, folder, port, first, count):
        self.units = range(first, first + count)
        super().__init__(
            [os.path.join(arguments.bin, "publish-load"), "--port", str(port), "--folder", folder, "--first",
             str(first), "--units", str(count), "--rate", str(arguments.rate)],
            os.path.join(folder, f"units-{first}.log"))

    def start(self):
        super().start(until="started")


def shares(count, parts):
    """The first unit and the number of units of each process."""
    bounds = [count * part // parts for part in range(parts + 1)]
    return [(first, end - first) for first, end in zip(bounds, bounds[1:]) if end > first]


def trouble(arguments, broker, processes, chance):
    """Restarts the broker and kills processes at random moments until the time is over."""
    kinds = ["broker"] * arguments.restarts + ["units"] * arguments.kills
    moments = sorted((chance.uniform(0, arguments.seconds), chance.choice(range(1 << 30)), kind) for kind in kinds)
    start = time.monotonic()
    for moment, _, kind in moments:
        time.sleep(max(0, start + moment - time.monotonic()))
        if kind == "units":
            process = chance.choice(processes)
            process.end()
            process.start()
            continue
        # A clean end: a killed broker may lose acknowledged reports, which no publisher can repair.
        broker.end(signal.SIGTERM)
        time.sleep(chance.uniform(0, 3))
        broker.start()
    time.sleep(max(0, start + arguments.seconds - time.monotonic()))


def measure(arguments, folder, queues):
    chance = random.Random(arguments.seed)
    broker = Broker(os.path.join(folder, "broker"), saves_each_change=False)
    broker.start()
    consumer = Consumer(folder, broker.port)
    consumer.start(until="subscribed")
    parts = shares(arguments.units, arguments.processes)
    processes = [Units(arguments, queues, broker.port, *part) for part in parts]
    try:
        begin = time.monotonic()
        for process in processes:
            process.start()
        trouble(arguments, broker, processes, chance)
        for process in processes:
            process.send(signal.SIGUSR1)
        paths = {f"unit-{unit}": f"{queues}/unit-{unit}.db" for process in processes for unit in process.units}
        total = wait("empty queues", lambda: drained(paths), 600)
        seconds = time.monotonic() - begin
        settle(consumer.count, total)
        for process in processes:
            process.end(signal.SIGTERM)
        lost, added = (sum(column) for column in zip(*(missing(consumer, *unit) for unit in paths.items())))
        broker.end(signal.SIGTERM)
        _, repeated, disordered = consumer.counts()
    finally:
        for process in [*processes, consumer, broker]:
            process.end()
    report(arguments, seconds, total, lost, added, repeated, disordered, broker, consumer, processes)
    return lost == added == disordered == 0


def drained(paths):
    """The number of reports that were ever put into the queues, once these are empty."""
    total = 0
    for path in paths.values():
        _, count, last = queue(path)
        if count > 0:
            return None
        total += last
    return total


def report(arguments, seconds, total, lost, added, repeated, disordered, broker, consumer, processes):
    units, cpu = arguments.units, sum(process.cpu for process in processes)
    # The consumer's acknowledgements, of 4 bytes each, are not the units'.
    received = broker.received - 4 * (total + repeated)
    written = sum(process.written for process in processes)
    print(f"{units} units, {seconds:.0f} s, seed {arguments.seed}")
    print(f"reports     {total}, {lost} lost, {added} at the consumer that no unit has, {disordered} out of order")
    print(f"repeated    {repeated} ({100 * repeated / max(total, 1):.2f} %), recognised by the consumer")
    print(f"a unit      {1000 * cpu / units / seconds:.2f} ms of CPU a second, "
          f"{received / units / seconds:.0f} bytes a second on the wire, "
          f"{written / units / seconds / 1000:.2f} kB a second to the disk")
    print(f"a report    {1000 * cpu / max(total, 1):.2f} ms of CPU, {received / max(total, 1):.0f} bytes on the wire, "
          f"{written / max(total, 1) / 1000:.2f} kB to the disk")
    print(f"the server  {1000 * broker.cpu / max(total, 1):.3f} ms of CPU for a report in the broker, "
          f"{1000 * consumer.cpu / max(total, 1):.3f} ms in the consumer")


def run(parser, body):
    """Runs a measurement in folders of its own, and ends with its result."""
    arguments = parser.parse_args()
    raise_descriptor_limit()
    try:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir=arguments.queues) as queues:
            sys.exit(0 if body(arguments, folder, queues) else 1)
    except Failed as failure:
        sys.exit(f"{parser.prog}: {failure}")


def main():
    parser = argparse.ArgumentParser(description="Play a fleet through one broker.")
    parser.add_argument("bin")
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--rate", type=float, default=1, help="locations of a unit in a second")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--restarts", type=int, default=5, help="restarts of the broker")
    parser.add_argument("--kills", type=int, default=20, help="kills of a process of units")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queues", default="/dev/shm", help="the folder of the queues. In memory, because a thousand "
                        "units have a thousand disks; on a disk, for few units, to measure what they write")
    run(parser, measure)


if __name__ == "__main__":
    main()
