import Foundation

/// An area of which crossings can be monitored; in practice a ``CLCircularRegion``.
///
/// Two regions of the same identifier are equal, wherever they are.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
    /// Not changed once the object is made, as the circle.
    private var storedIdentifier: String
    /// The circle, if the region is one.
    private(set) var circle: Circle?

    /// A place and the distance around it.
    struct Circle {
        /// Degrees.
        var center: CLLocationCoordinate2D
        /// Metres.
        var radius: CLLocationDistance
    }

    /// A region without identifier; a subclass tells more.
    public override init() {
        storedIdentifier = ""
        circle = nil
        super.init()
    }

    /// A circle.
    ///
    /// - Parameters:
    ///   - center: degrees.
    ///   - radius: metres.
    ///   - identifier: unique within the app.
    @available(*, deprecated, renamed: "CLCircularRegion.init(center:radius:identifier:)")
    public init(
        circularRegionWithCenter center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
    ) {
        storedIdentifier = identifier
        circle = Circle(center: center, radius: radius)
        super.init()
    }

    /// Completes an initializer. (No initializer of its own: one that is not public would keep the public ones from
    /// being inherited by the app's subclasses.)
    func complete(identifier: String, circle: Circle?) {
        storedIdentifier = identifier
        self.circle = circle
    }

    /// Unique within the app.
    open var identifier: String { storedIdentifier }

    /// A Boolean value indicating whether the app is told when the device enters. Default: `true`.
    open var notifyOnEntry = true

    /// A Boolean value indicating whether the app is told when the device leaves. Default: `true`.
    open var notifyOnExit = true

    /// Degrees; invalid if the region is no circle.
    @available(*, deprecated, renamed: "CLCircularRegion.center")
    open var center: CLLocationCoordinate2D { circle?.center ?? kCLLocationCoordinate2DInvalid }

    /// Metres; -1 if the region is no circle.
    @available(*, deprecated, renamed: "CLCircularRegion.radius")
    open var radius: CLLocationDistance { circle?.radius ?? -1 }

    /// Returns whether `coordinate` is in the region.
    @available(*, deprecated, renamed: "CLCircularRegion.contains(_:)")
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        circle?.contains(coordinate) ?? false
    }

    /// Names the identifier.
    open override var description: String { "\(type(of: self)) (identifier:'\(identifier)')" }

    /// Returns whether `object` is a region of the same identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLRegion)?.identifier == identifier
    }

    /// Of the identifier.
    open override var hash: Int { identifier.hashValue }

    // MARK: Copying and coding

    /// A region of the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        copied(to: CLRegion())
    }

    /// `copy`, with the values of this region.
    func copied(to copy: CLRegion) -> CLRegion {
        copy.complete(identifier: identifier, circle: circle)
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// `nil` if there is no region in the archive.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.object(of: NSString.self, forKey: "identifier") else { return nil }
        storedIdentifier = identifier as String
        if coder.containsValue(forKey: "radius") {
            circle = Circle(
                center: CLLocationCoordinate2D(
                    latitude: coder.decodeDouble(forKey: "latitude"),
                    longitude: coder.decodeDouble(forKey: "longitude")),
                radius: coder.decodeDouble(forKey: "radius"))
        } else {
            circle = nil
        }
        super.init()
        notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
        notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    }

    /// Writes every property.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
        coder.encode(notifyOnExit, forKey: "notifyOnExit")
        if let circle {
            coder.encode(circle.center.latitude, forKey: "latitude")
            coder.encode(circle.center.longitude, forKey: "longitude")
            coder.encode(circle.radius, forKey: "radius")
        }
    }
}

extension CLRegion.Circle {
    /// Returns whether `coordinate` is in the circle or on its border, along the WGS 84 ellipsoid.
    func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        center.distance(to: coordinate) <= radius
    }
}
