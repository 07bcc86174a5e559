import NMEA

/// Returns a sentence as it is transmitted: `body` between `$` and `*`, the correct checksum and a line end.
func sentence(_ body: String, end: String = "\r\n") -> String {
    let sum = String(checksum(of: [UInt8](body.utf8).span), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\(end)"
}

/// Returns several sentences in a row.
func sentences(_ bodies: String...) -> String {
    bodies.map { sentence($0) }.joined()
}

/// The output of a decoder.
struct Decoded: Equatable {
    var events: [Event] = []
    var counts = Counts()
    var satellites: [SatelliteInView] = []

    var epochs: [Epoch] {
        events.compactMap { if case .epoch(let epoch) = $0 { epoch } else { nil } }
    }

    var headings: [Heading] {
        events.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
    }

    /// The times of day of the epochs with a time, in milliseconds since midnight.
    var times: [Int32] { epochs.compactMap(\.timeOfDay) }
}

extension NMEADecoder {
    /// Returns all events in a piece of input.
    mutating func events(in text: String) -> [Event] { events(in: Array(text.utf8)) }

    /// Returns all events in a piece of input.
    mutating func events(in bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        var offset = 0
        while let event = next(in: bytes.span.bytes, at: &offset) { events.append(event) }
        return events
    }

    mutating func flushed() -> [Event] {
        var events: [Event] = []
        while let event = flush() { events.append(event) }
        return events
    }
}

/// Returns a time of day in milliseconds since midnight.
func time(_ hour: Int32, _ minute: Int32, _ second: Int32, _ milliseconds: Int32 = 0) -> Int32 {
    ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds
}
