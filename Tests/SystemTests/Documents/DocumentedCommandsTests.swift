import Foundation
import TestSupport
import Testing

/// The commands in the documents exist, with the options that they are shown with.
@Suite(.timeLimit(.minutes(15))) struct DocumentedCommandsTests {
    private static let documents =
        try! ["README.md", "CONTRIBUTING.md", "SECURITY.md", "NEWS.md"]
        + Project.files(below: "docs").filter { $0.hasSuffix(".md") } + Project.files(below: "man")

    /// The commands of a document: lines of a block, after a prompt in a manual page, or text in backquotes.
    private static func commands(in document: String) throws -> [[String]] {
        let text = try Project.text(document)
        var lines = text.matches(of: /(?m)^(?: {4,}|[#$] )(.*)$/).map { String($0.1) }
        lines += text.matches(of: /`([^`\n]+)`/).map { String($0.1) }
        // The rest is another command, a comment, or where the output goes.
        return lines.map { line in
            line.split(separator: " ").map(String.init).prefix { !$0.contains(/^[#|&>;]/) }.map { $0 }
        }
    }

    @Test(arguments: documents) func theProgramsHaveTheOptions(document: String) async throws {
        for words in try Self.commands(in: document) {
            guard let start = words.firstIndex(where: { $0.hasPrefix("locationctl") || $0.hasPrefix("locationd") }),
                Self.programs.contains(words[start]), words[..<start].allSatisfy({ $0 == "sudo" })
            else { continue }
            try await expectOptions(words[start], Array(words[(start + 1)...]), in: document)
        }
    }

    private static let programs = [
        "locationctl", "locationd", "locationd-nmea", "locationd-ntrip", "locationd-publish",
    ]

    /// The commands of each program, by their words.
    private static let commands = Task {
        var commands: [String: [String: CommandTree.Command]] = [:]
        for program in programs { commands[program] = try await CommandTree.of(program).all }
        return commands
    }

    private func expectOptions(_ program: String, _ words: [String], in document: String) async throws {
        let all = try await Self.commands.value[program] ?? [:]
        let name = (1...2).map { words.prefix($0).joined(separator: " ") }.last { all[$0] != nil } ?? ""
        var options: Set = ["--help", "--version", "--runtime-directory"]
        // The options of a default subcommand need not name it.
        let commands = name.isEmpty ? Array(all.values) : [all[name]].compactMap(\.self)
        for argument in commands.flatMap({ $0.arguments ?? [] }) {
            options.formUnion((argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name })
        }
        for word in words where word.hasPrefix("--") {
            let option = String(word.prefix { $0.isLetter || $0 == "-" })
            #expect(options.contains(option), "\(document): \(program) \(words.joined(separator: " "))")
        }
    }

    @Test(arguments: documents) func theTargetsOfMakeExist(document: String) throws {
        let rules = try (["Makefile"] + Project.files(below: "make").filter { $0.hasSuffix(".mk") })
            .map(Project.text).joined(separator: "\n")
        let targets = Set(rules.matches(of: /(?m)^([a-z][a-z0-9-]*):/).map { String($0.1) })
        for words in try Self.commands(in: document) where words.first == "make" {
            for word in words.dropFirst() where word.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil {
                #expect(targets.contains(word), "\(document): \(words.joined(separator: " "))")
            }
        }
    }
}
