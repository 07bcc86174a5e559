import Authorization
import Foundation
import LocationProtocol
import Testing

/// What apps say about themselves, in files beside the configuration.
@Suite(.timeLimit(.minutes(3))) struct ManifestTests {
    @Test func manifestsAreReadAtTheStartAndAgain() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/apps/exe:usr-bin-foo.toml"
        try FileManager.default.createDirectory(atPath: folder.path + "/apps", withIntermediateDirectories: false)
        for path in [folder.path, folder.path + "/apps"] { chmod(path, 0o755) }
        func write(_ text: String, mode: mode_t = 0o644) throws {
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            chmod(file, mode)
        }
        try write("display-name = \"Foo\"\n[when-in-use]\ndefault = \"Shows foos.\"\nde = \"Zeigt Foos.\"\n")
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        _ = try await daemon.call(Grant.self, .init(app: "exe:/usr/bin/foo", level: .whenInUse))
        func name() async throws -> String? {
            try await daemon.call(ListApps.self, UserScope()).apps.first?.displayName
        }
        #expect(try await name() == "Foo")

        try write("display-name = \"Bar\"\n")
        daemon.program.signal(SIGHUP)
        try await eventually("the other name") { try await name() == "Bar" }

        for (text, mode, explanation) in [
            ("display-name = \"Foo\"\nwhen-in-us = \"x\"\n", 0o644 as mode_t, ":2: when-in-us: unknown key"),
            (
                "always = {default = \"x\", de = 1}\n", 0o644,
                ":1: always.de: the key de is missing, or its value is of another type"
            ),
            ("display-name = \n", 0o644, ":1: column"),
            ("display-name = \"Foo\"\ndefault-accuracy = \"some\"\n", 0o644, ":2: default-accuracy: \"full\""),
            ("display-name = \"Foo\"\n", 0o666, ": others than its owner may write to it"),
        ] {
            try write("display-name = \"Bar\"\n")
            daemon.program.signal(SIGHUP)
            try await eventually("the name before it") { try await name() == "Bar" }
            try write(text, mode: mode)
            daemon.program.signal(SIGHUP)
            try await eventually("the name to be gone") { try await name() == nil }
            #expect(daemon.log.contains("\(file)\(explanation)"), "\(daemon.log)")
        }
    }
}
