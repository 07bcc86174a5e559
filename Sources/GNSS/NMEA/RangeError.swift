/// The range errors of receivers, and the source of the 68 % accuracies of an `Epoch`.
///
/// The first available one of these sources is used:
///
/// 1. UBX-NAV-HPPOSLLH and UBX-NAV-PVT: u-blox's hAcc and vAcc, which are at 68 % (u-blox M8 Receiver Description,
///    "Position accuracy"), and the accuracies of speed and course.
/// 2. GST: the standard deviations of the position. The radius that contains 68 % of a two-dimensional normal
///    distribution with the axes a ≥ b is a × (0.9945 + 0.515 (b/a)²) within 3 %, by numerical integration; it is
///    1.51 σ for a circle. For the height, in one dimension, it is 0.9945 σ. Without the axes of the ellipse, the
///    standard deviations of latitude and longitude are used.
/// 3. PUBX,00: the same hAcc and vAcc.
/// 4. PGRME: Garmin's EPE, at 50 % (gpsd, `driver_nmea0183.c`, and Garmin's support pages). From 50 % to 68 %, the
///    radius of a circular normal distribution grows by √(ln(1/0.32) / ln 2) = 1.282, an interval by 0.9945/0.6745
///    = 1.474.
/// 5. GBS: expected errors, treated as standard deviations like the errors in GST.
/// 6. The dilution of precision times the range error for the kind of fix, from the table below. HDOP × error is the
///    root of the sum of both variances ("1 drms"), which contains 63 to 68 %.
///
/// The range errors, in metres, one standard deviation:
///
/// | kind | metres | source |
/// |---|---|---|
/// | autonomous | 5 | GPS SPS Performance Standard (2020), 3.8: 8 m horizontal at 95 % is 4.9 m at 68 % and HDOP 1 |
/// | differential | 2 | EGNOS Open Service Definition Document: 3 m horizontal at 95 % is 1.9 m at 68 % |
/// | precise | 2 | Kaplan, Hegarty, "Understanding GPS/GNSS", 3rd ed., table 10.3: 1.4 m, and multipath |
/// | RTK float | 0.5 | decimetres until the ambiguities are fixed: u-blox ZED-F9P data sheet and practice |
/// | RTK fixed | 0.02 | 0.01 m + 1 ppm of the baseline: the same data sheet, at 10 km |
/// | dead reckoning | 20 | grows with time, which NMEA does not report; u-blox M8U: 2 % of 1 km without a fix |
/// | simulated | 5 | the same as autonomous, so that a simulated fix is treated like a real one |
/// | unknown | 5 | the same as autonomous, the least that a fix has |
///
/// Readers of NMEA and of gpsd share this table. A manually entered position has no range error. Without a DOP, the
/// accuracy is not known, except for the 20 m of dead reckoning.
public enum RangeError {
    /// Returns the range error at a DOP of 1, in metres, or `nil` if the quality has none.
    public static func metres(_ quality: FixQuality) -> Double? {
        switch quality {
        case .autonomous, .simulated, .unknown: 5
        case .differential, .precise: 2
        case .rtkFloat: 0.5
        case .rtkFixed: 0.02
        case .estimated: 20
        case .manual: nil
        }
    }

    /// The speed error at a DOP of 1, in metres per second. Speed comes from Doppler shifts, regardless of corrections
    /// to the position. Receivers' data sheets state 0.05 m/s at 50 % under the best sky; gpsd and others use 0.1 to
    /// 0.2 at one standard deviation.
    public static let speed = 0.15

    /// Returns the radius that contains 68 % of a normal distribution with these standard deviations along its axes.
    public static func radius(_ a: Double, _ b: Double) -> Double {
        let major = max(a, b)
        let ratio = min(a, b) / major
        return major * (0.9945 + 0.515 * ratio * ratio)
    }

    /// The factor from the standard deviation to 68 %, in one dimension.
    public static let interval = 0.9945
    /// The factors from 50 % to 68 %, in two dimensions and in one dimension.
    static let circleFromMedian = 1.282
    static let intervalFromMedian = 1.474
}

extension Epoch {
    /// The radius that contains the true position with a probability of 68 %, in metres. It includes the error of a
    /// datum other than WGS 84.
    public var horizontalAccuracy: Double? {
        guard datumError > 0 else { return statedHorizontalAccuracy }
        return statedHorizontalAccuracy.map { $0 + Double(datumError) }
    }

