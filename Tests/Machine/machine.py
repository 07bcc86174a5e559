"""The emulated machine: its disk, its power switch and its ports."""

import shutil
import subprocess
import tarfile
import tempfile
import time
from pathlib import Path

from deadline import SLOWNESS, Deadline
from dongle import Dongle
from guest import Guest
from image import GEOCLUE, USERS
from monitor import Monitor

#: The number of dongles that can be plugged in at the same time.
DONGLES = 2

#: What qemu emulates of each architecture, and the console of its kernel.
PROGRAMS = {"amd64": "qemu-system-x86_64", "arm64": "qemu-system-aarch64"}
BOARDS = {
    "amd64": ["-machine", "q35", "-vga", "std", "-global", "ICH9-LPC.disable_s3=0"],
    "arm64": ["-machine", "virt", "-cpu", "cortex-a72"],
}
CONSOLES = {"amd64": "ttyS0", "arm64": "ttyAMA0"}


class Machine:
    """A PC, or a board with an ARM processor, with a USB 3 controller, a UART and without a network.

    Its disk writes go to an overlay over the image, which is discarded at the end. `repository` is an apt repository
    that it has on a disk, or `None`.
    """

    def __init__(self, image, packages, logs, acceleration, architecture="amd64", repository=None):
        self.image = image
        self.logs = logs
        self.acceleration = acceleration
        self.architecture = architecture
        # The path of a socket must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="machine."))
        self.packages = self._pack([*packages, image / GEOCLUE], repository)
        #: A receiver that is soldered to the UART. It writes a sentence at once: only at this speed the next one
        #: follows as soon as a real receiver's bytes do, and its epochs have no pauses in them.
        self.soldered = Dongle("UART", 115200)
        self.layer = image.parent / "layer"
        self.dongles = [Dongle(f"GPS{number}") for number in range(DONGLES)]
        self.process = None
        subprocess.run(
            ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", image / "disk", self.layer],
            check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut_power()
        for dongle in [*self.dongles, self.soldered]:
            dongle.stop()
        shutil.rmtree(self.folder)
        self.layer.unlink()

    def power_on(self):
        """Starts the machine. The users log in once it has booted."""
        console = self.logs / f"console-{len(list(self.logs.glob('console-*')))}.log"
        arguments = [
            PROGRAMS[self.architecture], *BOARDS[self.architecture], "-m", "1024", "-smp", "2", "-nodefaults",
            "-display", "none", "-accel", self.acceleration,
            "-kernel", self.image / "vmlinuz", "-initrd", self.image / "initrd.img",
            "-append",
            f"root=LABEL=machine rw console={CONSOLES[self.architecture]} quiet mem_sleep_default=deep "
            f"systemd.default_timeout_start_sec={90 * SLOWNESS}",
            "-drive", f"file={self.layer},if=virtio,format=qcow2",
            "-drive", f"file={self.packages},if=none,id=packages,format=raw,readonly=on",
            "-device", "virtio-blk-pci,drive=packages,serial=packages",
            "-serial", f"file:{console}", "-qmp", f"unix:{self.folder}/qmp,server=on,wait=off",
            "-device", "qemu-xhci,id=usb", "-device", "virtio-serial-pci",
            "-chardev", f"serial,id=uart,path={self.soldered.port}", "-device", "pci-serial,chardev=uart",
        ]
        for user in ["root", *USERS]:
            arguments += [
                "-chardev", f"socket,id={user},path={self.folder}/{user},server=on,wait=off",
                "-device", f"virtserialport,chardev={user},name={user}"]
        for dongle in self.dongles:
            arguments += ["-chardev", f"serial,id={dongle.serial},path={dongle.port}"]
        for name in ["qmp", "root", *USERS]:
            (self.folder / name).unlink(missing_ok=True)
        with open(self.logs / "qemu.log", "ab") as log:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._wait_for_sockets(["qmp", "root", *USERS])
        self.monitor = Monitor(f"{self.folder}/qmp")
        self.guests = {user: Guest(f"{self.folder}/{user}", user) for user in ["root", *USERS]}

    def cut_power(self):
        """Stops the machine at once, like a power cut. Everything not yet written to its disk is lost."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def plug(self, dongle):
        """Plugs a dongle in. Returns the time on the monotonic clock."""
        moment = time.monotonic()
        self.monitor.command(
            "device_add", driver="usb-serial", bus="usb.0", id=f"usb-{dongle.serial}", chardev=dongle.serial,
            serial=dongle.serial)
        return moment

    def unplug(self, dongle):
        """Unplugs a dongle. Returns the time on the monotonic clock."""
        moment = time.monotonic()
        self.monitor.command("device_del", id=f"usb-{dongle.serial}")
        self.monitor.wait_for("DEVICE_DELETED", 30, device=f"usb-{dongle.serial}")
        return moment

    def _pack(self, packages, repository):
        """Packs the packages, by their names alone, and the repository into an archive that the machine has as a
        disk."""
        path = self.folder / "packages"
        with tarfile.open(path, "w") as archive:
            if repository:
                archive.add(repository, "repository")
            for package in packages:
                archive.add(package, f"{package.name.split('_')[0].removesuffix('.deb')}.deb")
        return path

    def _wait_for_sockets(self, names):
        deadline = Deadline(20)
        while not all((self.folder / name).exists() for name in names):
            if self.process.poll() is not None:
                raise OSError(f"qemu does not start:\n{(self.logs / 'qemu.log').read_text()}")
            deadline.remaining("qemu's sockets")
            time.sleep(0.01)
