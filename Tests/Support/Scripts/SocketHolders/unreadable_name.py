import ctypes, os, signal
ctypes.CDLL(None).prctl(15, b"\xff", 0, 0, 0)  # PR_SET_NAME, linux/prctl.h
os.setresuid(65534, 0, 0)
print("ready", flush=True)
signal.pause()
