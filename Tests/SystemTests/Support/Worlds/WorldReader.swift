import Foundation
import TestSupport

/// A program of some user that reads all that it can, when it is told to: `reader.py`.
final class WorldReader {
    struct Calls: Encodable {
        let path: String
        let lines: [String]

        init(_ path: String, _ lines: [String]) {
            self.path = path
            self.lines = lines
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(path)
            try container.encode(lines)
        }
    }

    /// The bus of a daemon that has GeoClue's name, and the folder of the Python modules that talk to a bus.
    struct GeoClue: Encodable {
        let address: String
        let modules: String
    }

    struct Plan: Encodable {
        var calls: [Calls] = []
        /// Pairs of a socket's path and a call.
        var streams: [[String]] = []
        /// A Boolean value indicating whether each stream replies at once. The first replies are not shown.
        var awaitsStreams = false
        var gpsd: String?
        var geoclue: GeoClue?
        /// Pairs of a pattern and what replaces it.
        var hidden: [[String]] = []

        private enum CodingKeys: CodingKey { case calls, streams, awaitsStreams, gpsd, geoclue, hidden }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(calls, forKey: .calls)
            try container.encode(streams, forKey: .streams)
            try container.encode(awaitsStreams, forKey: .awaitsStreams)
            try container.encode(gpsd, forKey: .gpsd)
            try container.encode(geoclue, forKey: .geoclue)
            try container.encode(hidden, forKey: .hidden)
        }
    }

    /// The number of the texts that are the replies to calls.
    let callCount: Int
    private let program: RunningProgram
    private let input: FileHandle
    private let output: FileHandle

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - uid: The user, or `nil` for this process's own.
    ///   - interpreter: The path of Python, or of a copy.
    init(_ plan: Plan, as uid: Int?, by interpreter: String = "/usr/bin/python3") async throws {
        callCount = plan.calls.count + (plan.geoclue == nil ? 0 : 1)
        let (input, output) = (Pipe(), Pipe())
        let launcher = uid.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
        let command = launcher + [interpreter, "-c", Program.script("TwoWorlds/reader")]
        program = try RunningProgram(
            command[0], Array(command.dropFirst()), input: input.fileHandleForReading.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor)
        try? output.fileHandleForWriting.close()
        try? input.fileHandleForReading.close()
        (self.input, self.output) = (input.fileHandleForWriting, output.fileHandleForReading)
        try self.input.write(contentsOf: try JSONEncoder().encode(plan) + Data("\n".utf8))
    }

    deinit { try? input.close() }

    /// Returns what the program reads now, by connection.
    func read() async throws -> [String] { try Self.texts(in: try Self.read([self])[0]) }

    /// Returns what programs read now, all at the same time: of each a line, which two have in common if they read the
    /// same.
    static func read(_ readers: [WorldReader]) throws -> [Data] {
        for reader in readers { try reader.ask() }
        return try readers.map { try $0.answer() }
    }

    /// Returns what is in a line, by connection.
    static func texts(in line: Data) throws -> [String] { try JSONDecoder().decode([String].self, from: line) }

    private func ask() throws { try input.write(contentsOf: Data("\n".utf8)) }

    /// Returns the next line. A reader writes no more until it is asked again.
    private func answer() throws -> Data {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.availableData
            guard !more.isEmpty else { throw Overdue(what: "the reader: \(program.errors)") }
            line += more
        }
        return line
    }
}
