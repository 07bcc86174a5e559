import Glibc
import LocationModel
import NMEA

extension Location {
    /// The factor from 95 % to 68 % of a normal distribution in one dimension.
    private static let from95Percent = RangeError.interval / 1.96
    /// The same for a radius in two dimensions: √(ln(1/0.32) / ln(1/0.05)).
    private static let radiusFrom95Percent = 0.617

    /// Sets the accuracies, at 68 %, from the first known one of: the receiver's own estimate (GST); for RTK, dilution
    /// of precision times the range error, because gpsd assumes the range error of an uncorrected fix; gpsd's estimate,
    /// at 95 %; dilution of precision times the range error.
    ///
    /// - Parameter vdop: The vertical dilution of precision, or `nil` if it is not known.
    mutating func setAccuracies(_ report: GPSDReport.Position, _ errors: GPSDReport.Errors?, vdop: Double?) {
        let isRTK = report.quality == .rtkFixed || report.quality == .rtkFloat
        func byDilution(_ dilution: Double?) -> Double? {
            guard let dilution, let error = RangeError.metres(report.quality ?? .autonomous) else { return nil }
            return dilution * error
        }
        let hdop = horizontalDilution
        horizontalAccuracy =
            Self.radius(errors?.major, errors?.minor) ?? Self.radius(errors?.north, errors?.east)
            ?? (isRTK ? byDilution(hdop) : nil)
            ?? Self.radius(report.eastError, report.northError).map { $0 / 1.96 }
            ?? report.horizontalError.positive.map { $0 * Self.radiusFrom95Percent }
            ?? byDilution(hdop)
        if altitude != nil || ellipsoidalAltitude != nil, report.mode != 2 {
            verticalAccuracy =
                errors?.up.positive.map { $0 * RangeError.interval } ?? (isRTK ? byDilution(vdop) : nil)
                ?? report.verticalError.positive.map { $0 * Self.from95Percent } ?? byDilution(vdop)
        }
        setMotionAccuracies(report)
    }

    /// Sets the accuracies of speed and course.
    ///
    /// For receivers that do not report a speed error, gpsd's estimate is the difference of two position errors, tens
    /// of metres per second. Speed comes from Doppler shifts, and the NMEA decoder assumes them to be good to 0.15 m/s
    /// at a dilution of 1. So the smaller value counts.
    private mutating func setMotionAccuracies(_ report: GPSDReport.Position) {
        guard let speed, report.quality != .manual, report.quality != .estimated else {
            return
        }
        let estimates = [
            report.speedError.positive.map { $0 * Self.from95Percent },
            horizontalDilution.map { $0 * RangeError.speed },
        ]
        speedAccuracy = estimates.compactMap(\.self).min()
        guard course != nil, let accuracy = speedAccuracy, speed > accuracy else { return }
        courseAccuracy = atan(accuracy / speed) * 180 / .pi
    }

    /// Returns the radius that contains 68 % of a normal distribution with these standard deviations along its axes, or
    /// `nil` if one of them is unknown.
    private static func radius(_ a: Double?, _ b: Double?) -> Double? {
        guard let a = a.positive, let b = b.positive else { return nil }
        return RangeError.radius(a, b)
    }
}

extension Double? {
    /// The number if it is positive: 0 means that the error is unknown.
    fileprivate var positive: Double? {
        flatMap { $0 > 0 ? $0 : nil }
    }
}
