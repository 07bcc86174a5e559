import FileFormats
import NMEA
import Testing

@testable import LocationctlCommands

/// The content of a recording.
@Suite struct RecorderTests {
    private let chunks: [(bytes: [UInt8], milliseconds: Int)] = [
        (Array("$GPGLL,4807.0380,N,01131.0000,E,1200".utf8), 0), (Array("00.00,A*05\r\n$GP".utf8), 40),
        ([0xB5, 0x0A, 0x31], 1040), (Array("X".utf8), 1040),
    ]

    private func recorded(_ stream: ShiftedStream? = nil) -> [UInt8] {
        var recorder = Recorder(moving: stream)
        let parts = chunks.map { recorder.add($0.bytes, atMilliseconds: $0.milliseconds) }
        return parts.flatMap(\.self) + recorder.finish()
    }

    /// Returns the lines of the chunks, and all bytes of the receiver.
    private func read(_ file: [UInt8], piece: Int) throws -> [UInt8] {
        var decoder = TextDecoder(acceptsGPX: false)
        var (bytes, rest) = ([UInt8](), (Array(RecordingFile.firstLine.utf8) + file)[...])
        while !rest.isEmpty {
            bytes += try decoder.decode(Array(rest.prefix(piece)).span)
            rest = rest.dropFirst(piece)
        }
        return bytes + (try decoder.finish())
    }

    @Test(arguments: [1, 2, 7, 1000]) func theBytesAreReadAsTheyCame(piece: Int) throws {
        #expect(try read(recorded(), piece: piece) == chunks.flatMap(\.bytes))
    }

    @Test func theTimesAndTheLengths() {
        let file = recorded()
        #expect(file.starts(with: Array("0 36\n$GPGLL".utf8)))
        #expect(String(decoding: file, as: UTF8.self).contains("\n40 15\n00.00,A*05\r\n$GP\n1000 3\n"))
        #expect(file.suffix(6) == Array("0 1\nX\n".utf8)[...])
    }

    /// A chunk keeps its length and its time even if its sentence ends in the next chunk.
    @Test func theChunksOfAShiftedRecordingAreTheSame() throws {
        let shift = PositionShift(latitude: -20_000, longitude: 80_001, weeks: 100)
        let file = recorded(ShiftedStream(isAnonymous: false) { _ in shift })
        #expect(file.count == recorded().count)
        #expect(String(decoding: file, as: UTF8.self).contains("\n40 15\n00.00,A*05\r\n$"))
        #expect(
            String(decoding: try read(file, piece: 5), as: UTF8.self).hasPrefix(
                "$GPGLL,3807.0380,N,05131.0300,E,120000.00,A*"))
    }

    @Test(arguments: [
        "12\n$GPTXT", "1 x\n$GPTXT", "0 3\nabc$GPTXT", "0 -3\n$GPTXT", "99999999999999999999999999999999999999999999",
    ])
    func aDamagedRecordingLosesNothing(file: String) throws {
        let bytes = try read(Array(file.utf8), piece: 3)
        #expect(String(decoding: bytes, as: UTF8.self).contains(file.contains("$") ? "$GPTXT" : "9999"))
    }
}
