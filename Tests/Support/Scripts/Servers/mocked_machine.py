import ctypes, os, sys
library = ctypes.CDLL("libumockdev.so.0")
testbed, text = ctypes.c_void_p, ctypes.c_char_p
def function(name, result, *arguments):
    found = getattr(library, "umockdev_testbed_" + name)
    found.restype, found.argtypes = result, arguments
    return found
add = function("add_from_string", ctypes.c_int, testbed, text, ctypes.c_void_p)
event = function("uevent", None, testbed, text, text)
remove = function("remove_device", None, testbed, text)
machine = function("new", testbed)()
root = function("get_root_dir", text, testbed)(machine).decode()
# Answers the ioctls on every device, and knows none of a terminal's.
os.remove(root + "/ioctl/_default")
print(root, flush=True)
for line in sys.stdin:
    verb, path, *rest = line.rstrip("\n").split("\t")
    if verb == "plug":
        file, = rest
        # Parents come last in a description, and may be there already, with other devices below them.
        for block in reversed(open(file).read().split("\n\n")):
            if os.path.exists(root + "/sys" + block.split("\n")[0][3:]): continue
            if not add(machine, block.encode(), None): sys.exit("umockdev does not take the device")
        event(machine, path.encode(), b"add")
    else:
        event(machine, path.encode(), b"remove")
        remove(machine, path.encode())
    print("done", flush=True)
