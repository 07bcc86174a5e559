"""An app with reduced accuracy gets a location, or an event, in the second when the receiver has a fix again.

The receiver's time passes a quarter of an hour during an outage. Epochs from before it have waited in the port, which
is closed until half a minute before the tick, and set the receiver's time back.
"""

import os
import select
import tempfile
import threading
import time
from pathlib import Path

from daemon import Daemon
from programs import App, Programs
from receiver import Receiver, sentence
import wire

# Seconds of the run: the receiver's time is chosen so that it passes the tick then.
TICK, OUTAGE_BEGIN, OUTAGE_END, END = 75, 20, 95, 108
# The time after the return when the app must not get anything, in seconds. A silent port is opened every 10 s.
NOTICED_SECONDS = 12
OUTAGES = ("epochs without a fix", "silence")


def attack(bin):
    """Returns what the app got when the fix returned, and a fault if that was anything."""
    seconds_to_tick = 900 - time.time() % 900
    if seconds_to_tick < END + 20:
        # A location at the machine's own tick is not an answer to the outage.
        time.sleep(seconds_to_tick + 10)
    got = {}
    with tempfile.TemporaryDirectory() as folder:
        threads = [threading.Thread(target=run, args=(bin, Path(folder) / str(number), outage, got))
                   for number, outage in enumerate(OUTAGES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    returned = {outage: [f"{event} after {at - OUTAGE_END:.1f} s" for event, at in got.get(outage, [])
                         if OUTAGE_END <= at <= OUTAGE_END + NOTICED_SECONDS] for outage in OUTAGES}
    figure = "; ".join(f"{outage}: {', '.join(events) or 'nothing'}" for outage, events in returned.items())
    if any(not got.get(outage) for outage in OUTAGES):
        return figure, "the attack could not be carried out"
    return f"at the return of the fix, {figure}", "the return of the fix shows" if any(returned.values()) else None


def run(bin, folder, outage, got):
    """Puts the events that an app with reduced accuracy gets into `got`, with their time in seconds of the run."""
    folder.mkdir()
    receiver = Receiver()
    daemon = Daemon(bin / "locationd", folder, receiver.specification)
    programs = Programs(folder)
    app = App(programs, "app")
    start = time.monotonic()
    first = (int(time.time()) // 900 + 1) * 900 - TICK
    writer = threading.Thread(target=write, args=(receiver, first, start, outage))
    writer.start()
    try:
        wire.call_once(daemon.manage, wire.MANAGE + ".Grant", {
            "app": app.identity, "uid": os.getuid(), "level": "always", "accuracy": "reduced"})
        stream = app.connect(daemon.location)
        stream.send(wire.LOCATION + ".Subscribe", more=True)
        events = got[outage] = []
        while (left := start + END - time.monotonic()) > 0:
            if select.select([stream], [], [], left)[0]:
                for reply in stream.received():
                    events.append((wire.result(reply)["update"]["event"], time.monotonic() - start))
    finally:
        writer.join()
        app.stop()
        daemon.stop()
        receiver.close()


def write(receiver, first, start, outage):
    """Writes an epoch each second, beginning at the time `first`, with the fix missing or nothing in the outage."""
    for second in range(END):
        time.sleep(max(0, start + second - time.monotonic()))
        receiver.tenths = (first + second) * 10 - 1
        if not OUTAGE_BEGIN <= second < OUTAGE_END:
            receiver.write_epoch()
        elif outage != "silence":
            parts = time.gmtime(first + second)
            clock, date = time.strftime("%H%M%S.00", parts), time.strftime("%d%m%y", parts)
            try:
                os.write(receiver.controller, (sentence(f"GPRMC,{clock},V,,,,,,,{date},,,N")
                                               + sentence(f"GPGGA,{clock},,,,,0,00,99.99,,,,,,")).encode())
            except BlockingIOError:
                pass
