import Foundation
import TestSupport
import Testing

/// The programs in packaging/ that a release is made with.
@Suite(.timeLimit(.minutes(15))) struct PackagingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a package in a folder of its own, with one file.
    private func makePackage(in name: String, contents: String, time: Int = 1_700_000_000) async throws {
        let tree = "\(folder.path)/\(name).tree"
        for part in ["DEBIAN", "usr"] {
            try FileManager.default.createDirectory(atPath: "\(tree)/\(part)", withIntermediateDirectories: true)
        }
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        try folder.write(
            "Package: sample\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: sample\n",
            to: "\(name).tree/DEBIAN/control")
        try folder.write(contents, to: "\(name).tree/usr/sample")
        let result = try await Program.run(
            "/usr/bin/dpkg-deb",
            ["--root-owner-group", "--build", tree, "\(folder.path)/\(name)/sample_1_all.deb"],
            environment: ["SOURCE_DATE_EPOCH": String(time)])
        try #require(result.status == 0, "\(result.errors)")
    }

    private func compare(_ one: String, _ other: String) async throws -> Program.Result {
        try await Program.run(
            "/usr/bin/python3",
            ["-B", "\(Project.folder)/packaging/compare.py", "\(folder.path)/\(one)", "\(folder.path)/\(other)"])
    }

    @Test func theSamePackagesDoNotDiffer() async throws {
        try await makePackage(in: "one", contents: "text")
        try await makePackage(in: "other", contents: "text")
        let result = try await compare("one", "other")
        #expect(result.status == 0)
        #expect(result.lines == ["1 packages, 0 differ"])
    }

    @Test func aFileWithOtherContentsIsNamed() async throws {
        try await makePackage(in: "one", contents: "text")
        try await makePackage(in: "other", contents: "tent")
        let result = try await compare("one", "other")
        #expect(result.status == 1)
        #expect(result.lines.contains("    ./usr/sample: contents from byte 2 on, of 4 and 4"))
    }

    @Test func aFileOfAnotherTimeIsNamed() async throws {
        try await makePackage(in: "one", contents: "text")
        try await makePackage(in: "other", contents: "text", time: 1_700_000_001)
        let result = try await compare("one", "other")
        #expect(result.status == 1)
        #expect(result.lines.contains("    ./usr/sample: time 1700000000, 1700000001"))
    }

    /// Dependencies in a manifest, and what the tarball's manifest has in their place if it is not the same.
    private static let dependencies: [(manifest: String, expected: String?)] = [
        (#".package(url: "https://example.org/nio", from: "2.101.2"),"#, #".package(path: "../nio"),"#),
        (#".package(url: "https://example.org/nio.git", .upToNextMinor(from: "1.0.0"))"#, #".package(path: "../nio")"#),
        (#".package(name: "NIO", url: "https://example.org/nio", exact: "1.0.0")"#, #".package(path: "../nio")"#),
        (#".package(url: "https://example.org/other", from: "1.0.0")"#, nil),
        (#".package(path: "../nio")"#, nil),
    ]

    @Test(arguments: dependencies) func aManifestNamesItsPackagesByTheirFolders(
        manifest: String, expected: String?
    ) async throws {
        let script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            import sources
            sys.stdout.buffer.write(sources.with_folders(sys.argv[2].encode(), "..", {"nio": None}))
            """
        let result = try await Program.run(
            "/usr/bin/python3", ["-B", "-c", script, Project.folder + "/packaging", manifest])
        let text = expected ?? manifest
        #expect(result.output == text, "\(result.errors)")
    }
}
