import Foundation
import TestSupport
import Testing

/// The files that the documents name are where the packages put them.
@Suite(.timeLimit(.minutes(15))) struct DocumentedPathsTests {
    private static let documents =
        try! ["README.md", "SECURITY.md"] + Project.files(below: "docs").filter { $0.hasSuffix(".md") }
        + Project.files(below: "man")

    /// Everything that the packages install, as absolute paths, folders included.
    ///
    /// `debian/rules` says which targets of the Makefile a package consists of, and with which variables. Only what
    /// they build is replaced: by empty files.
    private static let installed = Task {
        let folder = try TemporaryFolder()
        try makeBuilt(in: folder)
        let rules = try Project.text("debian/rules").replacing("\\\n", with: " ")
        for rule in rules.matches(of: /"\$\(SOURCE\)" (install\S*) +(.*)/) {
            let variables = rule.2.split(separator: " ").filter { !$0.hasPrefix("DESTDIR=") && !$0.contains("$(shell") }
                .filter { $0.contains("=/") && !$0.contains(")") }
            let result = try await Program.run(
                "/usr/bin/make",
                [
                    "--silent", "-C", Project.folder, "-o", "programs", "-o", "sdk", String(rule.1),
                    "DESTDIR=\(folder.path)/root", "STATIC_BIN=\(folder.path)/bin",
                    "GENERATED=\(folder.path)/generated",
                    "SDK=\(folder.path)/sdk",
                ] + variables.map(String.init))
            try #require(result.status == 0, "\(rule.1): \(result.errors)")
        }
        return Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/root").map { "/" + $0 })
    }

    private static func makeBuilt(in folder: TemporaryFolder) throws {
        for subfolder in ["bin", "generated", "sdk/CoreLocation"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + subfolder, withIntermediateDirectories: true)
        }
        for program in [
            "locationd", "locationctl", "locationd-peers", "locationd-publish", "locationd-nmea", "locationd-ntrip",
        ] {
            try folder.write("", to: "bin/" + program)
        }
        try folder.write("", to: "generated/io.locationd.Location.7")
        for program in ["locationd", "locationctl", "locationd-publish", "locationd-nmea", "locationd-ntrip"] {
            for shell in ["bash", "zsh", "fish"] { try folder.write("", to: "generated/\(program).\(shell)") }
        }
    }

    /// The project's own files below /usr, /lib and /etc/locationd, as the documents name them. Other files below
    /// /etc/locationd are the administrator's.
    @Test(arguments: documents) func theNamedFilesAreInstalled(document: String) async throws {
        let installed = try await Self.installed.value
        try #require(installed.contains("/usr/sbin/locationd") && installed.contains("/usr/bin/locationctl"))
        let text = try Project.text(document)
        for match in text.matches(of: /(?:^|[^A-Za-z0-9_.~)*])(\/(?:usr|lib)\/[A-Za-z0-9_.\/@:*-]+)/) {
            let path = String(match.1).replacing(/[.:\/]+$/, with: "")
            guard path.contains(/locationd|locationctl|corelocation|GeoClue2/) else { continue }
            let isPattern = path.contains("*") || path.contains(/\/[A-Z]+\.[a-z]+$/)
            let expected = isPattern ? String(path.prefix(upTo: path.lastIndex(of: "/")!)) : path
            #expect(installed.contains(expected), "\(path) is not installed")
        }
    }

    /// A page or a document that another one refers to is installed too.
    @Test func thePagesOfTheManualAreInstalled() async throws {
        let installed = try await Self.installed.value
        for page in try Project.files(below: "man") {
            let name = page.dropFirst("man/".count)
            #expect(installed.contains("/usr/share/man/man\(name.last!)/\(name)"))
        }
    }
}
