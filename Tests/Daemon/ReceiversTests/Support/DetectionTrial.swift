import NIOCore
import NMEA

@testable import Receivers

/// A detector that reads a model of a receiver, in a time that passes as fast as it is computed.
struct DetectionTrial: ~Copyable {
    /// The time limit in seconds.
    static let limit = 120.0

    private(set) var detector: BaudRateStateMachine
    /// The settings that were tried, in order.
    private(set) var trials: [SerialSettings] = []
    /// The number of valid sentences received with the current settings.
    private(set) var sentences: UInt64 = 0
    private var listener: UARTModel
    private var decoder = NMEADecoder()
    private var random: SeededRandom?
    private var now = 0.0
    /// The time that the tty collects bytes before it delivers them together, in seconds.
    private let latency: Double
    /// The time that the adapter holds each byte, in seconds.
    private let holdingTime: Double
    /// The bytes that the adapter has read with earlier settings, and the times when it delivers them.
    private var heldBytes: ArraySlice<(byte: UInt8, time: Double)> = []

    /// - Parameters:
    ///   - holdingTime: The time that the adapter holds each byte, in seconds. Bytes that were read before a
    ///     change of the settings arrive after it.
    ///   - noise: The source of random bytes that replace those read with wrong settings, or `nil` to keep them.
    init(
        _ line: SignalModel, known: SerialSettings? = nil, isAgnostic: Bool = false, latency: Double = 0,
        holdingTime: Double = 0, noise: SeededRandom? = nil
    ) {
        detector = BaudRateStateMachine(known: known, at: .uptimeNanoseconds(0))
        listener = UARTModel(line, settings: detector.settings, at: 0)
        listener.isAgnostic = isAgnostic
        self.latency = latency
        self.holdingTime = holdingTime
        random = noise
        trials = [detector.settings]
    }

    /// Runs until the settings are found. Returns the time of the detection, or `nil` if it failed.
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
            if isNoise { bytes = bytes.map { _ in UInt8(truncatingIfNeeded: random!.next()) } }
            if receive(bytes) { return now }
        }
        return nil
    }

    /// Returns the next byte that the adapter delivers before `limit`, and its time.
    private mutating func next(before limit: Double) -> (byte: UInt8, time: Double)? {
        if let held = heldBytes.first { return held.time < limit ? heldBytes.removeFirst() : nil }
        return listener.next(before: limit - holdingTime).map { ($0.byte, $0.time + holdingTime) }
    }

    /// A Boolean value indicating whether bytes are replaced by noise, since the settings are not the receiver's.
    private var isNoise: Bool { random != nil && detector.settings != listener.line.settings }

    /// Passes bytes to the detector. Returns whether the settings are found.
    private mutating func receive(_ bytes: [UInt8]) -> Bool {
        let before = decoder.counts.sentences
        decoder.decode(bytes.span.bytes) { _ in }
        sentences = decoder.counts.sentences
        let action = detector.receive(bytes.span.bytes, sentences: Int(sentences - before), at: Self.deadline(now))
        return action.map { perform($0) } ?? false
    }

    private mutating func perform(_ action: BaudRateStateMachine.Action) -> Bool {
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
