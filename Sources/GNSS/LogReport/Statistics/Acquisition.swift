internal import NMEA

/// The time before a log's first fix: how long the receiver searched, and which satellites it saw.
struct Acquisition: Sendable {
    /// The signal strength that usually suffices to read a satellite's orbit, in dB-Hz. A first fix needs four such
    /// satellites.
    static let strengthForFix: Float = 30
    /// The length of a jump of the receiver's clock, in milliseconds. Without a fix, the clock may be set at any time.
    private static let jump: Int64 = 3_600_000

    /// The epochs since the last jump of the receiver's clock.
    private(set) var part = LogPart()
    private var clock = LogClock()
    private var epochs: UInt64 = 0
    private var lastSky: Int64?

    /// Records the epoch without a fix that the decoder has ended, if there is a new one.
    mutating func record(_ decoder: borrowing NMEADecoder) {
        guard decoder.counts.epochsWithoutFix != epochs else { return }
        epochs = decoder.counts.epochsWithoutFix
        guard let timeOfDay = decoder.latestTimeOfDay else { return }
        let time = clock.time(ofDay: timeOfDay)
        if let last = part.times?.upperBound, time < last || time - last > Self.jump {
            part = LogPart()
            lastSky = nil
        }
        part.addWithoutFix(at: time)
        guard lastSky.map({ time - $0 >= LogStatistics.skyInterval }) ?? true else { return }
        lastSky = time
        part.add(decoder.satellites, at: time)
    }
}
