"""Functions that run as other users, in processes of their own."""

import ctypes
import json
import os
import signal
import traceback


class Running:
    """A function that runs in a child process as user `uid`, which needs root. It returns what JSON can represent."""

    def __init__(self, uid, function, *arguments):
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(writing)
            self.results = os.fdopen(reading)
            return
        try:
            os.setsid()
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            # After a change of user, the process's own files in proc(5) would be root's (PR_SET_DUMPABLE, prctl(2)).
            ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
            # It does not outlive the attack (PR_SET_PDEATHSIG).
            ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
            result = function(*arguments)
            with os.fdopen(writing, "w") as results:
                json.dump(result, results)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)

    def result(self):
        """Waits for the end of the function. Returns its result, or None if it failed."""
        text = self.results.read()
        self.stop()
        return json.loads(text) if text else None

    def has_ended(self):
        """Returns whether the function has returned, or failed."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def stop(self):
        """Ends the function and the processes that it has started."""
        if not self.pid:
            return
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.pid = 0
        self.results.close()
