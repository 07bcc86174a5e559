internal import FileFormats
internal import NMEA

/// Makes the content of a recording from the bytes of a receiver.
struct Recorder {
    private var stream: ShiftedStream?
    /// The chunks that wait for the rest of their moved bytes: the time and the length of each.
    private var waiting: [(milliseconds: Int, count: Int)] = []
    private var moved: [UInt8] = []
    private var last = 0

    /// - Parameter stream: Moves the positions, or `nil` to leave them as they are.
    init(moving stream: ShiftedStream?) { self.stream = stream }

    /// Returns what the file has next, once bytes have come at that time since the first ones.
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
