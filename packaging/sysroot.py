"""A sysroot: the headers and libraries of a Debian release for an architecture, with a database for dpkg-shlibdeps."""

import subprocess

from folders import unpack, whole

#: The headers and libraries that the programs are built with. make/dependencies.mk has those for this machine.
PACKAGES = ["libc6-dev", "libcurl4-openssl-dev", "libgcc-14-dev", "libgps-dev", "libmosquitto-dev", "libsqlite3-dev",
            "libssl-dev", "libstdc++-14-dev", "libsystemd-dev", "libudev-dev"]

#: Where a package of Debian has the Swift compiler, and what of it a sysroot gets.
SWIFT = "usr/libexec/swift/lib"
SWIFT_PARTS = ["swift", "swift_static", "clang"]


def make(folder, architecture, packages, swift):
    """Makes a sysroot of `packages`, with Swift's libraries out of the packages `swift`, if it is not there.

    The names of libraries in its database are those under which dpkg-shlibdeps finds them, so that the folder cannot
    be moved.
    """
    with whole(folder, "\n".join([str(folder), *map(str, packages), *map(str, swift)])) as new:
        if new is None:
            return
        print(f"unpacking the libraries of {architecture}: {len(packages) + len(swift)} packages", flush=True)
        (new / "usr/lib").mkdir(parents=True)
        for link in ["lib", "lib64"]:
            (new / link).symlink_to(f"usr/{link}")
        database = Database(new / "var/lib/dpkg", architecture, folder)
        for package in packages:
            unpack(package, new)
            database.add(package)
        database.write()
        for package in swift:
            _add_swift(package, new)


def link_swift(root, resources):
    """Gives a sysroot the libraries of this machine's Swift, where the linker looks for them as well."""
    for name in SWIFT_PARTS:
        link = root / "usr/lib" / name
        link.unlink(missing_ok=True)
        link.symlink_to(resources / name)


def _add_swift(package, root):
    """Moves Swift's libraries to where the compiler looks for them below a sysroot."""
    part = root / "swift.new"
    part.mkdir()
    unpack(package, part)
    for name in SWIFT_PARTS:
        if (part / SWIFT / name).is_dir():
            subprocess.run(["cp", "-a", part / SWIFT / name, root / "usr/lib"], check=True)
    # The package has the module of what Testing adds to Foundation without its library: nothing is to link with that.
    subprocess.run(["rm", "-rf", part, root / "usr/lib/swift/linux/Testing.swiftcrossimport"], check=True)


class Database:
    """The administrative folder of dpkg for packages that were unpacked without it."""

    def __init__(self, folder, architecture, root):
        self.folder = folder
        self.architecture = architecture
        self.root = root
        self.status = []
        (folder / "info").mkdir(parents=True)
        (folder / "updates").mkdir()
        (folder / "info/format").write_text("1\n")
        (folder / "arch").write_text(f"{architecture}\n")

    def add(self, package):
        """Adds the files of a package under the names that they have below the root, and its lists of libraries."""
        fields = subprocess.run(
            ["dpkg-deb", "--field", package.path], check=True, capture_output=True, text=True).stdout
        self.status.append(fields.replace("\n", "\nStatus: install ok installed\n", 1))
        is_shared = "\nMulti-Arch: same\n" in fields
        stem = f"{package.name}:{self.architecture}" if is_shared else package.name
        control = self.folder / "control.new"
        subprocess.run(["dpkg-deb", "--control", package.path, control], check=True)
        for name in ["shlibs", "symbols"]:
            if (control / name).exists():
                (control / name).rename(self.folder / f"info/{stem}.{name}")
        subprocess.run(["rm", "-rf", control], check=True)
        archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", package.path], check=True, capture_output=True).stdout
        names = subprocess.run(
            ["tar", "--list"], input=archive, check=True, capture_output=True).stdout.decode().splitlines()
        self._write_list(stem, [name.removeprefix(".").rstrip("/") for name in names])

    def _write_list(self, stem, names):
        paths = ["/."] + [f"{self.root}{name}" for name in names if name]
        (self.folder / f"info/{stem}.list").write_text("\n".join(paths) + "\n")

    def write(self):
        """Writes the list of packages."""
        (self.folder / "status").write_text("\n".join(self.status))
