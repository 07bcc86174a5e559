import Foundation

/// A stay of some minutes at a place.
open class CLVisit: NSObject, NSCopying, NSSecureCoding {
    /// Not changed once the object is made.
    private var values: Values

    /// What a visit holds, named and documented as its properties.
    struct Values {
        var arrivalDate = Date.distantPast
        var departureDate = Date.distantFuture
        var coordinate = CLLocationCoordinate2D()
        var horizontalAccuracy: CLLocationAccuracy = 0
    }

    /// A visit of unknown beginning that has not ended; a subclass tells more.
    public override init() {
        values = Values()
        super.init()
    }

    convenience init(_ values: Values) {
        self.init()
        self.values = values
    }

    /// When the visit began; `Date.distantPast` if that is not known.
    open var arrivalDate: Date { values.arrivalDate }
    /// When the visit ended; `Date.distantFuture` while it lasts.
    open var departureDate: Date { values.departureDate }
    /// About where, in degrees.
    open var coordinate: CLLocationCoordinate2D { values.coordinate }
    /// Metres around the coordinate.
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }

    /// Place, accuracy and both dates.
    open override var description: String {
        String(format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude, horizontalAccuracy)
            + " (\(arrivalDate) to \(departureDate))"
    }

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// `nil` if there is no visit in the archive.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "longitude") else { return nil }
        values = Values(
            arrivalDate: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "arrivalDate")),
            departureDate: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "departureDate")),
            coordinate: CLLocationCoordinate2D(
                latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude")),
            horizontalAccuracy: coder.decodeDouble(forKey: "horizontalAccuracy"))
        super.init()
    }

    /// Writes every property.
    open func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: "latitude")
        coder.encode(coordinate.longitude, forKey: "longitude")
        coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
        coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: "arrivalDate")
        coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: "departureDate")
    }
}
