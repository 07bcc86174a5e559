"""A Swift SDK: says to the package manager where the libraries of another system are, and how to link with them."""

import json

from folders import whole


def make(folder, name, triple, sysroot, resources):
    """Makes the artifact bundle of the SDK `name` in `folder`, if it is not there.

    `resources` is the folder above `swift` and `swift_static`: Swift's own libraries for that system. The triple is
    the compiler's name for it. The SDK is for hosts of every triple: Debian's compiler calls its host otherwise than
    Swift's own.
    """
    multiarch = triple.replace("-unknown-", "-")
    headers = ["-isystem", f"{sysroot}/usr/include/{multiarch}"]
    gcc = f"--gcc-toolchain={sysroot}/usr"
    files = {
        "info.json": {
            "schemaVersion": "1.0",
            "artifacts": {
                name: {"type": "swiftSDK", "version": "1", "variants": [{"path": name}]},
            },
        },
        f"{name}/swift-sdk.json": {
            "schemaVersion": "4.0",
            "targetTriples": {
                triple: {
                    "sdkRootPath": str(sysroot),
                    "swiftResourcesPath": f"{resources}/swift",
                    "swiftStaticResourcesPath": f"{resources}/swift_static",
                    "toolsetPaths": ["toolset.json"],
                },
            },
        },
        f"{name}/toolset.json": {
            "schemaVersion": "1.0",
            "swiftCompiler": {
                "extraCLIOptions": [
                    "-use-ld=lld", *(part for header in headers for part in ["-Xcc", header]),
                    "-Xclang-linker", gcc,
                ],
            },
            "cCompiler": {"extraCLIOptions": [*headers, gcc]},
            "cxxCompiler": {"extraCLIOptions": [*headers, gcc]},
        },
    }
    texts = {path: json.dumps(content, indent=2) + "\n" for path, content in files.items()}
    with whole(folder / f"{name}.artifactbundle", repr(sorted(texts.items()))) as new:
        if new is None:
            return
        (new / name).mkdir()
        for path, text in texts.items():
            (new / path).write_text(text)
