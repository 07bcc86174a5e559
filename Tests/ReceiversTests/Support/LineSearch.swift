import NIOCore
import NMEA

@testable import Receivers

/// A detector at the end of a line, in a time that passes as fast as it is computed.
struct LineSearch {
    /// Seconds after which nothing more is expected.
    static let limit = 120.0

    private(set) var detector: BaudRateDetector
    /// What was tried, in that order.
    private(set) var trials: [SerialSettings] = []
    /// The valid sentences that came with the settings that are tried, or were found.
    private(set) var sentences: UInt64 = 0
    private var listener: LineListener
    private var decoder = NMEADecoder()
    private var random: SeededRandom?
    private var now = 0.0
    /// Bytes that the tty hands over together came within so many seconds.
    private let latency: Double
    /// How long the adapter keeps each byte, in seconds.
    private let holdingTime: Double
    /// Bytes that the adapter has read with the settings before, and when it hands them over.
    private var heldBytes: ArraySlice<(byte: UInt8, time: Double)> = []

    /// - Parameters:
    ///   - holdingTime: How long the adapter keeps each byte, in seconds: bytes that were read before a change of the
    ///     settings arrive after it.
    ///   - noise: Gives bytes in the place of those that are read with wrong settings.
    init(
        _ line: LineModel, known: SerialSettings? = nil, isAgnostic: Bool = false, latency: Double = 0,
        holdingTime: Double = 0, noise: SeededRandom? = nil
    ) {
        detector = BaudRateDetector(known: known, at: .uptimeNanoseconds(0))
        listener = LineListener(line, settings: detector.settings, at: 0)
        listener.isAgnostic = isAgnostic
        self.latency = latency
        self.holdingTime = holdingTime
        random = noise
        trials = [detector.settings]
    }

    /// Runs until the settings are found; when that was, or `nil`.
    mutating func run(from start: Double = 0, until limit: Double = Self.limit) -> Double? {
        now = start
        while now < limit {
            let deadline = detector.deadline.map { Double($0.uptimeNanoseconds) / 1e9 } ?? limit
            guard let first = next(before: min(deadline, limit)) else {
                now = min(deadline, limit)
                if now < limit, let action = detector.wake(at: Self.deadline(now)), perform(action) { return now }
                continue
            }
            var bytes = [first.byte]
            now = first.time + latency
            while latency > 0, let next = next(before: now) { bytes.append(next.byte) }
            if isNoise { bytes = bytes.map { _ in UInt8.random(in: 0...255, using: &random!) } }
            if take(bytes) { return now }
        }
        return nil
    }

    /// The next byte that the adapter hands over before `limit`, and when.
    private mutating func next(before limit: Double) -> (byte: UInt8, time: Double)? {
        if let held = heldBytes.first { return held.time < limit ? heldBytes.removeFirst() : nil }
        return listener.next(before: limit - holdingTime).map { ($0.byte, $0.time + holdingTime) }
    }

    /// Whether the settings differ from those of the line, and what is read then is to be pure noise.
    private var isNoise: Bool { random != nil && detector.settings != listener.line.settings }

    /// Hands bytes to the detector; whether the settings are found.
    private mutating func take(_ bytes: [UInt8]) -> Bool {
        let before = decoder.counts.sentences
        decoder.decode(bytes.span.bytes) { _ in }
        sentences = decoder.counts.sentences
        let action = detector.take(bytes.span.bytes, sentences: Int(sentences - before), at: Self.deadline(now))
        return action.map { perform($0) } ?? false
    }

    private mutating func perform(_ action: BaudRateDetector.Action) -> Bool {
        switch action {
        case .settle: return true
        case .use(let settings):
            trials.append(settings)
            decoder = NMEADecoder()
            while let read = listener.next(before: now) { heldBytes.append((read.byte, read.time + holdingTime)) }
            listener.use(settings, at: now)
            return false
        case .dropUnread:
            decoder = NMEADecoder()
            heldBytes.removeAll { $0.time <= now }
            return false
        }
    }

    private static func deadline(_ seconds: Double) -> NIODeadline {
        .uptimeNanoseconds(UInt64((seconds * 1e9).rounded(.up)))
    }
}
