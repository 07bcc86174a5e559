internal import Glibc

/// Lines of standard input, read one at a time on request.
package struct LineInput {
    /// A Boolean value indicating whether a requested line has not arrived yet.
    private(set) var isWanted = false
    /// A Boolean value indicating whether the input has ended.
    package private(set) var hasEnded = false
    /// A Boolean value indicating whether bytes are being read.
    var isReading = false
    private var bytes: [UInt8] = []

    /// The maximum length of a line, in bytes. A longer line is truncated.
    private static let maximumLength = 4096

    package init() {}

    /// Requests a line. Text that was typed at a terminal before a question does not answer it.
    package mutating func begin(isTerminal: Bool) {
        isWanted = true
        guard isTerminal else { return }
        bytes = []
        tcflush(STDIN_FILENO, TCIFLUSH)
    }

    /// Receives input; empty at the end of the input.
    package mutating func receive(_ read: [UInt8]) {
        isReading = false
        if read.isEmpty {
            hasEnded = true
            // The last line may lack its line end.
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
        }
        bytes += read
        let isCut = bytes.count > Self.maximumLength && !bytes.contains(UInt8(ascii: "\n"))
        if isCut { bytes = Array(bytes.prefix(Self.maximumLength)) }
    }

    /// Returns the requested line without its line end, or `nil` if it has not arrived yet.
    package mutating func next() -> String? {
        guard isWanted, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        isWanted = false
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        return line
    }
}
