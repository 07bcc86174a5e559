internal import LocationModel

/// A place where the device was at rest: a circle, and the emitters that are heard in it.
struct RememberedPlace: Sendable {
    /// The least radius, in metres: what is heard differs little within the range of an access point.
    static let leastRadius = 65.0
    /// The greatest radius that a place grows to, in metres.
    static let greatestRadius = 200.0
    /// The step that the radius grows by, in metres. Each one is written to the disk.
    private static let step = 25.0

    /// The latitude of the centre in degrees, WGS 84.
    let latitude: Double
    /// The longitude of the centre in degrees, WGS 84.
    let longitude: Double
    /// The radius, in metres.
    private(set) var radius: Double
    /// The day of the last use, counted from 1970.
    var lastUse: Int
    var radio: RadioPlace

    init(latitude: Double, longitude: Double, radius: Double, lastUse: Int, radio: RadioPlace) {
        (self.latitude, self.longitude, self.lastUse, self.radio) = (latitude, longitude, lastUse, radio)
        self.radius = min(max(radius, Self.leastRadius), Self.greatestRadius)
    }

    /// A Boolean value indicating whether enough emitters are left to know the place by.
    var isKnowable: Bool { radio.count >= PlaceMemory.leastEmitters }

    /// Returns the distance from the centre to a location, in metres.
    func distance(to location: Location) -> Double { distance(location.latitude, location.longitude) }

    /// Returns the distance between two centres, in metres.
    func distance(to other: RememberedPlace) -> Double { distance(other.latitude, other.longitude) }

    private func distance(_ latitude: Double, _ longitude: Double) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: self.latitude, longitude: self.longitude, toLatitude: latitude, longitude: longitude)
    }

    /// Makes the circle large enough for places this far from its centre, in metres. Returns whether it has grown.
    mutating func grow(to distance: Double) -> Bool {
        guard distance > radius else { return false }
        let before = radius
        radius = min((distance / Self.step).rounded(.up) * Self.step, Self.greatestRadius)
        return radius > before
    }

    /// Replaces the emitters by those that were heard at another time. Of the former ones, the strongest stay.
    mutating func hear(_ radio: RadioPlace) {
        let (new, former) = (radio.strengths, self.radio.strengths)
        let room = max(0, RadioPlace.maximumEmitters - new.count)
        let kept = former.filter { new[$0.key] == nil }.sorted { $0.value > $1.value }.prefix(room)
        self.radio = RadioPlace(strengths: new.merging(kept.map { ($0.key, $0.value) }) { strength, _ in strength })
    }
}
