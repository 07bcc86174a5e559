import Foundation
import TestSupport
import Testing

/// A locationctl that is installed with catalogues, and a locale of German.
struct LanguageInstallation {
    /// A Boolean value indicating whether the machine has the tools for catalogues and locales.
    static var isPossible: Bool {
        access("/usr/share/i18n/locales/de_DE", R_OK) == 0 && access("/usr/bin/msgfmt", X_OK) == 0
    }

    private let folder: TemporaryFolder
    let program: String
    /// The variables of a session in German.
    var environment: [String: String] {
        [
            "LOCPATH": folder.path + "/locales", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "", "LC_MESSAGES": "",
            "TERM": "xterm",
        ]
    }

    init(_ catalogues: [(language: String, file: String)]) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        program = folder.path + "/bin/locationctl"
        for subfolder in ["bin", "locales"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(subfolder)", withIntermediateDirectories: true)
        }
        try await Program.copy(Program.path("locationctl"), to: program)
        for (language, file) in catalogues {
            let messages = "\(folder.path)/share/locale/\(language)/LC_MESSAGES"
            try FileManager.default.createDirectory(atPath: messages, withIntermediateDirectories: true)
            let made = try await Program.run(
                "/usr/bin/msgfmt", ["--output-file=\(messages)/locationctl.mo", file])
            try #require(made.status == 0, "\(made.errors)")
        }
        // Its status is 1 if it has warnings.
        let made = try await Program.run(
            "/usr/bin/localedef", ["-i", "de_DE", "-f", "UTF-8", folder.path + "/locales/de_DE.UTF-8"])
        try #require(made.status <= 1, "\(made.errors)")
    }

    /// An installation with translations of the project.
    init(languages: String...) async throws {
        try await self.init(languages.map { ($0, "\(Project.folder)/data/po/\($0).po") })
    }

    func agent(
        _ runtime: String, _ options: String..., on bus: PrivateBus, language: String = ""
    ) throws -> RunningProgram {
        let session = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "LANGUAGE": language]
        return try RunningProgram(
            program, ["agent", "--notify", "--runtime-directory", runtime] + options,
            environment: environment.merging(session) { $1 })
    }
}
