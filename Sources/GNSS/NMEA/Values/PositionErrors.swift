/// The errors of an epoch's position, as estimated by the receiver (GST). Each is a standard deviation and at least 0.
public struct PositionErrors: Sendable, Equatable {
    /// The root mean square of the range residuals, in metres.
    public internal(set) var rangeResiduals: Double?
    /// The semi-major axis of the error ellipse, in metres.
    public internal(set) var semiMajorAxis: Double?
    /// The semi-minor axis of the error ellipse, in metres.
    public internal(set) var semiMinorAxis: Double?
    /// The direction of the semi-major axis, in degrees clockwise from true north.
    public internal(set) var orientation: Double?
    /// The error of the latitude, in metres.
    public internal(set) var latitude: Double?
    /// The error of the longitude, in metres.
    public internal(set) var longitude: Double?
    /// The error of the altitude, in metres.
    public internal(set) var altitude: Double?

    /// Creates errors without known values.
    public init() {}
}

extension NMEADecoder {
    /// The errors of the last epoch, or `nil` if the receiver has not sent errors for it.
    public var positionErrors: PositionErrors? {
        let sent = errors.statistics
        guard sent.time >= 0, endedTime >= 0, Calendar.sameMoment(sent.time, endedTime) else { return nil }
        var values = PositionErrors()
        values.rangeResiduals = sent.ranges.notNegative
        values.semiMajorAxis = sent.major.notNegative
        values.semiMinorAxis = sent.minor.notNegative
        values.orientation = sent.orientation.notNegative
        values.latitude = sent.north.notNegative
        values.longitude = sent.east.notNegative
        values.altitude = sent.up.notNegative
        return values
    }
}

extension FixedPoint {
    fileprivate var notNegative: Double? { !isNone && mantissa >= 0 ? scaled() : nil }
}
