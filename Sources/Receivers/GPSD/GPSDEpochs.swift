import LocationModel
import NMEA

/// Makes one fix of all that gpsd reports about an epoch.
///
/// gpsd reports a position when it believes the receiver's cycle complete. While it does not know the receiver yet it
/// may do so twice in a cycle; the first one counts. The receiver's own error estimate (GST) comes with the cycle's last
/// sentence more often than not, and then follows the position: that of the epoch before is used. Of several devices, one is followed for as long as it gives fixes.
struct GPSDEpochs {
    /// The seconds without a fix after which another device is followed.
    static let deviceTimeout = 3.0
    /// The age in seconds up to which an error estimate holds.
    static let errorsLifetime = 1.5
    /// Positions that were not given.
    private(set) var dropped = 0
    private let receiver: String
    private var device: String?
    private var lastTime: Timestamp?
    private var backward = BackwardEpochs()
    private var sky: GPSDReport.Sky?
    private var errors: GPSDReport.Errors?

    init(receiver: String) {
        self.receiver = receiver
    }

    /// Returns whether that device's fixes are the ones that are given.
    func follows(_ device: String) -> Bool {
        self.device == device
    }

    mutating func take(_ sky: GPSDReport.Sky) {
        if device == nil || follows(sky.device) { self.sky = sky }
    }

    mutating func take(_ errors: GPSDReport.Errors) {
        if device == nil || follows(errors.device) { self.errors = errors }
    }

    /// The fix of a position report, if it is the first of a new epoch of the device that is followed.
    mutating func fix(_ report: GPSDReport.Position) -> Fix? {
        guard report.mode >= 2, let latitude = report.latitude, let longitude = report.longitude else { return nil }
        guard let milliseconds = report.time, latitude.magnitude <= 90, longitude.magnitude <= 180,
            milliseconds >= Plausibility.startOfGPSTime, milliseconds < Plausibility.latestDate
        else {
            dropped += 1
            return nil
        }
        let time = Timestamp(millisecondsSince1970: milliseconds)
        guard choose(report.device, at: time) else { return nil }
        guard advance(to: time) else {
            dropped += 1
            return nil
        }
        var location = Location(
            timestamp: time, latitude: latitude, longitude: longitude, simulated: report.quality == .simulated)
        location.altitude = report.altitude
        location.ellipsoidalAltitude = report.ellipsoidalAltitude
        if report.speed ?? 0 <= Plausibility.greatestSpeed {
            location.course = report.course.flatMap { (0..<360).contains($0) ? $0 : $0 == 360 ? 0 : nil }
            location.speed = report.speed.flatMap { $0 >= 0 ? $0 : nil }
        }
        location.receiver = receiver

        var fix = Fix(location: location)
        fix.quality = report.quality
        fix.dimension = report.mode == 2 ? .two : .three
        if let sky, sky.device == report.device {
            fix.satellitesUsed = sky.satellitesUsed
            fix.hdop = sky.hdop
            fix.vdop = sky.vdop
            fix.pdop = sky.pdop
        }
        fix.setAccuracies(report, recentErrors(of: report.device, at: time))
        return fix
    }

    private func recentErrors(of device: String, at time: Timestamp) -> GPSDReport.Errors? {
        guard let errors, errors.device == device, let told = errors.time else { return nil }
        let age = time.seconds(since: Timestamp(millisecondsSince1970: told))
        return (0...Self.errorsLifetime).contains(age) ? errors : nil
    }

    private mutating func choose(_ candidate: String, at time: Timestamp) -> Bool {
        if follows(candidate) { return true }
        if let lastTime, time.seconds(since: lastTime) <= Self.deviceTimeout { return false }
        device = candidate
        lastTime = nil
        backward.reset()
        return true
    }

    private mutating func advance(to time: Timestamp) -> Bool {
        if let lastTime, time <= lastTime {
            if time == lastTime { return false }
            guard backward.accepts(time.millisecondsSince1970, isAfter: >) else { return false }
        }
        lastTime = time
        backward.reset()
        return true
    }
}
