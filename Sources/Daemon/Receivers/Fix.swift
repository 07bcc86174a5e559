public import LocationModel
public import NMEA

/// The result of one epoch of a receiver.
///
/// A class: created once, when the epoch is complete, and passed on without a copy.
public final class Fix: Sendable {
    /// The position, with `receiver` and `simulated` set.
    public let location: Location
    /// The origin of the location's timestamp.
    public let dating: FixDating
    /// The number of dimensions that the receiver solved for, or `nil` if it did not report that.
    public let dimension: FixDimension?
    /// Vertical dilution of precision, 0.01...89.99.
    public let vdop: Double?
    /// Position (3D) dilution of precision, 0.01...89.99.
    public let pdop: Double?
    /// The name of the coordinates' datum if it is not WGS 84. They may then be off by some hundred metres, which the
    /// accuracy includes.
    public let datum: String?

    /// Creates a fix. Everything but the location is optional.
    public init(
        location: Location, dating: FixDating = .receiver, dimension: FixDimension? = nil,
        vdop: Double? = nil, pdop: Double? = nil, datum: String? = nil
    ) {
        self.location = location
        self.dating = dating
        self.dimension = dimension
        self.vdop = vdop
        self.pdop = pdop
        self.datum = datum
    }

    /// Returns the fix with these reasons to doubt it.
    func withDoubts(_ doubts: FixDoubts) -> Fix {
        var location = location
        location.doubts = doubts
        return Fix(location: location, dating: dating, dimension: dimension, vdop: vdop, pdop: pdop, datum: datum)
    }
}

extension Fix: Equatable {
    /// Returns whether two fixes have the same values.
    public static func == (a: Fix, b: Fix) -> Bool {
        a.location == b.location && a.dating == b.dating && a.dimension == b.dimension && a.vdop == b.vdop
            && a.pdop == b.pdop && a.datum == b.datum
    }
}
