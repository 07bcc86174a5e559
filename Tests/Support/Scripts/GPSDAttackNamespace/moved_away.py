made = new_tcp()
import ctypes
assert ctypes.CDLL(None).unshare(0x40000000) == 0  # CLONE_NEWNET, sched.h
print(outcome(connect_tcp(made)))
