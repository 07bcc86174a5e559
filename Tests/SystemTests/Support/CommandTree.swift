import Foundation
import TestSupport

/// What a program's own description of its arguments says, `--experimental-dump-help`.
struct CommandTree: Decodable {
    /// A command with its subcommands.
    struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// Every command in it, by its words: `region add`. This one is under ``""``.
        var all: [String: Command] {
            var all = ["": self]
            for subcommand in subcommands ?? [] {
                for (words, command) in subcommand.all {
                    all[words.isEmpty ? subcommand.commandName : "\(subcommand.commandName) \(words)"] = command
                }
            }
            return all
        }
    }

    /// An option, a flag or a positional argument.
    struct Argument: Decodable {
        let kind: String
        let shouldDisplay: Bool
        let names: [Name]?
        let valueName: String?
    }

    /// A spelling of an option.
    struct Name: Decodable {
        let kind: String
        let name: String

        /// As mdoc(7) has it after `Fl`.
        var inManual: String { kind == "long" ? "-\(name)" : name }
    }

    let command: Command

    /// Asks a program that was built with the tests.
    static func of(_ program: String) async throws -> Command {
        let dump = try await Program.run(Program.path(program), ["--experimental-dump-help"])
        return try JSONDecoder().decode(CommandTree.self, from: Data(dump.output.utf8)).command
    }
}
