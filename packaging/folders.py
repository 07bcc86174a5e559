"""Folders that are whole or not there: what is made in them is made beside, and moved into place at the end."""

import contextlib
import shutil
import subprocess

STAMP = ".made-of"


@contextlib.contextmanager
def whole(folder, key):
    """Makes `folder` anew in a `with` block, unless it was made of the same: then yields `None`.

    The block gets a folder beside it to fill. An interruption or an error leaves nothing under the name of `folder`
    that is half made. `key` is a text that says what the folder is made of.
    """
    if is_made_of(folder, key):
        yield None
        return
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    yield new
    (new / STAMP).write_text(key)
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def is_made_of(folder, key):
    """Returns whether `folder` is there, whole, and made of `key`."""
    stamp = folder / STAMP
    return stamp.exists() and stamp.read_text() == key


def unpack(package, folder):
    """Unpacks a package of Debian into a folder, without running any of its scripts."""
    subprocess.run(["dpkg-deb", "--extract", package.path, folder], check=True)
