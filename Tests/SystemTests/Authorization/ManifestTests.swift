import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The manifests of apps, in files beside the configuration.
@Suite(.timeLimit(.minutes(15))) struct ManifestTests {
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

        let mistakes: [(String, mode_t, String)] = [
            ("display-name = \"Foo\"\nwhen-in-us = \"x\"\n", 0o644, ":2: when-in-us: unknown key"),
            (
                "always = {default = \"x\", de = 1}\n", 0o644,
                ":1: always.de: the key de is missing, or its value has the wrong type"
            ),
            ("display-name = \n", 0o644, ":1: column"),
            ("display-name = \"Foo\"\ndefault-accuracy = \"some\"\n", 0o644, ":2: default-accuracy: must be \"full\""),
            ("display-name = \"Foo\"\n", 0o666, ": users other than its owner may write to it"),
        ]
        for (number, (text, mode, explanation)) in mistakes.enumerated() {
            // Another name each time: once it is there, the daemon has read the file for this signal, and will not read
            // it while it is being rewritten.
            try write("display-name = \"Bar \(number)\"\n")
            daemon.program.signal(SIGHUP)
            try await eventually("the name before it") { try await name() == "Bar \(number)" }
            try write(text, mode: mode)
            daemon.program.signal(SIGHUP)
            try await eventually("the name to be gone") { try await name() == nil }
            try await daemon.waitForLog("\(file)\(explanation)")
        }
    }

    /// Returns the file name of this test's own manifest.
    static func ownManifest() throws -> String {
        manifest(of: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    }

    /// Returns the file name of the manifest of a program, escaped as by systemd-escape(1).
    static func manifest(of executable: String) -> String {
        let escaped = executable.dropFirst().utf8.map { byte -> String in
            let character = Character(UnicodeScalar(byte))
            if byte == UInt8(ascii: "/") { return "-" }
            let isKept = character.isASCII && (character.isLetter || character.isNumber || ":_.".contains(character))
            return isKept ? String(character) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "exe:\(escaped.joined()).toml"
    }

    /// A grant without an accuracy uses the default of the app's manifest, as the answer to a prompt does.
    @Test(arguments: [
        ("default-accuracy = \"reduced\"\n", AccuracyAuthorization?.none, AccuracyAuthorization.reduced),
        ("default-accuracy = \"reduced\"\n", .full, .full), ("", nil, .full), ("", .reduced, .reduced),
    ])
    func aGrantWithoutAnAccuracyTakesTheManifests(
        line: String, named: AccuracyAuthorization?, granted: AccuracyAuthorization
    ) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/apps", withIntermediateDirectories: false)
        for path in [folder.path, folder.path + "/apps"] { chmod(path, 0o755) }
        let manifest = folder.path + "/apps/" + (try Self.ownManifest())
        try "display-name = \"Tests\"\n\(line)".write(toFile: manifest, atomically: false, encoding: .utf8)
        chmod(manifest, 0o644)
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        let app = try await daemon.ownApp()
        try #require(app.hasPrefix("exe:"))
        let reply = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse, accuracy: named))
        #expect(reply.app.accuracy == granted)
        #expect(try await daemon.call(GetAuthorization.self, Nothing()).authorization.accuracy == granted)
    }

    @Test func fullAccuracyForAPurposeOfTheManifestAndWhatIsRestricted() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/apps", withIntermediateDirectories: false)
        for path in [folder.path, folder.path + "/apps"] { chmod(path, 0o755) }
        let manifest = folder.path + "/apps/" + (try Self.ownManifest())
        try "display-name = \"Tests\"\n[temporary-full-accuracy]\nturns = \"Tells where to turn.\"\n"
            .write(toFile: manifest, atomically: false, encoding: .utf8)
        chmod(manifest, 0o644)
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        let app = try await daemon.ownApp()
        try #require(app.hasPrefix("exe:"))
        _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse, accuracy: .reduced))

        let client = try await daemon.connect(to: LocationInterface.self)
        func request(_ key: String) async throws -> Authorization {
            try await client.call(
                RequestTemporaryFullAccuracy.qualifiedName, RequestTemporaryFullAccuracy.Parameters(purposeKey: key),
                returning: GetAuthorization.Reply.self
            ).authorization
        }
        let declined = VarlinkError("io.locationd.Location.PromptDeclined")
        await #expect(throws: declined) { try await request("other") }
        async let answered = request("turns")
        var prompt: Prompt?
        try await eventually("the prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init()).prompts.first
            return prompt != nil
        }
        let question = try #require(prompt)
        #expect(question.question == .temporaryFullAccuracy)
        #expect(question.description == "Tells where to turn.")
        #expect(!question.ownWords)
        #expect(question.displayName == "Tests")
        _ = try await daemon.call(AnswerPrompt.self, .init(id: question.id, answer: .once))
        #expect(try await answered.accuracy == .full)
        // The accuracy is already full, so there is no prompt.
        await #expect(throws: declined) { try await request("turns") }

        // A restriction by the administrator ends an existing grant, and prevents another one.
        try "[[restricted]]\napp = \"\(app)\"\n"
            .write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        try await eventually("the restriction") {
            try await daemon.call(GetAuthorization.self, Nothing()).authorization.status == .restricted
        }
        await #expect(throws: VarlinkError("io.locationd.Manage.Restricted", parameters: ["app": .string(app)])) {
            try await daemon.call(Grant.self, .init(app: app, level: .always))
        }
    }
}
