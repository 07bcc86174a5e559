public import LocationModel

/// A place that was visited, once or many times.
public struct SignificantPlace: Sendable, Equatable {
    /// The latitude in degrees, WGS 84: the mean of the visits.
    public private(set) var latitude: Double
    /// The longitude in degrees, WGS 84: the mean of the visits.
    public private(set) var longitude: Double
    /// The number of visits.
    public private(set) var visits: Int
    /// The last arrival.
    public private(set) var lastVisit: Timestamp

    /// Returns the places of these visits, the most visited first. A visit belongs to a place if it is within the visit
    /// radius of the mean of that place's other visits.
    public static func places(of visits: [Visit]) -> [SignificantPlace] {
        var stays: [(stay: Stay, visits: Int)] = []
        for visit in visits.sorted(by: { $0.arrival < $1.arrival }) {
            let location = Location(timestamp: visit.arrival, latitude: visit.latitude, longitude: visit.longitude)
            if let index = stays.indices.first(where: { stays[$0].stay.absorb(location, within: VisitDetector.radius) })
            {
                stays[index].visits += 1
            } else {
                stays.append((Stay(at: location), 1))
            }
        }
        return stays.map { stay, visits in
            SignificantPlace(
                latitude: stay.centre.latitude, longitude: stay.centre.longitude, visits: visits,
                lastVisit: stay.lastFix)
        }.sorted { ($1.visits, $1.lastVisit) < ($0.visits, $0.lastVisit) }
    }
}
