internal import FileFormats
internal import NMEA

/// An encoder of a receiver's bytes into the contents of a recording.
struct Recorder {
    private var stream: ShiftedStream?
    /// The chunks that wait for the rest of their moved bytes, with their times and lengths.
    private var waiting: [(milliseconds: Int, count: Int)] = []
    private var moved: [UInt8] = []
    private var last = 0

    /// - Parameter stream: The stream that moves the positions, or `nil` to leave them unchanged.
    init(moving stream: ShiftedStream?) { self.stream = stream }

    /// Adds bytes that arrived at a time since the first bytes. Returns the next part of the file.
    mutating func add(_ bytes: [UInt8], atMilliseconds milliseconds: Int) -> [UInt8] {
        waiting.append((milliseconds, bytes.count))
        moved += stream?.move(bytes) ?? bytes
        return completeChunks()
    }

    /// Returns the end of the file.
    mutating func finish() -> [UInt8] {
        moved += stream?.finish() ?? []
        return completeChunks()
    }

    private mutating func completeChunks() -> [UInt8] {
        var content: [UInt8] = []
        while let chunk = waiting.first, chunk.count <= moved.count {
            content += RecordingFile.chunk(
                afterMilliseconds: max(0, chunk.milliseconds - last), Array(moved.prefix(chunk.count)))
            last = chunk.milliseconds
            moved.removeFirst(chunk.count)
            waiting.removeFirst()
        }
        return content
    }
}
