import AuthorizationPolicy
import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// `locationctl manifest from-plist`, up to the prompt that the user sees.
@Suite(.timeLimit(.minutes(15))) struct LocationctlManifestTests {
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>CFBundleName</key><string>Tests</string>
        <key>CFBundleIdentifier</key><string>com.example.Tests</string>
        <key>CFBundleDevelopmentRegion</key><string>en</string>
        <key>NSLocationWhenInUseUsageDescription</key><string>Shows &quot;you&quot; &amp; me.</string>
        </dict></plist>
        """
    private static let advice = """
        UIBackgroundModes does not contain "location": with background = false, the app's streams are suspended while \
        it is in the background.
        Install it as app:com.example.Tests.toml in /usr/share/locationd/apps (a package's) or /etc/locationd/apps \
        (yours); SIGHUP makes the daemon read it.
        If locationd knows the app by another identity, use that instead, as locationctl apps shows it: \
        flatpak:ID.toml, app:ID.toml, exe:usr-bin-foo.toml.

        """

    private func run(_ arguments: String...) async throws -> Program.Result {
        try await Program.run(Program.path("locationctl"), ["manifest", "from-plist"] + arguments)
    }

    /// Returns a folder with an Info.plist.
    private func folder(_ text: String = list) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.path + "/Info.plist", atomically: false, encoding: .utf8)
        return folder
    }

    private func addGerman(_ text: String, to folder: TemporaryFolder) throws {
        for name in ["de.lproj", "Base.lproj", "English.lproj"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
            try text.write(toFile: "\(folder.path)/\(name)/InfoPlist.strings", atomically: false, encoding: .utf16)
        }
    }

    @Test func whatIsPrinted() async throws {
        let folder = try folder()
        let result = try await run(folder.path + "/Info.plist")
        #expect(result.status == 0)
        #expect(
            result.output == """
                display-name = "Tests"
                when-in-use = "Shows \\"you\\" & me."
                background = false

                """)
        #expect(result.errors == Self.advice)
    }

    @Test func mistakes() async throws {
        let folder = try folder(Self.list.replacing("Shows &quot;you&quot; &amp; me.", with: ""))
        let file = folder.path + "/Info.plist"
        let output = folder.path + "/out.toml"
        let empty = try await run(file, "--output", output)
        #expect(empty.status == 1)
        #expect(empty.errors == "locationctl: \(file): NSLocationWhenInUseUsageDescription: the text is empty\n")
        #expect(!FileManager.default.fileExists(atPath: output))

        try Self.list.replacing("</dict>", with: "<key>UIBackgroundModes</key><true/></dict>")
            .write(toFile: file, atomically: false, encoding: .utf8)
        let type = try await run(file)
        #expect(type.status == 1)
        #expect(type.errors.hasPrefix("locationctl: \(file): UIBackgroundModes: "), "\(type.errors)")
        #expect(type.output.isEmpty)

        for purposes in [["a\u{1B}[2J": "b"], ["a\u{1B}[2J": 1]] as [[String: Any]] {
            let key = "NSLocationTemporaryUsageDescriptionDictionary"
            try PropertyListSerialization.data(fromPropertyList: [key: purposes], format: .binary, options: 0)
                .write(to: URL(filePath: file))
            let result = try await run(file)
            #expect(result.status == 1)
            #expect(result.errors.contains("\(key).a\u{FFFD}[2J: "), "what a terminal would obey is not told as it is")
        }

        try Self.list.write(toFile: file, atomically: false, encoding: .utf8)
        for place in ["/nonexistent/out.toml", folder.path, "/dev/null"] {
            let result = try await run(file, "--output", place)
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("locationctl: cannot write \(place): "), "\(result.errors)")
        }
        try addGerman("NSLocationWhenInUseUsageDescription = ", to: folder)
        let strings = try await run(file)
        #expect(strings.status == 1)
        #expect(strings.errors.contains("/de.lproj/InfoPlist.strings: is not a property list: "), "\(strings.errors)")

        #expect(try await run("/nonexistent/Info.plist").status == 1)
        #expect(try await run().status == 2)
        #expect(try await run(file, "--format", "json").status == 2)
    }

    @Test func thePromptShowsItsText() async throws {
        let folder = try folder()
        try addGerman("\"NSLocationWhenInUseUsageDescription\" = \"Zeigt „dich“.\";\n", to: folder)
        let apps = folder.path + "/apps"
        try FileManager.default.createDirectory(atPath: apps, withIntermediateDirectories: false)
        for path in [folder.path, apps] { chmod(path, 0o755) }
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let app = try #require(AppIdentity(kind: .exe, name: executable))
        let written = try await run(
            folder.path + "/Info.plist", "--output", "\(apps)/\(ManifestName.file(of: app))")
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: apps) == [ManifestName.file(of: app)])

        let daemon = try await TestDaemon(receivers: [], folder: folder)
        try #require(try await daemon.ownApp() == app.description)
        let client = try await daemon.connect(to: LocationInterface.self)
        func request(_ level: RequestedLevel) async throws -> Authorization {
            try await client.call(
                RequestAuthorization.qualifiedName, RequestAuthorization.Parameters(level: level, reason: "own words"),
                returning: GetAuthorization.Reply.self
            ).authorization
        }
        // The manifest has no text for this level, and the app's reason does not replace it.
        await #expect(throws: VarlinkError("io.locationd.Location.UsageDescriptionMissing")) {
            try await request(.always)
        }
        async let answered = request(.whenInUse)
        var prompt: Prompt?
        try await eventually("the prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init(languages: ["fr", "de_AT.UTF-8"])).prompts.first
            return prompt != nil
        }
        let question = try #require(prompt)
        #expect(question.description == "Zeigt „dich“.")
        #expect(question.displayName == "Tests")
        #expect(!question.ownWords)
        let english = try await daemon.call(MonitorPrompts.self, .init(languages: ["en_US", "de"])).prompts.first
        #expect(english?.description == "Shows \"you\" & me.")
        _ = try await daemon.call(AnswerPrompt.self, .init(id: question.id, answer: .whileUsing))
        #expect(try await answered.status == .authorizedWhenInUse)
    }
}
