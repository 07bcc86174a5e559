import Foundation

/// Where the device points.
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
    /// Not changed once the object is made.
    private var values: Values

    /// What a heading holds, named and documented as its properties.
    struct Values {
        var magneticHeading: CLLocationDirection = 0
        var trueHeading: CLLocationDirection = -1
        var headingAccuracy: CLLocationDirection = -1
        var x: CLHeadingComponentValue = 0
        var y: CLHeadingComponentValue = 0
        var z: CLHeadingComponentValue = 0
        var timestamp = Date()
    }

    /// An invalid heading; a subclass tells more.
    public override init() {
        values = Values()
        super.init()
    }

    convenience init(_ values: Values) {
        self.init()
        self.values = values
    }

    /// Degrees clockwise from magnetic north, 0..<360.
    open var magneticHeading: CLLocationDirection { values.magneticHeading }
    /// Degrees clockwise from true north, 0..<360; negative if that is not known.
    open var trueHeading: CLLocationDirection { values.trueHeading }
    /// Degrees, 68 %; negative if the headings are invalid.
    open var headingAccuracy: CLLocationDirection { values.headingAccuracy }
    /// Microteslas; 0 on Linux, where receivers tell headings only.
    open var x: CLHeadingComponentValue { values.x }
    /// Microteslas; 0 on Linux.
    open var y: CLHeadingComponentValue { values.y }
    /// Microteslas; 0 on Linux.
    open var z: CLHeadingComponentValue { values.z }
    /// When the heading held.
    open var timestamp: Date { values.timestamp }

    /// Every property.
    open override var description: String {
        String(
            format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f x %+.3f y %+.3f z %+.3f @ ", magneticHeading,
            trueHeading, headingAccuracy, x, y, z) + "\(timestamp)"
    }

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// `nil` if there is no heading in the archive.
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

    /// Writes every property.
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
