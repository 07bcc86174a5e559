import Glibc
import LocationModel
import NMEA

extension Fix {
    /// From 95 % to 68 % of a normal distribution, in one dimension.
    private static let from95Percent = 0.9945 / 1.96
    /// The same of a radius, in two: √(ln(1/0.32) / ln(1/0.05)).
    private static let radiusFrom95Percent = 0.617

    /// Sets the accuracies, at 68 %, from the first of these that is known: the receiver's own estimate (GST); with RTK,
    /// dilution of precision times the range error, because gpsd reckons with that of an uncorrected fix; gpsd's
    /// estimate, at 95 %; dilution of precision times the range error.
    mutating func setAccuracies(_ report: GPSDReport.Position, _ errors: GPSDReport.Errors?) {
        let isRTK = quality == .rtkFixed || quality == .rtkFloat
        location.horizontalAccuracy =
            Self.radius(errors?.major, errors?.minor) ?? Self.radius(errors?.north, errors?.east)
            ?? (isRTK ? hdop.map { $0 * rangeError } : nil)
            ?? Self.radius(report.eastError, report.northError).map { $0 / 1.96 }
            ?? report.horizontalError.positive.map { $0 * Self.radiusFrom95Percent }
            ?? hdop.map { $0 * rangeError }
        if location.altitude != nil || location.ellipsoidalAltitude != nil, dimension == .three {
            location.verticalAccuracy =
                errors?.up.positive.map { $0 * 0.9945 } ?? (isRTK ? vdop.map { $0 * rangeError } : nil)
                ?? report.verticalError.positive.map { $0 * Self.from95Percent } ?? vdop.map { $0 * rangeError }
        }
        setMotionAccuracies(report)
    }

    /// gpsd's estimate of the speed's error is the difference of two positions' errors, tens of metres a second, for
    /// receivers that do not tell their own. Speeds come from Doppler shifts, good to 0.15 m/s at a dilution of 1 as the
    /// NMEA decoder has it; so the smaller one counts.
    private mutating func setMotionAccuracies(_ report: GPSDReport.Position) {
        guard let speed = location.speed, quality != .manual, quality != .estimated else { return }
        let estimates = [report.speedError.positive.map { $0 * Self.from95Percent }, hdop.map { $0 * 0.15 }]
        location.speedAccuracy = estimates.compactMap(\.self).min()
        guard location.course != nil, let accuracy = location.speedAccuracy, speed > accuracy else { return }
        location.courseAccuracy = atan(accuracy / speed) * 180 / .pi
    }

    /// Metres at a dilution of precision of 1: the table of the NMEA decoder.
    private var rangeError: Double {
        switch quality {
        case .rtkFixed: 0.02
        case .rtkFloat: 0.5
        case .differential, .precise: 2
        case .estimated: 20
        case .autonomous, .simulated, .manual, nil: 5
        }
    }

    /// The radius that holds 68 % of a normal distribution with these standard deviations along its axes: see the NMEA
    /// decoder's `RangeError`.
    private static func radius(_ a: Double?, _ b: Double?) -> Double? {
        guard let a = a.positive, let b = b.positive else { return nil }
        let ratio = min(a, b) / max(a, b)
        return max(a, b) * (0.9945 + 0.515 * ratio * ratio)
    }
}

extension Double? {
    /// The number when it is above zero: 0 stands for an error that is not known.
    fileprivate var positive: Double? {
        flatMap { $0 > 0 ? $0 : nil }
    }
}
