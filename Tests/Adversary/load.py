"""The fuzzers: processes that share the connections of a seed, and the file that says which those were."""

import json
import os
import socket
import subprocess
import threading
import time

import wire
from plan import Plan

# How many connections of each fuzzer are written down for a finding, up to the one that was under way.
SHOWN_CONNECTIONS = 40
# How long the fuzzers may take until all of them have begun; and what their progress is until then.
BEGIN_SECONDS = 60
NOT_BEGUN = 2**64 - 1


class Load:
    """Runs fuzzers against a scene's daemon. definitions: the folder of the interface definitions."""

    def __init__(self, scene, seed, definitions, first, count, fuzzers):
        self.plan = Plan(seed, definitions)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(scene.folder / "wake"))
        self.listener.listen(5)
        self.fuzzers, self.progress = [], []
        self.step, self.first = fuzzers, first
        for index in range(fuzzers):
            progress = scene.folder / f"progress-{index}"
            progress.write_bytes(NOT_BEGUN.to_bytes(8, "little"))
            self.progress.append(progress)
            self.fuzzers.append(scene.programs.start(
                f"fuzzer-{index}", "fuzzer.py", seed, first + index, fuzzers, count and first + count, scene.folder,
                scene.daemon.location, scene.daemon.manage, definitions, progress,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE))
        deadline = time.monotonic() + BEGIN_SECONDS
        while NOT_BEGUN in self.present() and self.running():
            if time.monotonic() > deadline:
                raise wire.Late(f"the fuzzers have not begun within {BEGIN_SECONDS} s")
            time.sleep(0.01)

    def present(self):
        """Returns the numbers of the connections that are under way."""
        return [int.from_bytes(progress.read_bytes(), "little") for progress in self.progress]

    def running(self):
        return any(fuzzer.poll() is None for fuzzer in self.fuzzers)

    def write_frames(self, path):
        """Writes the frames of the last connections to a file."""
        numbers = sorted({number - back * self.step for number in self.present() for back in range(SHOWN_CONNECTIONS)})
        with open(path, "w", encoding="utf-8") as file:
            for number in numbers:
                if number >= self.first:
                    file.writelines(line + "\n" for line in self.plan.lines(number))

    def stop(self):
        """Ends the fuzzers; returns how many connections, frames and replies there were, and what went wrong."""
        total = {"connections": sum(self.present()) // max(len(self.fuzzers), 1) - self.first}
        faults = []
        for fuzzer in self.fuzzers:
            fuzzer.terminate()
        for fuzzer in self.fuzzers:
            try:
                output, _ = fuzzer.communicate(timeout=30)
                result = json.loads(output)
            except (subprocess.TimeoutExpired, ValueError):
                fuzzer.kill()
                result = {"fault": f"ended with status {fuzzer.wait()} and said nothing"}
            if fault := result.pop("fault"):
                faults.append(f"a fuzzer: {fault}")
            for what, count in result.items():
                total[what] = total.get(what, 0) + count
        self.listener.close()
        return total, faults


class Keeper(threading.Thread):
    """Undoes once a second what fuzzed calls of the management socket did to everybody, as an administrator would.

    Location services are on again, simulations stop, and the first fuzzer has its grant. Once in a while decisions are
    reset: what an administrator decides about apps of any user is kept for ever, and would count as memory that grows.
    """

    # How many seconds lie between two resets.
    RESET_SECONDS = 30

    def __init__(self, scene):
        super().__init__(daemon=True)
        self.daemon_process = scene.daemon
        self.granted = f"exe:{scene.programs.folder}/fuzzer-0"
        self.stopping = threading.Event()
        self.failures = set()
        self.kept = {app.identity for app in scene.apps} | {self.granted}

    def run(self):
        due = time.monotonic() + self.RESET_SECONDS
        while not self.stopping.wait(1):
            self.restore()
            if time.monotonic() >= due:
                due += self.RESET_SECONDS
                self.reset()
        self.restore()

    def reset(self):
        """Resets the decisions on a page of the list, but for those that the measurements need."""
        apps = self.call("ListApps", {}).get("apps", [])
        for app in apps:
            if app["app"] not in self.kept:
                self.call("Reset", {"app": app["app"], "uid": app["uid"]})

    def restore(self):
        uid = os.getuid()
        calls = [("SetServices", {"enabled": True}), ("Grant", {"app": self.granted, "uid": uid, "level": "always"})]
        if uid == 0:
            calls += [("SetServices", {"enabled": True, "machine": True}), ("StopSimulation", {})]
        for method, parameters in calls:
            self.call(method, parameters)

    def call(self, method, parameters):
        """Returns what the daemon replies; nothing where the call failed, which is noted."""
        try:
            return wire.call_once(self.daemon_process.manage, f"{wire.MANAGE}.{method}", parameters)
        except (OSError, wire.Late, wire.Closed, wire.Refused) as error:
            self.failures.add(f"{method}: {type(error).__name__}: {error}")
            return {}

    def stop(self):
        self.stopping.set()
        self.join()
