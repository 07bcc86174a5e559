internal import FileFormats
internal import GPX
internal import LocationModel
package import NMEA

/// Reads a log in pieces of any size: NMEA 0183, GPX or the JSON lines of locationctl, recognized by its beginning.
///
/// The log may be UTF-16. Reading fails only for other formats, and for GPX that is not well-formed. Any other input
/// that cannot be read is skipped and counted.
package struct LogReader: ~Copyable {
    /// A log that cannot be read.
    package struct Failure: Error, Equatable {
        /// The line number, from 1.
        package var line: Int
        package var message: String
    }

    /// The format, once enough of the log was read.
    package private(set) var format: LogFormat?
    /// The statistics of the log so far.
    package private(set) var statistics = LogStatistics()
    /// The time before the first fix of NMEA 0183.
    private(set) var acquisition = Acquisition()
    /// The input that was skipped in a log that is not NMEA 0183.
    package private(set) var skipped = SkippedInput()

    private var nmea = NMEADecoder()
    private var clock = LogClock()
    private var gpx = GPXPointReader()
    private var lines = JSONLines()
    private var order = TimeOrder()
    private var text = TextDecoder(acceptsGPX: true)
    private var beginning: [UInt8] = []
    /// The points of GPX so far, while no time was later than the previous one.
    private var untimed: UntimedTrack? = UntimedTrack()

    package init() {}

    /// The counts of the NMEA decoder.
    package var counts: Counts { nmea.counts }
    /// The number of sentences that were read although they have no checksum.
    package var uncheckedSentences: UInt64 { nmea.uncheckedSentences }

    /// The difference between the time since 1970 and the log's clock in milliseconds, or `nil` if the log has no
    /// date.
    package var dateOffset: Int64? { format == .nmea ? clock.dateOffset : 0 }

    /// The time of day of the log's first time stamp, with or without a fix, in milliseconds.
    var firstTimeOfDay: Int32? { nmea.firstTimeOfDay }

    /// Reads the next bytes of the log.
    package mutating func read(_ bytes: Span<UInt8>) throws(Failure) {
        if text.isVerbatim { return try readText(bytes) }
        let decoded: [UInt8]
        do throws(ForeignFormat) { decoded = try text.decode(bytes) } catch { throw Failure(error) }
        try readText(decoded.span)
    }

    private mutating func readText(_ bytes: Span<UInt8>) throws(Failure) {
        guard format == nil else { return try readBody(bytes) }
        for index in bytes.indices { beginning.append(bytes[index]) }
        try decide(isWhole: false)
    }

    /// Ends the log, and reads the element that its end completes.
    package mutating func finish() throws(Failure) {
        let rest: [UInt8]
        do throws(ForeignFormat) { rest = try text.finish() } catch { throw Failure(error) }
        try readText(rest.span)
        if format == nil { try decide(isWhole: true) }
        switch format {
        case .nmea:
            while let event = nmea.flush() { add(event) }
            if !statistics.hasFixes { acquisition.record(nmea) }
        case .jsonLines: if let line = lines.endLine() { add(line) }
        case .gpx:
            do throws(GPXFailure) { try gpx.finish() } catch {
                // A recorder that was interrupted has not written the rest.
                guard statistics.hasFixes else { throw Failure(error) }
                skipped.ending = Failure(error)
            }
            let skippedPoints = gpx.skipped(.track)
            guard statistics.hasFixes else {
                throw Failure(skippedPoints.first ?? gpx.failure("there is no <trkpt> in the file"))
            }
            skipped.unreadablePoints = skippedPoints.points
            skipped.unreadableValues = skippedPoints.values
            if let untimed, untimed.points > 1, untimed.time != nil {
                statistics = untimed.statistics
                if untimed.isReversed {
                    (skipped.reversedTimes, skipped.backwardTimes) = (untimed.points, 0)
                } else {
                    skipped.sharedTimes = untimed.points
                }
            }
        case nil: break
        }
        statistics.finish()
    }

    /// Determines the format, and reads the bytes that were kept until then.
    private mutating func decide(isWhole: Bool) throws(Failure) {
        format = LogFormat(beginning: beginning.drop { $0 <= 0x20 }, isWhole: isWhole)
        // White space without an end counts as NMEA without sentences.
        if format == nil, beginning.count >= 1 << 16 { format = .nmea }
        guard format != nil else { return }
        let bytes = beginning
        beginning = []
        if format == .nmea, NMEADecoder.lacksChecksums(bytes.span.bytes) { nmea.expectNoChecksums() }
        try readBody(bytes.span)
    }

    private mutating func readBody(_ bytes: Span<UInt8>) throws(Failure) {
        var offset = 0
        switch format {
        case .nmea:
            readBeforeFirstFix(bytes, at: &offset)
            while let event = nmea.next(in: bytes.bytes, at: &offset) { add(event) }
        case .jsonLines: while let line = lines.next(in: bytes, at: &offset) { add(line) }
        case .gpx:
            do throws(GPXFailure) {
                while let point = try gpx.next(in: bytes, at: &offset) { add(point) }
            } catch { throw Failure(error) }
        case nil: break
        }
    }

    /// Reads NMEA 0183 line by line until the first fix. An epoch without a fix is not an event, and the decoder keeps
    /// its satellites only until the next epoch.
    private mutating func readBeforeFirstFix(_ bytes: Span<UInt8>, at offset: inout Int) {
        while offset < bytes.count, !statistics.hasFixes {
            var end = offset
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            end = min(end + 1, bytes.count)
            while let event = nmea.next(in: bytes.bytes, upTo: end, at: &offset) { add(event) }
            acquisition.record(nmea)
        }
    }

    private mutating func add(_ event: Event) {
        guard case .epoch(let epoch) = event else { return }
        let time = clock.time(of: epoch)
        var fix = LogFix(epoch, time: time)
        if let time, statistics.wantsSatellites(at: time) {
            let satellites = nmea.satellites
            let used = satellites.count { $0.used }
            // GGA counts at most twelve.
            if used > 0 { fix.satellitesUsed = used }
            statistics.add(fix, quality: epoch.quality)
            statistics.add(satellites, at: time)
        } else {
            statistics.add(fix, quality: epoch.quality)
        }
    }

    private mutating func add(_ line: JSONLines.Line) {
        switch line {
        case .fix(let fix): addInOrder(fix)
        case .event: break
        case .unreadable: skipped.countUnreadable(line: lines.number)
        }
    }

    private mutating func add(_ point: GPXPoint) {
        guard point.kind == .track else { return }
        let time = point.time.flatMap(GPXTime.milliseconds)
        if time == nil, point.time != nil { skipped.unreadableTimes += 1 }
        var fix = LogFix(time: time, latitude: point.latitude, longitude: point.longitude)
        fix.isStart = point.isStart
        fix.altitude = point.elevation
        fix.speed = point.speed.flatMap { $0 >= 0 ? $0 : nil }
        fix.satellitesUsed = point.satellites.flatMap { Int(exactly: $0) }
        if untimed?.add(fix) == false { untimed = nil }
        addInOrder(fix)
    }

    private mutating func addInOrder(_ fix: LogFix) {
        switch order.judge(fix.time, mayRepeat: format == .gpx, isStart: format == .gpx && fix.isStart) {
        case .inOrder: statistics.add(fix, quality: nil)
        case .repeated: skipped.staleTimes += 1
        case .backward: skipped.backwardTimes += 1
        }
    }
}

extension LogReader.Failure {
    fileprivate init(_ format: ForeignFormat) { self.init(line: 1, message: "\(format)") }

    fileprivate init(_ failure: GPXFailure) {
        self.init(line: failure.line, message: failure.message)
    }
}
