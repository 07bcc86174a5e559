/// Reads NMEA 0183 (2.1 to 4.11) as a receiver sends it and finds the epochs in it.
///
/// Bytes go in as they come from the wire or a file, in pieces of any size; where they are cut makes no
/// difference to what comes out. Nothing is allocated, and no input makes it fail: what cannot be read is
/// skipped and counted.
///
/// ```swift
/// var decoder = NMEADecoder()
/// var offset = 0
/// while let event = decoder.next(in: bytes, at: &offset) {
///     if case .epoch(let epoch) = event { print(epoch.latitude, decoder.satellites.count) }
/// }
/// ```
///
/// An epoch is given with the last byte of the last sentence that tells about it, once the decoder has learned
/// which that is. Until then, and with receivers that vary, the next epoch's first sentence ends it, or silence:
/// when nothing has come for `quietInterval` and `hasPendingEpoch` is true, call `flush()`.
public struct NMEADecoder: Sendable {
    /// The longest sentence that is read, in bytes from `$` to the last checksum digit. NMEA 0183 allows 80;
    /// receivers have been seen to send 205.
    public static let maximumSentenceLength = 256

    /// How long the wire is to be silent before `flush()`, in milliseconds. Longer than the pauses that receivers
    /// make within an epoch, shorter than an epoch at 5 Hz; faster receivers leave no silence and need none.
    public static let quietInterval = 150

    /// What was met so far.
    public internal(set) var counts = Counts()

    /// What the sentence that was read last has brought about, while `hasEvent`: an optional event would be copied to
    /// see whether it is there.
    var event = Event.acknowledgement(Acknowledgement(command: 0, outcome: .invalid))
    var hasEvent = false
    var line = LineBuffer()
    var draft = Draft()
    /// The time of day of the epoch that was ended last, whether or not it was given; -1 before the first.
    var endedTime: Int32 = -1
    /// The sentences of that epoch.
    var endedParts = PartCounts()
    var cycleEnd = CycleEnd()
    var timeline: Timeline
    var device = DeviceSelection()
    var sky = Sky()
    var errors = ErrorSentences()
    var compass = Compass()
    var otherDatum = false

    /// A decoder that knows nothing of its receiver yet.
    ///
    /// - Parameter earliestDate: Milliseconds since 1970. A date before it is impossible and is put right by adding
    ///   whole GPS week cycles of 1024 weeks (`Epoch.dateRepaired`): pass the day on which your program was built
    ///   when reading a live receiver. The default, the start of GPS time, repairs nothing.
    public init(earliestDate: Int64 = Plausibility.startOfGPSTime) {
        timeline = Timeline(earliestDate: earliestDate)
    }

    /// A Boolean value indicating whether `flush()` is of use once the wire is silent. Stored: a function of the
    /// decoder is called with a copy of its eight kilobytes.
    public private(set) var hasPendingEpoch = false

    /// The next event in `bytes` at or after `offset`, which moves behind what was read; `nil` when all is read.
    public mutating func next(in bytes: RawSpan, at offset: inout Int) -> Event? {
        defer { hasPendingEpoch = !draft.parts.isEmpty }
        while true {
            if line.count == 0 {
                guard skipToSentence(bytes, &offset) else { return nil }
                switch Sentence.scan(bytes, from: offset) {
                case .intact(let sentence, let end):
                    if take(sentence, bytes) { offset = end }
                    if hasEvent {
                        hasEvent = false
                        return event
                    }
                    continue
                case .broken(let end):
                    counts.checksumErrors &+= 1
                    offset = end
                    continue
                case .unusual:
                    break
                }
            }
            guard line.fill(from: bytes, at: &offset) else {
                counts.overlong &+= 1
                line.clear()
                continue
            }
            guard line.isComplete else { return nil }
            consumeLine()
            if hasEvent {
                hasEvent = false
                return event
            }
        }
    }

    /// Reads all of `bytes` and hands over each event.
    @inlinable
    public mutating func decode(_ bytes: RawSpan, _ receive: (borrowing Event) -> Void) {
        var offset = 0
        while let event = next(in: bytes, at: &offset) { receive(event) }
    }

    /// Ends the pending epoch: the wire is silent, or the log has ended. Call it until it returns `nil`.
    public mutating func flush() -> Event? {
        defer { hasPendingEpoch = !draft.parts.isEmpty }
        line.complete()
        while line.isComplete, !hasEvent { consumeLine() }
        if !hasEvent { endCycleInSilence() }
        guard hasEvent else { return nil }
        hasEvent = false
        return event
    }

    /// The whole sky as the receiver last told it, by constellation and number.
    public var satellites: [SatelliteInView] { sky.satellites }

    @inline(__always)
    mutating func give(_ event: Event) {
        self.event = event
        hasEvent = true
    }
}
