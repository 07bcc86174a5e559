#!/usr/bin/env python3
"""Measures how right the time is that chrony gets from locationd, with the real chronyd, which leaves the clock alone.

A receiver at a pseudo-terminal states a time that is ahead of the machine's by a known amount, and sends each epoch
after a known, varying delay. chronyd has to find that amount. Its error is compared with the stated one: the greatest
deviation of the receiver's delay from the one in the configuration. With --faults the receiver also jumps by a second
for a while, falls silent, sends two epochs at once and loses its fix, at random: none of that may reach chrony.
"""
import argparse
import datetime
import os
import pathlib
import pwd
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tty

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n"


def epoch(stated, fix=True):
    """Returns the sentences of the epoch of a time in seconds since 1970."""
    moment = datetime.datetime.fromtimestamp(round(stated, 3), datetime.timezone.utc)
    clock = moment.strftime("%H%M%S.") + f"{moment.microsecond // 1000:03d}"
    place = "4730.00000,N,00845.00000,E"
    status, quality = ("A", 1) if fix else ("V", 0)
    return "".join(map(sentence, [
        f"GNRMC,{clock},{status},{place},0.0,0.0,{moment:%d%m%y},,,{'A' if fix else 'N'}",
        f"GNGGA,{clock},{place},{quality},09,0.9,400.0,M,47.0,M,,",
        "GNGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.8,0.9,1.5,1",
        "GPGSV,1,1,04,01,40,083,41,02,17,308,43,03,07,344,39,04,23,228,45,1",
    ]))


class Receiver(threading.Thread):
    """Sends an epoch each 1 / rate seconds of its own time, which is ahead of the machine's."""

    def __init__(self, master, options):
        super().__init__(daemon=True)
        self.master = master
        self.options = options
        self.random = random.Random(options.seed)
        self.deviations = []
        self.faults = 0

    def run(self):
        options = self.options
        number = int((time.time() + options.ahead) * options.rate) + 1
        jump, jump_until, silent_until, void_until, held = 0, 0, 0, 0, ""
        while True:
            number += 1
            stated = number / options.rate
            delay = max(0, options.delay + self.random.uniform(-options.jitter, options.jitter))
            # The machine's time when the first byte is due.
            due = stated + delay - options.ahead
            time.sleep(max(0, due - time.time()))
            if options.faults and self.random.random() < 0.01 / options.rate:
                self.faults += 1
                fault = self.random.randrange(4)
                if fault == 0:
                    # Shorter than the eight epochs after which a new time is believed.
                    jump, jump_until = self.random.choice([-1, 1]), number + self.random.randrange(1, 8)
                elif fault == 1:
                    silent_until = stated + self.random.uniform(1, 20)
                elif fault == 2:
                    # This epoch leaves together with the next one.
                    held = epoch(stated + jump)
                    continue
                else:
                    void_until = stated + self.random.uniform(1, 20)
            if number >= jump_until:
                jump = 0
            if stated < silent_until:
                continue
            os.write(self.master, (held + epoch(stated + jump, fix=stated >= void_until)).encode())
            held = ""
            self.deviations.append(time.time() - (stated - options.ahead) - options.delay)


def tracking(folder):
    """Returns the source that chronyd follows, and its offset: true time minus the machine's, in seconds."""
    command = ["chronyc", "-c", "-h", f"{folder}/chronyd.sock", "tracking"]
    result = subprocess.run(command, capture_output=True, text=True)
    fields = result.stdout.strip().split(",")
    return (fields[1], float(fields[4])) if result.returncode == 0 and len(fields) > 4 else ("", 0.0)


