"""A root folder that never answers: FUSE that this process serves itself, below overlayfs, in a user namespace.

An ordinary user can make one. A look-up of .flatpak-info in it waits until the server ends, and no signal ends that.
"""

import contextlib
import ctypes
import errno
import os
import signal
import struct
import tempfile

LIBC = ctypes.CDLL(None, use_errno=True)
NEW_USER, NEW_MOUNTS = 0x10000000, 0x00020000
PRIVATE = 0x4000 | 0x40000
# linux/fuse.h
LOOKUP, FORGET, GETATTR, STATFS, INIT, OPENDIR, READDIR, RELEASEDIR, BATCH_FORGET = 1, 2, 3, 17, 26, 27, 28, 29, 42
DIRECTORY = 0o40755


def check(status):
    if status < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def mount(kind, place, options, flags=0):
    check(LIBC.mount(kind.encode(), str(place).encode(), kind.encode(), flags, options.encode()))


def become_root_of_namespace():
    """Enters a user namespace in which this process is root, with mounts of its own."""
    uid, gid = os.geteuid(), os.getegid()
    check(LIBC.unshare(NEW_USER | NEW_MOUNTS))
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    check(LIBC.mount(b"none", b"/", None, PRIVATE, None))


def serve(device, name):
    """Serves an empty folder until the file system is gone. A look-up of `name` is never answered."""
    while True:
        try:
            request = os.read(device, 1 << 20)
        except OSError as error:
            if error.errno in (errno.EINTR, errno.ENOENT):
                continue
            return
        _, opcode, unique = struct.unpack_from("=IIQ", request)
        body, status = b"", 0
        if opcode == INIT:
            body = struct.pack("=IIIIHHI", 7, 31, 4096, 0, 0, 0, 4096) + bytes(40)
        elif opcode == GETATTR:
            # struct fuse_attr_out: valid for a while, and struct fuse_attr of the root.
            body = struct.pack("=QII6Q10I", 1000, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, DIRECTORY, 2, 0, 0, 0, 4096, 0)
        elif opcode == STATFS:
            body = struct.pack("=5Q4I", 0, 0, 0, 0, 0, 4096, 255, 0, 0) + bytes(24)
        elif opcode == OPENDIR:
            body = bytes(16)
        elif opcode in (FORGET, BATCH_FORGET):
            continue
        elif opcode == LOOKUP:
            if request[40:].rstrip(b"\0") == name:
                continue
            status = -errno.ENOENT
        elif opcode not in (READDIR, RELEASEDIR):
            status = -errno.ENOSYS
        os.write(device, struct.pack("=IiQ", 16 + len(body), status, unique) + body)


@contextlib.contextmanager
def entered(folder, name=b".flatpak-info"):
    """Gives this process such a root, and the working directory `folder` of the root before. The server ends with the
    context; a process that still waits for an answer then gets an error."""
    working = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    become_root_of_namespace()
    place = tempfile.mkdtemp(prefix="hanging-")
    mount("tmpfs", place, "")
    for part in ("fuse", "lower", "root"):
        os.mkdir(f"{place}/{part}")
    device = os.open("/dev/fuse", os.O_RDWR)
    mount("fuse", f"{place}/fuse", f"fd={device},rootmode={DIRECTORY:o},user_id=0,group_id=0")
    server = os.fork()
    if server == 0:
        try:
            serve(device, name)
        finally:
            os._exit(0)
    os.close(device)
    try:
        mount("overlay", f"{place}/root", f"lowerdir={place}/fuse:{place}/lower")
        os.chroot(f"{place}/root")
        os.fchdir(working)
        yield
    finally:
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)
        os.close(working)
