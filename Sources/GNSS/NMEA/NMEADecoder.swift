/// A decoder of NMEA 0183 (2.1 to 4.11), as receivers send it, that assembles epochs. It also reads frames of u-blox's
/// binary protocol, UBX, between sentences or instead of them, and Unicore's log UNIHEADINGA between sentences.
///
/// The bytes may come from a wire or a file, in pieces of any size. The division into pieces does not affect the
/// events. The decoder allocates nothing after its creation, and no input makes it fail: unreadable input is skipped
/// and counted.
///
/// ```swift
/// var decoder = NMEADecoder()
/// var offset = 0
/// while let event = decoder.next(in: bytes, at: &offset) {
///     if case .epoch(let epoch) = event { print(epoch.latitude, decoder.satellites.count) }
/// }
/// ```
///
/// An epoch is complete with the last byte of its last sentence, once the decoder has learned which sentence is the
/// last one. Before that, and with receivers that vary, an epoch is ended by the first sentence of the next epoch, or
/// by silence: when nothing has arrived for `quietInterval` and `hasPendingEpoch` is true, call `flushInSilence()`; at
/// the end of a log, call `flush()`. The decoder cannot be copied: calling a method of a copyable value may copy the
/// value, here a kilobyte.
public struct NMEADecoder: ~Copyable, Sendable {
    /// The maximum length of a sentence, in bytes from `$` to the last checksum digit. NMEA 0183 allows 80; receivers
    /// have been seen to send 205.
    public static let maximumSentenceLength = 256

    /// The length of silence before `flushInSilence()`, in milliseconds. It is longer than the pauses of receivers
    /// within an epoch, and shorter than an epoch at 5 Hz. Faster receivers leave no silence and need none.
    public static let quietInterval = 150

    /// The numbers of sentences, epochs and errors so far.
    public internal(set) var counts = Counts()

    /// The last interference that the receiver has reported, or `nil` if it has not reported on interference.
    public internal(set) var jamming: Jamming?

    /// The last judgement of the receiver about spoofing, or `nil` if it has not reported on spoofing.
    public internal(set) var spoofing: Spoofing?

    /// The last protection level of a position, or `nil` if the receiver has not reported one, or cannot guarantee one.
    public internal(set) var protectionLevel: ProtectionLevel?

    /// The last reported state of the fusion with sensors, or `nil` if the receiver has not reported on sensors.
    public internal(set) var deadReckoning: DeadReckoning?

    /// The reports on the corrections that the receiver has read, or `nil` if it has not reported on any.
    public internal(set) var correctionInput: CorrectionInput?

    /// The time of day of the first epoch, with or without a fix, in milliseconds since midnight UTC, or `nil` before
    /// its end.
    public internal(set) var firstTimeOfDay: Int32?

    /// The time of day of the latest epoch, with or without a fix, in milliseconds since midnight UTC, or `nil` if it
    /// had no time.
    public var latestTimeOfDay: Int32? { endedTime >= 0 ? endedTime : nil }

    /// The number of epochs that were begun by a message with another time than the previous message.
    public internal(set) var epochsBegun: UInt64 = 0

    /// The mark of the next byte, or 0 once another message has begun.
    var nextMark: UInt32 = 0
    var line = LineBuffer()
    var frames = UBXBuffer()
    /// The pending epoch.
    var draft = Draft()
    /// The time of day of the last ended epoch, whether or not it was reported, or -1 before the first one.
    var endedTime: Int32 = -1
    /// The sentences of the last ended epoch.
    var endedParts = PartCounts()
    var cycleEnd = CycleEnd()
    var timeline: Timeline
    var device = DeviceSelection()
    var otherClock = OtherClock()
    var olderHeight = OlderHeight()
    var standing = StandingClock()
    var sky = Sky()
    var errors = ErrorSentences()
    var compass = Compass()
    var datum = SentDatum()
    var accepted = AcceptedSentences()
    var unread = UnreadFrames()
    var unchecked = UncheckedSentences()
    var split = SplitSolution()
    var latestPosition = LatestPosition()
    /// The last position with further digits, or `nil` if the receiver has sent none, or an invalid one.
    var precise: PrecisePosition?
    /// The time of the GPS week in the last NAV-PVT of an epoch, in milliseconds.
    var navigationTimeOfWeek = UInt32.max
    /// The number of satellites with an authentic message, or `nil` if it is not known.
    var authenticSatellites: Int?
    /// The flags of the last NAV-PVT about authenticity, and whether it has a fix.
    var sentProofs: UInt16 = 0

