import Foundation
import TestSupport

/// A program's own description of its arguments, from `--experimental-dump-help`.
struct CommandTree: Decodable, Sendable {
    /// A command with its subcommands.
    struct Command: Decodable, Sendable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// The command, under ``""``, and all commands below it, by their words such as `region add`.
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
    struct Argument: Decodable, Sendable {
        let kind: String
        let shouldDisplay: Bool
        let names: [Name]?
        let valueName: String?
    }

    /// A spelling of an option.
    struct Name: Decodable, Sendable {
        let kind: String
        let name: String

        /// The spelling in mdoc(7) after `Fl`.
        var inManual: String { kind == "long" ? "-\(name)" : name }
    }

    let command: Command

    /// Returns the command tree of a program that was built with the tests.
    static func of(_ program: String) async throws -> Command {
        let dump = try await Program.run(Program.path(program), ["--experimental-dump-help"])
        return try JSONDecoder().decode(CommandTree.self, from: Data(dump.output.utf8)).command
    }
}
