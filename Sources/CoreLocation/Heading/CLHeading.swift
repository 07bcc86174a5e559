import Foundation

/// The direction in which the device points.
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
    /// Immutable after initialization.
    private var values: Values

    /// The values of a heading. The properties with the same names document them.
    struct Values {
        var magneticHeading: CLLocationDirection = 0
        var trueHeading: CLLocationDirection = -1
        var headingAccuracy: CLLocationDirection = -1
        var x: CLHeadingComponentValue = 0
        var y: CLHeadingComponentValue = 0
        var z: CLHeadingComponentValue = 0
        var timestamp = Date()
    }

    /// Creates an invalid heading. Subclasses override the properties.
    public override init() {
        values = Values()
        super.init()
    }

    convenience init(_ values: Values) {
        self.init()
        self.values = values
    }

    /// The heading in degrees clockwise from magnetic north, 0..<360.
    open var magneticHeading: CLLocationDirection { values.magneticHeading }
    /// The heading in degrees clockwise from true north, 0..<360. Negative if it is unknown.
    open var trueHeading: CLLocationDirection { values.trueHeading }
    /// The accuracy of the headings in degrees, with 68 % confidence. Negative if the headings are invalid.
    open var headingAccuracy: CLLocationDirection { values.headingAccuracy }
    /// The magnetic field along the x axis in microteslas. Always 0 on Linux, where receivers report only headings.
    open var x: CLHeadingComponentValue { values.x }
    /// The magnetic field along the y axis in microteslas. Always 0 on Linux.
    open var y: CLHeadingComponentValue { values.y }
    /// The magnetic field along the z axis in microteslas. Always 0 on Linux.
    open var z: CLHeadingComponentValue { values.z }
    /// The time of the heading.
    open var timestamp: Date { values.timestamp }

    /// A description with every property.
    open override var description: String {
        String(
            format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f x %+.3f y %+.3f z %+.3f @ ", magneticHeading,
            trueHeading, headingAccuracy, x, y, z) + "\(timestamp)"
    }

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a heading, or returns `nil` if the archive does not contain one.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "magneticHeading") else { return nil }
        values = Values(
            magneticHeading: coder.decodeDouble(forKey: "magneticHeading"),
            trueHeading: coder.decodeDouble(forKey: "trueHeading"),
            headingAccuracy: coder.decodeDouble(forKey: "headingAccuracy"),
            x: coder.decodeDouble(forKey: "x"), y: coder.decodeDouble(forKey: "y"), z: coder.decodeDouble(forKey: "z"),
            timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")))
        super.init()
    }

    /// Encodes every property.
    open func encode(with coder: NSCoder) {
        coder.encode(magneticHeading, forKey: "magneticHeading")
        coder.encode(trueHeading, forKey: "trueHeading")
        coder.encode(headingAccuracy, forKey: "headingAccuracy")
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
        coder.encode(z, forKey: "z")
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    }
}
