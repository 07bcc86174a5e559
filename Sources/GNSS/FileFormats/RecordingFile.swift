/// The format of `locationctl record`: the bytes that a receiver has sent, in chunks as they arrived.
///
/// The first line names the format. Each chunk is a line with two numbers, the milliseconds since the previous chunk
/// and the number of bytes, followed by the bytes and a line end. So the file can hold any protocol, and contains no
/// time of day except the receiver's own.
package struct RecordingFile: Sendable {
    /// The first line of the file.
    package static let firstLine = "locationd recording 1\n"
    /// The maximum length of a chunk's line, in bytes.
    private static let maximumLine = 40

    private enum State {
        case line, bytes(Int), lineEnd, damaged
    }

    private var state = State.line
    private var line: [UInt8] = []

    /// Creates a reader for the rest of the file after its first line.
    package init() {}

    /// Returns a chunk in the form that the file contains.
    package static func chunk(afterMilliseconds milliseconds: Int, _ bytes: [UInt8]) -> [UInt8] {
        Array("\(milliseconds) \(bytes.count)\n".utf8) + bytes + [UInt8(ascii: "\n")]
    }

    /// Returns the receiver's bytes from the next bytes of the file. After a damaged line, everything is returned
    /// unchanged: a decoder finds the next sentence.
    package mutating func receiversBytes(in bytes: Span<UInt8>) -> [UInt8] {
        var found: [UInt8] = []
        for index in bytes.indices { read(bytes[index], to: &found) }
        return found
    }

    private mutating func read(_ byte: UInt8, to found: inout [UInt8]) {
        switch state {
        case .line:
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                if line.count > Self.maximumLine { giveUp(&found) }
                return
            }
            let numbers = line.split(separator: UInt8(ascii: " ")).map { Int(String(decoding: $0, as: UTF8.self)) }
            guard numbers.count == 2, numbers[0] != nil, let count = numbers[1], count >= 0 else {
                line.append(byte)
                return giveUp(&found)
            }
            line = []
            state = count == 0 ? .lineEnd : .bytes(count)
        case .bytes(let rest):
            found.append(byte)
            state = rest == 1 ? .lineEnd : .bytes(rest - 1)
        case .lineEnd:
            state = .line
            guard byte == UInt8(ascii: "\n") else {
                line = [byte]
                return giveUp(&found)
            }
        case .damaged: found.append(byte)
        }
    }

    private mutating func giveUp(_ found: inout [UInt8]) {
        found += line
        (line, state) = ([], .damaged)
    }
}
