@testable import NTRIP
@testable import RTCM

/// Delimits frames of RTCM 3, and queues those that may reach a receiver.
func fuzzRTCM(_ input: [UInt8]) {
    guard let input = CutInput(input) else { return }
    let frames = input.read { pieces in
        var delimiter = RTCMDelimiter()
        var frames: [[UInt8]] = []
        for piece in pieces {
            delimiter.receive(piece.span.bytes) { frame, bytes in
                frames.append(bytes.withUnsafeBufferPointer { Array($0) })
                _ = ReferencePoint(frame, bytes)
            }
        }
        precondition(delimiter.skipped + frames.reduce(0) { $0 + $1.count } <= input.bytes.count)
        return frames
    }
    var queue = CorrectionQueue()
    for bytes in frames {
        precondition(bytes.count <= RTCMFrame.maximumLength)
        precondition(CRC24Q.remainder(of: bytes.span, from: 0, to: bytes.count) == 0)
        let length = bytes.count - RTCMFrame.headerLength - RTCMFrame.checksumLength
        let frame = RTCMFrame(bytes.span, payloadLength: length)
        let isQueued = queue.append(frame, bytes.span)
        precondition(!isQueued || (frame.kind != nil && frame.number != 1029 && frame.number != 4072))
    }
    var count = 0
    while queue.removeFirst() != nil { count += 1 }
    precondition(count <= CorrectionQueue.capacity && count + queue.dropped <= frames.count)
}

/// Reads a caster's answer, and its list.
func fuzzCasters(_ input: [UInt8]) {
    guard let input = CutInput(input) else { return }
    let outcome = input.read { pieces in
        var answer = CasterAnswer()
        var outcome = CasterOutcome()
        for event in pieces.flatMap({ answer.receive($0) }) {
            if case .data(let bytes) = event { outcome.data += bytes } else { outcome.events.append(event) }
        }
        return outcome
    }
    precondition(outcome.events.count <= 2)
    var table = SourceTable()
    _ = table.receive(outcome.data)
    precondition(table.stations.count <= SourceTable.maximumStations)
    for station in table.stations { precondition(station.mount.utf8.allSatisfy { (0x21..<0x7F).contains($0) }) }
    _ = NearestStation.listing(table.stations, from: Place(latitude: 50, longitude: 8))
}

private struct CasterOutcome: Equatable {
    var events: [CasterAnswer.Event] = []
    var data: [UInt8] = []
}
