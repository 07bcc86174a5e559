internal import LocationModel

/// The emitters that move: those of trains, buses and phones. An emitter that was heard away from its place, with two
/// fixes minutes apart, is one of them, and is never evidence of stillness again.
struct MobileEmitters: Sendable {
    /// The least distance between two places of an emitter that moves, in metres, besides the errors of both: three
    /// times the range of an access point.
    static let distance = 300.0
    /// The greatest number of emitters whose places are remembered. Of more, the latest.
    static let maximumCount = 1024
    /// The greatest time between a scan and a fix that give the place of an emitter, in seconds.
    static let greatestAge = 120.0
    /// The least time between two fixes that show that an emitter has moved, in seconds. A single one may be wrong.
    static let confirmation = 120.0
    /// The speed assumed for the device between a scan and a fix, in metres per second.
    private static let speed = 60.0
    /// The accuracy assumed for a fix that does not state one, in metres.
    private static let unknownAccuracy = 100.0

    private struct Sighting {
        let location: Location
        /// The greatest plausible error of the location, in metres.
        let error: Double
        let time: Double

        func isFar(from other: Sighting) -> Bool {
            location.distance(to: other.location) > MobileEmitters.distance + error + other.error
        }
    }

    private struct Place {
        /// The most accurate sighting.
        var best: Sighting
        let number: Int
        /// A Boolean value indicating whether another fix, minutes later, was at the place.
        var isConfirmed = false
        /// The first sighting elsewhere since the last one at the place, or `nil` if there was none.
        var rival: Sighting?
    }

    /// The emitters that move.
    private(set) var ids: Set<UInt64> = []
    /// The same, the first one found first.
    private(set) var order: [UInt64] = []
    private var places: [UInt64: Place] = [:]
    private var counter = 0

    /// Records at `now` that emitters were heard `age` seconds before or after a fix. Returns those found to move.
    mutating func observe(_ emitters: Set<UInt64>, at location: Location, age: Double, now: Double) -> Set<UInt64> {
        guard age <= Self.greatestAge else { return [] }
        let error: Double = (location.horizontalAccuracy ?? Self.unknownAccuracy) + Self.speed * age
        let sighting = Sighting(location: location, error: error, time: now)
        var found: Set<UInt64> = []
        for id in emitters where !ids.contains(id) {
            counter += 1
            let place = places[id] ?? Place(best: sighting, number: counter)
            guard let next = Self.next(place, sighting) else {
                found.insert(id)
                continue
            }
            places[id] = next
        }
        add(found)
        trim()
        return found
    }

    /// Returns an emitter's place after another sighting, or `nil` if the emitter moves.
    private static func next(_ place: Place, _ sighting: Sighting) -> Place? {
        var place = place
        if !sighting.isFar(from: place.best) {
            if sighting.time - place.best.time >= confirmation { place.isConfirmed = true }
            if sighting.error < place.best.error { place.best = sighting }
            place.rival = nil
            return place
        }
        guard let rival = place.rival else {
            place.rival = sighting
            return place
        }
        guard sighting.time - rival.time >= confirmation else { return place }
        // If the other two agree, the only fix at the place may have been the wrong one.
        return place.isConfirmed || sighting.isFar(from: rival) ? nil : Place(best: sighting, number: place.number)
    }

    /// Makes these emitters those that move.
    mutating func replace(with order: [UInt64]) {
        self.order = Array(order.suffix(Self.maximumCount))
        ids = Set(self.order)
        for id in ids { places[id] = nil }
    }

    /// Discards what depends on times of fixes, whose clock may change.
    mutating func forgetTimes() {
        for (id, place) in places {
            let best = Sighting(location: place.best.location, error: place.best.error, time: .infinity)
            places[id] = Place(best: best, number: place.number, isConfirmed: place.isConfirmed)
        }
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
