"""Writes what packages of Debian are made of, as SPDX 2.3: locationd-VERSION-ARCHITECTURE.spdx.json.

Statically linked packages of Swift are those whose objects the package manager has linked; shared libraries are those
that the programs need or may load, with the packages of the release that they were built for.
"""

import argparse
import hashlib
import json
import re
import time
from pathlib import Path
from urllib.parse import quote

import commit
import libraries

NAMESPACE = "https://locationd.example/spdx"
RUNTIME_LICENSE = "Apache-2.0 WITH Swift-exception"
#: Sources of others within a package of Swift, by the package: their name, licence, and a file with their version.
EMBEDDED = {"TOMLKit": ("toml++", "MIT", "Sources/CTOML/Sources/toml.hpp")}


def license_of(pin):
    """The licence of a package of Swift, by the words of its file."""
    text = next(pin.folder.glob("LICENSE*")).read_text()
    if "Apache License" in text:
        return RUNTIME_LICENSE if "Runtime Library Exception" in text else "Apache-2.0"
    return "MIT" if "Permission is hereby granted, free of charge" in text else "NOASSERTION"


class Document:
    """The packages and their relationships. A package that is added again is there once."""

    def __init__(self):
        self.packages = {}
        self.relationships = set()

    def add(self, name, version, purl, license="NOASSERTION", location="NOASSERTION", **more):
        """Adds a package. Returns its identifier."""
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        self.packages[identifier] = {
            "name": name, "SPDXID": identifier, "versionInfo": version, "downloadLocation": location,
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": license,
            "copyrightText": "NOASSERTION",
        } | ({"externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                "referenceLocator": purl}]} if purl else {}) | more
        return identifier

    def relate(self, one, kind, other):
        self.relationships.add((one, kind, other))

    def text(self, name):
        """The document. Its name in the world ends in a checksum of what it says."""
        packages = [self.packages[identifier] for identifier in sorted(self.packages)]
        checksum = hashlib.sha256(json.dumps(packages).encode()).hexdigest()[:16]
        created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(commit.seconds()))
        return json.dumps({
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": f"{NAMESPACE}/{quote(name)}-{checksum}",
            "creationInfo": {"created": created, "creators": ["Tool: locationd-packaging-sbom.py"]},
            "packages": packages,
            "relationships": [
                {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                for one, kind, other in sorted(self.relationships)],
        }, indent=2) + "\n"


def add_debian(document, name, version, installed):
    """Adds a package of Debian that has a shared library. Returns its identifier."""
    place = f"pkg:deb/debian/{quote(name)}@{quote(version)}?arch={installed.architecture}"
    return document.add(name, version, place, supplier="Organization: Debian")


def add_pin(document, pin):
    """Adds a package of Swift, with what is embedded in it. Returns its identifier."""
    address = pin.address.removeprefix("https://")
    identifier = document.add(pin.name, pin.version, f"pkg:swift/{address}@{pin.version}", license_of(pin),
                              f"git+{pin.address}@{pin.revision}")
    if pin.name in EMBEDDED:
        name, license, file = EMBEDDED[pin.name]
        numbers = re.findall(r"#define TOML_LIB_(?:MAJOR|MINOR|PATCH) (\d+)", (pin.folder / file).read_text())
        document.relate(identifier, "CONTAINS", document.add(name, ".".join(numbers), None, license))
    return identifier


def describe(document, package, programs, installed, pins, runtime):
    """Adds a package of this project, with all that its programs and libraries are linked with."""
    fields = libraries.fields(package)
    checksum = hashlib.sha256(package.read_bytes()).hexdigest()
    own = document.add(fields["Package"], fields["Version"], None, "Apache-2.0", packageFileName=package.name,
                       checksums=[{"algorithm": "SHA256", "checksumValue": checksum}])
    document.relate("SPDXRef-DOCUMENT", "DESCRIBES", own)
    for name, data in libraries.binaries(package).items():
        product = "CoreLocationArchive" if name == "libCoreLocation.a" else name
        for module in libraries.modules(programs / f"{product}.product/Objects.LinkFileList"):
            if pin := libraries.origin(module, pins):
                document.relate(own, "STATIC_LINK", add_pin(document, pin))
        if name.endswith(".a"):
            continue
        document.relate(own, "STATIC_LINK", document.add("swift-runtime", runtime, None, RUNTIME_LICENSE))
        for library in libraries.needed(data):
            if not (owner := installed.owner(library)):
                raise SystemExit(f"no package of the release has {library}, which {name} needs")
            document.relate(own, "DYNAMIC_LINK", add_debian(document, *owner, installed))
        for library in libraries.loaded(data):
            if owner := installed.owner(library):
                document.relate(add_debian(document, *owner, installed), "OPTIONAL_DEPENDENCY_OF", own)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path, help="the folder of the packages")
    parser.add_argument("programs", type=Path, help="the folder that the programs were linked in")
    parser.add_argument("folder", type=Path, help="where the file is written")
    parser.add_argument("--swift", required=True, help="the version of Swift whose runtime is linked")
    parser.add_argument("--sysroot", type=Path, default=Path("/"), help="where the libraries of the release are")
    arguments = parser.parse_args()
    packages = [path for path in sorted(arguments.packages.glob("*.deb")) if "-dbgsym_" not in path.name]
    fields = libraries.fields(next(path for path in packages if path.name.startswith("locationd_")))
    name = f"locationd-{fields['Version']}-{fields['Architecture']}"
    installed = libraries.Installed(arguments.sysroot / "var/lib/dpkg", fields["Architecture"])
    document, pins = Document(), commit.pins()
    for package in packages:
        describe(document, package, arguments.programs, installed, pins, arguments.swift.split()[-1])
    arguments.folder.mkdir(parents=True, exist_ok=True)
    path = arguments.folder / f"{name}.spdx.json"
    path.write_text(document.text(name))
    print(f"{path}: {len(document.packages)} packages")


if __name__ == "__main__":
    main()
