import LocationModel
import NIOCore
import NMEA

/// Combines all of gpsd's reports about an epoch into one fix.
///
/// gpsd reports a position when it considers the receiver's cycle complete. Until it has learned the cycle, it may do
/// so twice per cycle; the first report counts. The receiver's own error estimate (GST) usually comes with the last
/// sentence of the cycle, after the position, so the estimate of the previous epoch is used. Of several devices, one is
/// followed while it produces fixes.
struct GPSDEpochs {
    /// The time without a fix until another device is followed, on the loop's clock. A receiver with a wrong date must
    /// not keep the others out once it has lost its fix.
    static let deviceTimeout = TimeAmount.seconds(3)
    /// The minimum time between two positions without a time, on the loop's clock. gpsd may report an epoch twice.
    static let untimedPause = TimeAmount.milliseconds(50)
    /// The maximum age of an error estimate, in seconds.
    static let errorsLifetime = 1.5
    /// The number of positions that were dropped.
    private(set) var dropped = 0
    private let receiver: String
    private var device: String?
    private var lastTime: Timestamp?
    private var lastFix: NIODeadline?
    private var lastUntimed: NIODeadline?
    private(set) var undated: UndatedEpochs
    /// A Boolean value indicating whether the followed device has not produced a fix yet.
    private var isNewDevice = true
    private var backward = BackwardEpochs()
    private var sky: GPSDReport.Sky?
    private var errors: GPSDReport.Errors?

    /// Creates a state without a device.
    ///
    /// - Parameter undated: The knowledge about the receiver's dates from an earlier connection.
    init(receiver: String, undated: UndatedEpochs = UndatedEpochs()) {
        self.receiver = receiver
        self.undated = undated
        self.undated.reopen()
    }

    /// Returns whether the fixes of `device` are used.
    func follows(_ device: String) -> Bool {
        self.device == device
    }

    /// A Boolean value indicating whether positions without a time make no fix because the machine's clock is not set.
    var lacksClock: Bool { undated.lacksClock }

    /// Returns whether a position report says that there is no fix. It does not if the followed device has a fix and
    /// the report is from another one.
    func isWithoutFix(_ report: GPSDReport.Position, at now: NIODeadline) -> Bool {
        report.mode < 2 && (follows(report.device) || !hasRecentFix(at: now))
    }

    private func hasRecentFix(at now: NIODeadline) -> Bool {
        lastFix.map { now - $0 <= Self.deviceTimeout } ?? false
    }

    mutating func apply(_ sky: GPSDReport.Sky) {
        if device == nil || follows(sky.device) { self.sky = sky }
    }

    mutating func apply(_ errors: GPSDReport.Errors) {
        if device == nil || follows(errors.device) { self.errors = errors }
    }

    /// The number of satellites in view, as the followed device last reported it.
    var satellitesInView: Int { sky?.satellitesInView ?? 0 }

    /// Returns the fix of a position report received at `now`, or `nil` unless it is the first of a new epoch of the
    /// followed device.
    ///
    /// gpsd passes on dates from before the last rollover of the week number, so they are corrected as for a serial
    /// port. A report without a time, as from a receiver that sends none, is dated by its arrival.
    mutating func fix(
        _ report: GPSDReport.Position, at now: NIODeadline, clock: () -> Timestamp
    ) -> Fix? {
        guard report.mode >= 2, let latitude = report.latitude, let longitude = report.longitude else { return nil }
        let milliseconds = report.time.flatMap { Plausibility.live($0, at: clock().millisecondsSince1970) }
        guard latitude.magnitude <= 90, longitude.magnitude <= 180,
            report.time ?? Plausibility.startOfGPSTime >= Plausibility.startOfGPSTime,
            milliseconds ?? 0 < Plausibility.latestDate
        else {
            dropped += 1
            return nil
        }
        guard choose(report.device, at: now) else { return nil }
        guard let time = timestamp(milliseconds, at: now, clock: clock) else { return nil }
        lastFix = now
        var location = Location(
            timestamp: time, latitude: latitude, longitude: longitude, simulated: report.quality == .simulated)
        location.altitude = report.altitude
        location.ellipsoidalAltitude = report.ellipsoidalAltitude
        if report.speed ?? 0 <= Plausibility.greatestSpeed {
            location.course = report.course.flatMap { (0..<360).contains($0) ? $0 : $0 == 360 ? 0 : nil }
            location.speed = report.speed.flatMap { $0 >= 0 ? $0 : nil }
        }
        location.quality = report.quality.flatMap(LocationQuality.init)
        location.correctionAge = report.correctionAge
        location.receiver = receiver
        let sky = sky.flatMap { $0.device == report.device ? $0 : nil }
        location.satellitesUsed = sky?.satellitesUsed
        location.horizontalDilution = sky?.hdop
        location.setAccuracies(report, recentErrors(of: report.device, at: time), vdop: sky?.vdop)
        return Fix(
            location: location, dating: milliseconds == nil ? .arrival : .receiver,
            dimension: report.mode == 2 ? .two : .three, vdop: sky?.vdop, pdop: sky?.pdop)
    }

    /// Returns the timestamp of an epoch, or `nil` if the epoch is not new, or has no time and makes no fix.
    private mutating func timestamp(
        _ milliseconds: Int64?, at now: NIODeadline, clock: () -> Timestamp
    ) -> Timestamp? {
        guard let milliseconds else {
            if let lastUntimed, now - lastUntimed < Self.untimedPause { return nil }
            lastUntimed = now
            return undated.timestamp(timeOfDay: nil, now: clock())
        }
        undated.didReceiveDate()
        let time = Timestamp(millisecondsSince1970: milliseconds)
        guard advance(to: time) else {
            dropped += 1
            return nil
        }
        return time
    }

    private func recentErrors(of device: String, at time: Timestamp) -> GPSDReport.Errors? {
        guard let errors, errors.device == device, let stated = errors.time else { return nil }
        let age = time.seconds(since: Timestamp(millisecondsSince1970: stated))
        return (0...Self.errorsLifetime).contains(age) ? errors : nil
    }

    private mutating func choose(_ candidate: String, at now: NIODeadline) -> Bool {
        if follows(candidate) { return true }
        if hasRecentFix(at: now) { return false }
        device = candidate
        isNewDevice = true
        lastFix = nil
        lastUntimed = nil
        backward.reset()
        return true
    }

    /// Returns whether `time` belongs to a new epoch. The date of another device may be earlier.
    private mutating func advance(to time: Timestamp) -> Bool {
        if let lastTime, time <= lastTime {
            if time == lastTime { return false }
            guard isNewDevice || backward.accepts(time.millisecondsSince1970, isAfter: >) else { return false }
        }
        lastTime = time
        isNewDevice = false
        backward.reset()
        return true
    }
}