    /// Creates a decoder that knows nothing about its receiver.
    ///
    /// - Parameter earliestDate: Milliseconds since 1970. An earlier date is impossible and is corrected by adding
    ///   whole GPS week cycles of 1024 weeks (`Epoch.dateRepaired`). For a live receiver, pass the day when your
    ///   program was built. The default, the start of GPS time, corrects nothing.
    public init(earliestDate: Int64 = Plausibility.startOfGPSTime) {
        timeline = Timeline(earliestDate: earliestDate)
    }

    /// The machine's time, in milliseconds since 1970, to within months, or `nil`, the default, if it says nothing
    /// about the receiver's time. If it is set, a corrected date that is more than a year off does not count: the
    /// receiver does not know its week.
    public var present: Int64? {
        get { timeline.present }
        set { timeline.present = newValue }
    }

    /// A Boolean value indicating whether `flushInSilence()` has anything to do once the wire is silent. The getter is
    /// `mutating` although it changes nothing: otherwise, Swift 6.3 copies a decoder that is a property of an object.
    public var hasPendingEpoch: Bool { mutating get { !draft.parts.isEmpty } }

    /// The number of readable bytes after the input that let the last sentence, too, be read in place.
    public static let padding = 24

    /// Returns the next event in `bytes` at or after `offset`, or `nil` at their end. Advances `offset` past the bytes
    /// that were read.
    ///
    /// - Parameter end: The end of the input, which is followed by up to ``padding`` bytes of any value. Default: the
    ///   end of `bytes`.
    public mutating func next(in bytes: RawSpan, upTo end: Int? = nil, at offset: inout Int) -> Event? {
        let padded = bytes
        let bytes = padded.extracting(first: end ?? padded.byteCount)
        while true {
            if frames.isUsed {
                guard case .read(let event) = nextKept(bytes, &offset) else { return nil }
                if let event { return event }
                continue
            }
            if line.count == 0 {
                guard skipToMessage(bytes, &offset) else { return nil }
                let first = bytes.byte(at: offset)
                if first == 0xB5 || first == UInt8(ascii: "#") {
                    guard case .read(let event) = nextFrame(bytes, &offset) else { return nil }
                    if let event { return event }
                    continue
                }
                switch Sentence.scan(padded, from: offset, to: bytes.byteCount) {
                case .intact(let sentence, let end):
                    let reading = read(sentence, padded)
                    if !reading.beginsNextEpoch {
                        if accepted.isKept { accepted.add(bytes, from: offset, to: end) }
                        offset = end
                        nextMark = 0
                    }
                    if let event = apply(reading) { return event }
                    continue
                case .broken(let end):
                    counts.checksumErrors &+= 1
                    offset = UBXFrame.start(in: bytes, offset &+ 1, end) ?? end
                    nextMark = 0
                    continue
                case .unusual:
                    break
                }
            }
            guard line.fill(from: bytes, at: &offset) else {
                counts.overlong &+= 1
                dropLine()
                continue
            }
            guard line.isComplete else { return nil }
            if let event = consumeLine() { return event }
        }
    }

    /// Marks the next byte, for example as the first one after a pause. An epoch has the mark if its first message
    /// begins with this byte. If anything else begins with it, no epoch has the mark. A byte that continues a message
    /// is not marked.
    ///
    /// - Parameter mark: Any number except 0.
    public mutating func mark(_ mark: UInt32) {
        if line.count == 0, !frames.isUsed { nextMark = mark }
    }

    /// Reads all of `bytes`, and calls `receive` with each event.
    @inlinable
    public mutating func decode(_ bytes: RawSpan, _ receive: (borrowing Event) -> Void) {
        var offset = 0
        while let event = next(in: bytes, at: &offset) { receive(event) }
    }

    /// Ends the pending epoch because the wire is silent. Call it until it returns `nil`.
    ///
    /// A partial sentence is kept: its rest may still arrive. A partial frame is read as if it were not a frame.
    public mutating func flushInSilence() -> Event? {
        if let event = giveUpFrames() { return event }
        if line.count > 0, !line.isComplete {
            line.terminate()
            let bytes = line.bytes
            guard case .intact = Sentence.parse(bytes.span.bytes, length: line.count) else {
                return endCycleInSilence().map { .epoch($0) }
            }
        }
        return flush()
    }

    /// Ends the pending epoch because the log has ended. Call it until it returns `nil`.
    public mutating func flush() -> Event? {
        repeat {
            if let event = giveUpFrames() { return event }
            line.complete()
            while line.isComplete {
                if let event = consumeLine() { return event }
            }
        } while frames.isUsed
        return endCycleInSilence().map { .epoch($0) }
    }

    /// The whole sky as the receiver last reported it, by constellation and number.
    public var satellites: [SatelliteInView] { sky.satellites }
}
