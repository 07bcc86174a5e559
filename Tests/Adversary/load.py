"""The fuzzers: processes that share the connections of a seed, and whose latest frames can be saved."""

import json
import os
import socket
import subprocess
import threading
import time

import wire
from plan import Plan

# The number of connections per fuzzer that are saved for a finding, up to the current one.
SHOWN_CONNECTIONS = 40
# The timeout for all fuzzers to begin, and the value of their progress until then.
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
        """Returns the numbers of the current connections."""
        return [int.from_bytes(progress.read_bytes(), "little") for progress in self.progress]

    def running(self):
        return any(fuzzer.poll() is None for fuzzer in self.fuzzers)

    def write_frames(self, path):
        """Writes the frames of the latest connections to a file."""
        numbers = sorted({number - back * self.step for number in self.present() for back in range(SHOWN_CONNECTIONS)})
        with open(path, "w", encoding="utf-8") as file:
            for number in numbers:
                if number >= self.first:
                    file.writelines(line + "\n" for line in self.plan.lines(number))

    def stop(self):
        """Ends the fuzzers. Returns the numbers of connections, frames and replies, and the faults."""
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
                result = {"fault": f"ended with status {fuzzer.wait()} without a summary"}
            if fault := result.pop("fault"):
                faults.append(f"a fuzzer: {fault}")
            for what, count in result.items():
                total[what] = total.get(what, 0) + count
        self.listener.close()
        return total, faults


class Keeper(threading.Thread):
    """Undoes the effects of fuzzed management calls on other clients once a second, as an administrator would.

    It turns location services on, stops simulations and restores the first fuzzer's grant. From time to time it resets
    decisions: an administrator's decisions about apps of any user are kept forever, and would count as growing memory.
    """

    # The interval between two resets, in seconds.
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
        """Resets the decisions on one page of the list, except for those that the measurements need."""
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
        """Returns the daemon's reply, or an empty one if the call failed. Records the failure."""
        try:
            return wire.call_once(self.daemon_process.manage, f"{wire.MANAGE}.{method}", parameters)
        except (OSError, wire.Late, wire.Closed, wire.Refused) as error:
            self.failures.add(f"{method}: {type(error).__name__}: {error}")
            return {}

    def stop(self):
        self.stopping.set()
        self.join()
