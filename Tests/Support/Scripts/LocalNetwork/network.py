"""Two machines in a network of their own, each with a system bus and the real avahi-daemon, until SIGTERM.

Run by `unshare --user --map-root-user --net --mount`, as any user, with a folder and the template of a bus's
configuration. Prints a line for each machine once its Avahi answers: its name, a process in its namespaces, and the
address of its bus. `FOLDER/hosts` is /etc/hosts of the machine named `machine`. The other one is `neighbour`.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

CLONE_NEWNS, CLONE_NEWNET, PR_SET_PDEATHSIG = 0x20000, 0x40000000, 1
LIBC = ctypes.CDLL(None, use_errno=True)
DEADLINE = time.monotonic() + 120


def until(condition):
    while not condition():
        if time.monotonic() > DEADLINE:
            sys.exit("the network did not come up in time")
        time.sleep(0.02)


def ends_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run(*words):
    subprocess.run(words, check=True)


def start(folder, name, *words, environment=None):
    with open(folder / f"{name}.log", "wb") as log:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=ends_with_parent,
                                env=dict(os.environ) | (environment or {}))


def answers(address, expected):
    """Returns whether the bus says so of Avahi's name: whether it has an owner."""
    words = ["dbus-send", f"--bus={address}", "--print-reply=literal", "--dest=org.freedesktop.DBus",
             "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.Avahi"]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return expected in result.stdout


def machine(folder, template, name, device, number):
    """Makes this process's namespaces a machine."""
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    # Avahi looks its user up, who is this one.
    Path("/run/passwd").write_text("root:x:0:0::/:/bin/sh\navahi:x:0:0::/:/bin/false\n")
    Path("/run/group").write_text("root:x:0:\navahi:x:0:\nnetdev:x:0:\n")
    for file, place in [("/run/passwd", "/etc/passwd"), ("/run/group", "/etc/group")]:
        run("mount", "--bind", file, place)
    run("ip", "link", "set", "lo", "up")
    # Addresses that can be used at once, and are known beforehand.
    run("ip", "link", "set", device, "addrgenmode", "none")
    run("ip", "link", "set", device, "up")
    run("ip", "address", "add", f"192.0.2.{number}/24", "dev", device)
    run("ip", "address", "add", f"fe80::{number}/64", "dev", device, "nodad")
    bus, configuration = folder / f"{name}.bus", folder / f"{name}.conf"
    everything = '<policy context="default"><allow own="*"/><allow send_type="method_call"/></policy>'
    configuration.write_text(template.replace("@PATH@", str(bus)).replace("@ELEMENTS@", everything))
    start(folder, f"{name}-bus", "dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile")
    address = f"unix:path={bus}"
    # Its socket is there before it listens.
    until(lambda: answers(address, b"boolean false"))
    avahi = folder / f"{name}-avahi.conf"
    avahi.write_text(f"[server]\nhost-name={name}\nuse-ipv4=yes\nuse-ipv6=yes\n[publish]\npublish-workstation=no\n")
    daemon = start(folder, f"{name}-avahi", "/usr/sbin/avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits",
                   f"--file={avahi}", environment={"DBUS_SYSTEM_BUS_ADDRESS": address})
    until(lambda: daemon.poll() is not None or answers(address, b"boolean true"))
    if daemon.poll() is not None:
        sys.exit("avahi-daemon has ended: " + (folder / f"{name}-avahi.log").read_text())
    print(f"{name} {os.getpid()} {address}", flush=True)
    signal.pause()


def main():
    folder, template = Path(sys.argv[1]), Path(sys.argv[2]).read_text()
    run("ip", "link", "add", "network0", "type", "veth", "peer", "name", "network1")
    (separated, separate), (moved, move) = os.pipe(), os.pipe()
    neighbour = os.fork()
    if neighbour == 0:
        ends_with_parent()
        if LIBC.unshare(CLONE_NEWNS | CLONE_NEWNET) != 0:
            sys.exit("no further namespaces")
        os.write(separate, b"x")
        os.read(moved, 1)
        machine(folder, template, "neighbour", "network1", 2)
    os.read(separated, 1)
    run("ip", "link", "set", "network1", "netns", str(neighbour))
    os.write(move, b"x")
    hosts = folder / "hosts"
    hosts.touch()
    run("mount", "--bind", hosts, "/etc/hosts")
    machine(folder, template, "machine", "network0", 1)


main()
