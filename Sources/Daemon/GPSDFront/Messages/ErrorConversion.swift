/// The conversion of our accuracies to gpsd's error estimates. No other code makes it.
///
/// Our accuracies contain the true value with a probability of 68 %, gpsd's estimates with 95 % (gps.h: "Error
/// estimates are at 95% confidence"). Errors are assumed to be normally distributed, in the plane with the same
/// deviation σ to the north and to the east:
///
/// - A radius that contains 68 % is 1.510 σ, and one that contains 95 % is 2.448 σ: the radius grows by 1.62.
/// - Half an interval that contains 68 % is 0.9945 σ. gpsd multiplies deviations by 1.96, and so does this conversion.
/// - An interval to the east or north that contains 95 % is 1.96 σ: the radius of 95 % over 1.25.
enum ErrorConversion {
    /// Returns the radius for 95 % (eph) from the radius for 68 %.
    static func radius(_ accuracy: Double?) -> Double? { accuracy.map { $0 * 1.62 } }

    /// Returns the error along one axis for 95 % (epx, epy) from the radius for 68 %.
    static func axis(_ accuracy: Double?) -> Double? { radius(accuracy).map { $0 / 1.25 } }

    /// Returns half the interval for 95 % (epv, eps, epd) from half the interval for 68 %.
    static func interval(_ accuracy: Double?) -> Double? { accuracy.map { $0 * 1.96 } }
}
