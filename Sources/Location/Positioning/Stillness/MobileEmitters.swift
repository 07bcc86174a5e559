internal import LocationModel

/// The emitters that move: those of trains, buses and phones. An emitter that was heard at two places is one of them,
/// and is never evidence of stillness again.
struct MobileEmitters: Sendable {
    /// The least distance between two places of an emitter that moves, in metres, besides the errors of both: three
    /// times the range of an access point.
    static let distance = 300.0
    /// The greatest number of emitters whose places are remembered. Of more, the latest.
    static let maximumCount = 1024
    /// The greatest time between a scan and a fix that give the place of an emitter, in seconds.
    static let greatestAge = 120.0
    /// The speed assumed for the device between a scan and a fix, in metres per second.
    private static let speed = 60.0
    /// The accuracy assumed for a fix that does not state one, in metres.
    private static let unknownAccuracy = 100.0

    private struct Place {
        let location: Location
        /// The greatest plausible error of the place, in metres.
        let error: Double
        let number: Int
    }

    /// The emitters that move.
    private(set) var ids: Set<UInt64> = []
    private var order: [UInt64] = []
    private var places: [UInt64: Place] = [:]
    private var counter = 0

    /// Records that emitters were heard `age` seconds before or after a fix. Returns those found to move.
    mutating func observe(_ emitters: Set<UInt64>, at location: Location, age: Double) -> Set<UInt64> {
        guard age <= Self.greatestAge else { return [] }
        let error = (location.horizontalAccuracy ?? Self.unknownAccuracy) + Self.speed * age
        var found: Set<UInt64> = []
        for id in emitters where !ids.contains(id) {
            counter += 1
            guard let place = places[id] else {
                places[id] = Place(location: location, error: error, number: counter)
                continue
            }
            if place.location.distance(to: location) > Self.distance + place.error + error {
                found.insert(id)
            } else if error < place.error {
                places[id] = Place(location: location, error: error, number: counter)
            }
        }
        add(found)
        trim()
        return found
    }

    private mutating func add(_ found: Set<UInt64>) {
        for id in found {
            places[id] = nil
            ids.insert(id)
            order.append(id)
        }
        while order.count > Self.maximumCount { ids.remove(order.removeFirst()) }
    }

    private mutating func trim() {
        guard places.count > Self.maximumCount else { return }
        let latest = places.sorted { $0.value.number > $1.value.number }.prefix(Self.maximumCount / 2)
        places = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
    }
}
