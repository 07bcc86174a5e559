import Foundation
import TestSupport

extension RunningProgram {
    /// Starts `locationctl agent` with lines of input, and its output in a file.
    static func agent(
        _ runtime: String, input: ProgramPipe, _ environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            Program.path("locationctl"), ["agent", "--runtime-directory", runtime], environment: environment,
            input: input.readEnd.fileDescriptor)
    }

    /// Starts `locationctl agent` in a terminal.
    static func agent(
        _ runtime: String, terminal: PseudoTerminal, _ environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            Program.path("locationctl"), ["agent", "--runtime-directory", runtime], environment: environment,
            input: terminal.slave, output: terminal.slave)
    }
}
