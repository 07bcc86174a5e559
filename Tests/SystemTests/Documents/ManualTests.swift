import AuthorizationPolicy
import Foundation
import LocationModel
import TestSupport
import Testing

@testable import LocationNMEACommand
@testable import LocationNTRIPCommand
@testable import LocationPublishCommand
@testable import LocationdCommand

/// The manual pages agree with the programs.
@Suite(.timeLimit(.minutes(15))) struct ManualTests {
    private static let hasMandoc = FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc")

    private func lint(_ file: String) async throws {
        let result = try await Program.run("/usr/bin/mandoc", ["-Tlint", "-Wwarning", file])
        #expect(result.status == 0)
        #expect(result.output.isEmpty, "\(result.output)")
    }

    @Test(.enabled(if: hasMandoc, "mandoc is not installed"))
    func mandocFindsNothingWrongAndRendersEverything() async throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: Project.folder + "/man")
        #expect(
            pages.sorted() == [
                "locationctl.1", "locationd-geoclue.7", "locationd-gpsd.7", "locationd-nmea.8",
                "locationd-ntrip.8", "locationd-publish.8", "locationd.8", "locationd.toml.5",
            ])
        for page in pages {
            try await lint(Project.folder + "/man/" + page)
            try await expectAllTextIsRendered(Project.folder + "/man/" + page)
        }
    }

    /// Every word on a line of a macro, such as a heading, is in the page that a reader sees. A word that is the name
    /// of a macro is missing there: "No" of ".It No decision yet".
    private func expectAllTextIsRendered(_ file: String) async throws {
        let page = try await Program.run("/usr/bin/mandoc", ["-Tutf8", "-Owidth=400", file])
        // Bold and underlined letters are overstruck.
        let rendered = page.output.replacing(/.\x08/, with: "").filter { $0.isLetter || $0.isNumber }
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
            let text = ManualSource.text(ofMacros: line)
            #expect(text.isEmpty || rendered.contains(text), "\(line) is not rendered")
        }
    }

    /// The page has exactly the subcommands and options of locationctl, each option at its subcommand.
    @Test func locationctlsPageHasItsSubcommandsAndOptions() async throws {
        let entries = try ManualSource(page: "locationctl.1").entries
        let commands = try await CommandTree.of("locationctl").all
        let general: Set = ["-runtime-directory", "-version", "-help", "h"]
        #expect(entries[""]!.options.isSuperset(of: general))
        // `region` alone is not a command, but lists its subcommands.
        let expected = Set(commands.filter { ($0.value.subcommands ?? []).isEmpty }.keys)
        #expect(Set(entries.keys).subtracting([""]) == expected)
        for (words, entry) in entries where !words.isEmpty {
            let arguments = (commands[words]?.arguments ?? []).filter(\.shouldDisplay)
            let options = Set(arguments.flatMap { $0.names ?? [] }.map(\.inManual))
            #expect(entry.options.subtracting(general) == options.subtracting(general), "\(words)")
            for argument in arguments where argument.kind != "flag" && argument.valueName != "dir" {
                #expect(entry.values.contains(argument.valueName ?? ""), "\(words): \(argument.valueName ?? "")")
            }
        }
    }

    @Test(arguments: ["locationd", "locationd-publish"])
    func aDaemonsPageHasItsOptions(_ program: String) async throws {
        let entry = try #require(try ManualSource(page: program + ".8").entries[""])
        let arguments = try await CommandTree.of(program).arguments ?? []
        #expect(entry.options == Set(arguments.flatMap { $0.names ?? [] }.map(\.inManual)))
        for argument in arguments where argument.kind == "option" {
            #expect(entry.values.contains(argument.valueName ?? ""), "\(argument.valueName ?? "")")
        }
    }

    @Test func thePageOfTheRelayHasItsOptionsAndKeys() async throws {
        let page = try ManualSource(page: "locationd-nmea.8")
        let arguments = try await CommandTree.of("locationd-nmea").all.filter { $0.key != "help" }.values
            .flatMap { $0.arguments ?? [] }
        let options = Set(arguments.filter(\.shouldDisplay).flatMap { $0.names ?? [] }.map(\.inManual))
        #expect(page.entries[""]?.options == options)
        #expect(page.variables(section: "KEYS TO RECEIVE") == Set(ReceiveFile.keys))
        #expect(page.variables(section: "KEYS TO SERVE") == Set(ServeFile.keys))
    }

    @Test func theConfigurationsPageHasItsKeys() throws {
        let page = try ManualSource(page: "locationd.toml.5")
        #expect(page.variables(section: "KEYS") == Set(LocationdCommand.Configuration.allowedKeys))
    }

    @Test func thePageOfCorrectionsHasItsOptionsAndKeys() async throws {
        let page = try ManualSource(page: "locationd-ntrip.8")
        let arguments = try await CommandTree.of("locationd-ntrip").all.filter { $0.key != "help" }.values
            .flatMap { $0.arguments ?? [] }
        let options = Set(arguments.filter(\.shouldDisplay).flatMap { $0.names ?? [] }.map(\.inManual))
        #expect(page.entries[""]?.options == options)
        #expect(page.variables(section: "KEYS") == Set(NTRIPFile.keys))
    }

    @Test func thePublishersPageHasItsKeys() throws {
        let page = try ManualSource(page: "locationd-publish.8")
        #expect(page.variables(section: "KEYS") == Set(PublisherFile.keys))
    }

    /// The decoder lists the allowed keys when it finds another one.
    @Test func theConfigurationsPageHasTheKeysOfManifests() throws {
        let page = try ManualSource(page: "locationd.toml.5")
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(AppManifest.self, from: Data(#"{"colour": "red"}"#.utf8))
        }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        let keys = try #require(context.debugDescription.split(separator: "allowed are ").last)
        #expect(
            page.variables(section: "APP MANIFESTS")
                == Set(keys.split(separator: ", ").map(String.init)))
    }

    @Test(.enabled(if: hasMandoc, "mandoc is not installed"))
    func theInterfacesPageIsMadeOfItsDefinition() async throws {
        let definition = Project.folder + "/Sources/Location/LocationProtocol/io.locationd.Location.varlink"
        let page = try await Program.run(
            Program.path("interface-manual"), ["--date", "November 21, 2026", definition])
        #expect(page.status == 0)
        let members = try String(contentsOfFile: definition, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }
            .filter { ["method", "type", "error"].contains($0.first ?? "") }
            .map { ".Ss " + $0[1].prefix { $0 != "(" } }
        #expect(Set(page.lines.filter { $0.hasPrefix(".Ss") }) == Set(members))
        let folder = try TemporaryFolder()
        try page.output.write(toFile: folder.path + "/page.7", atomically: true, encoding: .utf8)
        try await lint(folder.path + "/page.7")
        try await expectAllTextIsRendered(folder.path + "/page.7")
    }
}
