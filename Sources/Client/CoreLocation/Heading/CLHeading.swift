import Foundation

/// The direction the device points in.
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
    /// Immutable after initialization.
    private var values: Values

    /// The values of a heading. The properties with the same names document them.
    package struct Values {
        package var magneticHeading: CLLocationDirection = 0
        package var trueHeading: CLLocationDirection = -1
        package var headingAccuracy: CLLocationDirection = -1
        package var x: CLHeadingComponentValue = 0
        package var y: CLHeadingComponentValue = 0
        package var z: CLHeadingComponentValue = 0
        package var timestamp = Date()

        /// The values of an invalid heading.
        package static var invalid: Self { Self() }
    }

    /// Creates an invalid heading. Subclasses override the properties.
    public override init() {
        values = .invalid
        super.init()
    }

    package convenience init(_ values: Values) {
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

    /// Decodes a heading. Values missing from the archive default to the values of ``init()``, and the time to 1
    /// January 2001.
    public required init?(coder: NSCoder) {
        let archive = ArchivedValues(coder)
        let absent = Values()
        values = Values(
            magneticHeading: archive.double(for: "magneticHeading") ?? absent.magneticHeading,
            trueHeading: archive.double(for: "trueHeading") ?? absent.trueHeading,
            headingAccuracy: archive.double(for: "headingAccuracy") ?? absent.headingAccuracy,
            x: archive.double(for: "x") ?? absent.x,
            y: archive.double(for: "y") ?? absent.y,
            z: archive.double(for: "z") ?? absent.z,
            timestamp: archive.timestamp)
        super.init()
    }

    /// Encodes every property.
    open func encode(with coder: NSCoder) {
        let archive = ArchivedValues(coder)
        archive.encode(magneticHeading, for: "magneticHeading")
        archive.encode(trueHeading, for: "trueHeading")
        archive.encode(headingAccuracy, for: "headingAccuracy")
        archive.encode(x, for: "x")
        archive.encode(y, for: "y")
        archive.encode(z, for: "z")
        archive.encode(timestamp, for: "timestamp")
    }
}

/// The physical orientation of a device. It decides which side of the device a heading refers to.
@nonexhaustive
public enum CLDeviceOrientation: Int32, Sendable {
    /// The orientation is unknown.
    case unknown = 0
    /// The device is upright, with its top pointing up.
    case portrait = 1
    /// The device is upright, with its top pointing down.
    case portraitUpsideDown = 2
    /// The device is upright, with its top pointing left.
    case landscapeLeft = 3
    /// The device is upright, with its top pointing right.
    case landscapeRight = 4
    /// The device is lying flat, with its display facing up.
    case faceUp = 5
    /// The device is lying flat, with its display facing down.
    case faceDown = 6
}