    private var statedHorizontalAccuracy: Double? {
        if let reportedHorizontalAccuracy { return reportedHorizontalAccuracy }
        if let hdop { return byDilution(hdop) }
        return quality == .estimated ? RangeError.metres(.estimated) : nil
    }

    /// Half the height interval that contains the true height with a probability of 68 %, in metres.
    public var verticalAccuracy: Double? {
        guard dimension != .two, !sent.altitude.isNone || !sent.ellipsoidalAltitude.isNone else { return nil }
        if let reportedVerticalAccuracy { return reportedVerticalAccuracy }
        guard let vdop else { return nil }
        return byDilution(vdop)
    }

    /// The accuracy of a known speed in metres per second, 68 %.
    var accuracyOfSpeed: Double? {
        if let reported = sent.motion.reportedSpeedAccuracy { return reported }
        guard let hdop, quality != .manual, quality != .estimated else { return nil }
        return hdop * RangeError.speed
    }

    /// Returns the accuracy of a known course in degrees, 68 %, or `nil` if the device may as well be stationary.
    func accuracyOfCourse(_ speed: Double?, _ speedAccuracy: Double?) -> Double? {
        if !sent.motion.isNone { return sent.motion.reportedCourseAccuracy }
        guard let speed, let speedAccuracy, speed > speedAccuracy else { return nil }
        return Compass.arctangent(speedAccuracy / speed)
    }

    private func byDilution(_ dilution: Double) -> Double? {
        guard let error = RangeError.metres(quality) else { return nil }
        return dilution * error
    }
}

extension SentMotion {
    /// The accuracy of the speed in metres per second, or `nil` if it is not known.
    fileprivate var reportedSpeedAccuracy: Double? {
        isNone || speedAccuracy == 0 || speedAccuracy == .max ? nil : Double(speedAccuracy) / 1000
    }

    /// The accuracy of the course in degrees, or `nil` if it is not known. Half a turn counts as unknown.
    fileprivate var reportedCourseAccuracy: Double? {
        (1..<18_000_000).contains(courseAccuracy) ? Double(courseAccuracy) / 1e5 : nil
    }
}

extension ErrorSentences {
    /// Returns the errors that the receiver itself reports for an epoch, at 68 %.
    @inline(__always)
    func accuracies(_ draft: Draft) -> (horizontal: Double?, vertical: Double?) {
        let hasErrors = !draft.horizontalError.isNone || !draft.verticalError.isNone
        guard statistics.isOf(draft.time) || faults.isOf(draft.time) || hasErrors else { return (nil, nil) }
        let circle = draft.errorsAreMedians ? RangeError.circleFromMedian : 1
        let interval = draft.errorsAreMedians ? RangeError.intervalFromMedian : 1
        let isFromFrame = draft.rank == Draft.Rank.ubx.rawValue
        var horizontal = isFromFrame ? draft.horizontalError.positive : nil
        if horizontal == nil { horizontal = statistics.radius(at: draft.time) }
        if horizontal == nil, let error = draft.horizontalError.positive { horizontal = error * circle }
        if horizontal == nil { horizontal = faults.radius(at: draft.time) }
        var vertical = isFromFrame ? draft.verticalError.positive : nil
        if vertical == nil { vertical = statistics.height(at: draft.time) }
        if vertical == nil, let error = draft.verticalError.positive { vertical = error * interval }
        if vertical == nil { vertical = faults.height(at: draft.time) }
        return (horizontal, vertical)
    }
}

extension ErrorSentences.Statistics {
    /// Returns whether these are the errors of the epoch at this time of day.
    @inline(__always)
    fileprivate func isOf(_ time: Int32) -> Bool {
        self.time >= 0 && time >= 0 && Calendar.sameMoment(self.time, time)
    }

    /// Returns the radius that contains 68 % of the positions.
    fileprivate func radius(at time: Int32) -> Double? {
        guard isOf(time) else { return nil }
        if let major = major.positive, let minor = minor.positive { return RangeError.radius(major, minor) }
        guard let north = north.positive, let east = east.positive else { return nil }
        return RangeError.radius(north, east)
    }

    /// Returns half the interval that contains 68 % of the heights.
    fileprivate func height(at time: Int32) -> Double? {
        guard isOf(time), let up = up.positive else { return nil }
        return up * RangeError.interval
    }
}

extension FixedPoint {
    /// The number, or `nil` unless it is above zero: receivers write 0 for an unknown error.
    fileprivate var positive: Double? {
        !isNone && mantissa > 0 ? scaled() : nil
    }
}