def processor_time(process):
    """Returns the processor time of a process, in seconds."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def start(program, folder, options, port):
    pathlib.Path(f"{folder}/chrony.conf").write_text(
        f"refclock SOCK {folder}/chrony.locationd.sock refid GNSS {options.refclock}\n"
        f"bindcmdaddress {folder}/chronyd.sock\npidfile {folder}/chronyd.pid\ncmdport 0\nport 0\n")
    pathlib.Path(f"{folder}/locationd.toml").write_text(
        f'discover = false\n[[receiver]]\nsource = "serial:{port}@115200"\ndelay = {options.delay}\n'
        f'[time]\nchrony-socket = "{folder}/chrony.locationd.sock"\n')
    user = pwd.getpwuid(os.geteuid()).pw_name
    chronyd = subprocess.Popen(
        ["/usr/sbin/chronyd", "-x", "-d", "-U", "-u", user, "-f", f"{folder}/chrony.conf"], stderr=subprocess.DEVNULL)
    daemon = subprocess.Popen(
        [program, "--config", f"{folder}/locationd.toml", "--runtime-directory", f"{folder}/run", "--state-directory",
         f"{folder}/state"], stderr=open(f"{folder}/log", "w"))
    return chronyd, daemon


def measure(daemon, folder, options):
    """Prints the error each minute. Returns the errors in seconds, one a second, from the first selection on."""
    errors, begin = [], time.monotonic()
    report = begin + 60
    while time.monotonic() < begin + options.duration:
        time.sleep(1)
        if daemon.poll() is not None:
            sys.exit("locationd has ended:\n" + pathlib.Path(f"{folder}/log").read_text())
        source, offset = tracking(folder)
        if source != "GNSS":
            continue
        if not errors:
            print(f"selected after {time.monotonic() - begin:.0f} s", flush=True)
        errors.append(offset - options.ahead)
        if time.monotonic() >= report:
            report += 60
            print(f"{time.monotonic() - begin:6.0f} s  error {errors[-1] * 1e3:+8.3f} ms", flush=True)
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="locationd")
    parser.add_argument("--duration", type=float, default=120, help="seconds; 120 by default")
    parser.add_argument("--rate", type=float, default=1, help="epochs in a second; 1 by default")
    parser.add_argument("--delay", type=float, default=0.12, help="the receiver's mean delay in seconds, as configured")
    parser.add_argument("--jitter", type=float, default=0.03, help="the greatest deviation from it, in seconds")
    parser.add_argument("--ahead", type=float, default=0.35, help="the receiver's time minus the machine's, in seconds")
    parser.add_argument("--refclock", default="poll 3 filter 8 precision 0.03 delay 0.06",
                        help="options of the reference clock")
    parser.add_argument("--faults", action="store_true", help="a receiver that also misbehaves")
    parser.add_argument("--seed", type=int, default=1, help="of the delays and faults")
    options = parser.parse_args()
    master, slave = os.openpty()
    tty.setraw(slave)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        receiver = Receiver(master, options)
        receiver.start()
        chronyd, daemon = start(options.program, folder, options, os.ttyname(slave))
        try:
            errors = measure(daemon, folder, options)
            used = processor_time(daemon)
        finally:
            daemon.terminate()
            chronyd.terminate()
            daemon.wait()
            chronyd.wait()
        log = pathlib.Path(f"{folder}/log").read_text()
    if not errors:
        sys.exit("chronyd has not selected the receiver:\n" + log)
    deviations = sorted(map(abs, receiver.deviations))
    greatest = max(map(abs, errors))
    usual = deviations[len(deviations) * 99 // 100]
    print(f"""
epochs                     {len(deviations):10d}    faults {receiver.faults}
stated error               {options.jitter * 1e3:10.3f} ms
delay's deviation, 99 %    {usual * 1e3:10.3f} ms  as sent, this machine's lateness included
chrony's error, mean       {statistics.fmean(errors) * 1e3:+10.3f} ms
chrony's error, deviation  {statistics.pstdev(errors) * 1e3:10.3f} ms
chrony's error, greatest   {greatest * 1e3:10.3f} ms
locationd's processor time {used:10.3f} s""")
    sys.exit(0 if greatest <= options.jitter else "chrony's error was greater than the stated one")


if __name__ == "__main__":
    main()
