public import LocationModel

/// Remembers places by the emitters heard there: where no receiver has a fix, they give the location.
///
/// A place is learnt from accurate fixes, without doubts, of a device that is at rest for some minutes. Fixes that are
/// elsewhere have it forgotten, and so does a place that is found elsewhere with the same emitters: a router that was
/// taken to another flat. Emitters that move are never given to this.
///
/// Attack: the access points of a home are imitated elsewhere, and the machine says that it is there. It names only
/// places where it has been, says that it remembers them, and says nothing for ten minutes after a fix elsewhere. So a
/// location from here is never a proof: regions, visits, doubts about fixes and time ignore it.
///
/// Attack: the signals of satellites are imitated, so that the machine learns a wrong place. It learns nothing from
/// fixes with doubts, and takes back what it has learnt and forgotten in the ten minutes before.
///
/// Times are in seconds of any steady clock. Days are counted from 1970.
public struct PlaceMemory: Sendable {
    /// The greatest number of places. Of more, the least recently used one is forgotten.
    public static let maximumCount = 500
    /// The number of days without a use after which a place is forgotten.
    public static let maximumDays = 365
    /// The least number of emitters of a place.
    public static let leastEmitters = 3
    /// The time that the device must be at rest, in seconds.
    static let restSeconds = 300.0
    /// The greatest distance between two fixes of a device at rest, in metres, besides the accuracy.
    static let restRadius = 35.0
    /// The greatest time between two fixes of a device at rest, in seconds.
    static let greatestGap = 600.0
    /// The accuracy of the fixes that places are learnt from, in metres, 68 %.
    static let fixAccuracy = 20.0
    /// The speed of a device that is not at rest, in metres per second.
    static let greatestSpeed = 2.0
    /// The time that a scan says where the device is, in seconds. While the device is connected as it was then, it says
    /// so for longer: a connected device hardly scans.
    static let scanSeconds = 60.0
    /// The time after a fix elsewhere that no place is given, in seconds.
    public static let disagreementSeconds = 600.0
    /// The difference between the similarities of a scan to two places for the device to be at either.
    static let ambiguity = 0.1
    /// The greatest radius of a location, in metres. If a scan fits places that are further apart, it says nothing.
    public static let greatestRadius = 300.0
    /// The age of a scan that was made where a fix is, in seconds.
    static let freshSeconds = 10.0
    /// The speed assumed for the device between a scan and a fix without a speed, in metres per second.
    private static let travelSpeed = 60.0

    private(set) var places: [RememberedPlace]
    private var rest: DeviceRest?
    private var lastScan: (report: SurroundingsReport, time: Double)?
    /// The emitters that the device has been connected to since a time.
    private var linked: (ids: Set<UInt64>, since: Double) = ([], 0)
    private var disagreedAt = -Double.infinity
    /// The places before each change by fixes in the last ten minutes, and the time of the change.
    private var undo: [(places: [RememberedPlace], time: Double)] = []
    private var isChanged = false

    /// Creates a memory of these places.
    init(places: [RememberedPlace]) { self.places = places }

    /// Creates an empty memory.
    public init() { places = [] }

    /// The number of places.
    public var count: Int { places.count }

    /// The day when a place was used last, or `nil` without places.
    public var lastUse: Int? { places.map(\.lastUse).max() }

    /// Returns the places for the disk if they have changed since the last call, or `nil`.
    public mutating func takeChanges() -> [UInt8]? {
        defer { isChanged = false }
        return isChanged ? bytes : nil
    }

    // MARK: Surroundings and fixes

    /// Handles a report without emitters that move.
    public mutating func observe(_ report: SurroundingsReport, at now: Double) {
        if report.links.isDisjoint(with: linked.ids) {
            linked = (report.links, now)
        } else {
            linked.ids.formIntersection(report.links)
        }
        if report.scan != nil { lastScan = (report, now) }
        if rest?.hear(report) == false { rest = nil }
    }

    /// Handles a fix that counts.
    public mutating func observe(_ location: Location, at now: Double, day: Int) {
        guard Self.isMeasured(location) else {
            rest = nil
            return
        }
        guard location.doubts == nil else { return doubt(at: now) }
        compare(location, at: now, day: day)
        guard location.speed ?? 0 <= Self.greatestSpeed else {
            rest = nil
            return
        }
        follow(location, at: now)
        if let rest, let place = rest.place(on: day, at: now) {
            self.rest?.isLearnt = true
            learn(place, at: now)
        }
    }

    private static func isMeasured(_ location: Location) -> Bool {
        switch location.quality {
        case .fixed, .simulated, .deadReckoning, .remembered: false
        default: !location.simulated
        }
    }

    /// Discards everything but the places: the machine has slept, or nothing was observed for some time.
    public mutating func pause() {
        (rest, lastScan, undo) = (nil, nil, [])
        linked = ([], 0)
    }

    private mutating func doubt(at now: Double) {
        rest = nil
        if let before = undo.first(where: { now - $0.time <= Self.disagreementSeconds }) {
            (places, isChanged) = (before.places, true)
        }
        undo = []
    }

    /// Keeps the places before a change by fixes, which doubts may undo.
    private mutating func prepareUndo(at now: Double) {
        undo.removeAll { now - $0.time > Self.disagreementSeconds }
        undo.append((places, now))
    }

    /// Compares a fix with the place that the device seems to be at.
    private mutating func compare(_ location: Location, at now: Double, day: Int) {
        guard let (index, _) = match(at: now), let scan = lastScan, let accuracy = location.horizontalAccuracy,
            accuracy <= Stillness.checkAccuracy
        else { return }
        let distance = places[index].distance(to: location)
        let age = isHeld(at: now) ? 0 : now - scan.time
        if accuracy <= Self.fixAccuracy, age <= Self.freshSeconds, location.speed ?? 0 <= Self.greatestSpeed,
            distance + accuracy <= RememberedPlace.greatestRadius
        {
            if distance + accuracy > places[index].radius {
                prepareUndo(at: now)
                if places[index].grow(to: distance + accuracy) { isChanged = true }
            }
            return use(index, on: day)
        }
        let travelled = max(location.speed ?? Self.travelSpeed, Self.greatestSpeed) * age
        guard distance > places[index].radius + 2 * accuracy + RadioPlace.radius + travelled else { return }
        disagreedAt = now
        prepareUndo(at: now)
        forget(scan.report.ids.union(linked.ids), of: index)
    }

    private mutating func follow(_ location: Location, at now: Double) {
        if rest?.add(location, at: now) == true { return }
        rest = nil
        guard let accuracy = location.horizontalAccuracy, accuracy <= Self.fixAccuracy else { return }
        rest = DeviceRest(location, at: now)
        if let scan = lastScan, isHeld(at: now) || now - scan.time <= Self.scanSeconds { _ = rest?.hear(scan.report) }
        _ = rest?.hear(SurroundingsReport(links: linked.ids))
    }

    private mutating func use(_ index: Int, on day: Int) {
        guard places[index].lastUse != day else { return }
        places[index].lastUse = day
        isChanged = true
    }

    // MARK: Learning and forgetting

    private mutating func learn(_ place: RememberedPlace, at now: Double) {
        isChanged = true
        prepareUndo(at: now)
        for index in places.indices.reversed() where isElsewhere(places[index], than: place) {
            forget(place.radio.ids.intersection(places[index].radio.ids), of: index)
        }
        if let index = places.indices.min(by: { distance(place, $0) < distance(place, $1) }),
            distance(place, index) <= RememberedPlace.leastRadius,
            !places[index].radio.ids.isDisjoint(with: place.radio.ids)
        {
            // Another visit: the fixes of both are around the centre.
            places[index].hear(place.radio)
            places[index].lastUse = place.lastUse
            _ = places[index].grow(to: distance(place, index) + RememberedPlace.leastRadius / 2)
            return
        }
        if places.count >= Self.maximumCount {
            let oldest = places.indices.min { places[$0].lastUse < places[$1].lastUse }
            if let oldest { places.remove(at: oldest) }
        }
        places.append(place)
    }

    private func distance(_ place: RememberedPlace, _ index: Int) -> Double { place.distance(to: places[index]) }

    private func isElsewhere(_ old: RememberedPlace, than new: RememberedPlace) -> Bool {
        !old.radio.ids.isDisjoint(with: new.radio.ids)
            && old.distance(to: new) > MobileEmitters.distance + old.radius + new.radius
    }

    /// Removes emitters of a place, which is forgotten if too few are left.
    private mutating func forget(_ ids: Set<UInt64>, of index: Int) {
        guard !places[index].radio.ids.isDisjoint(with: ids) else { return }
        places[index].radio.remove(ids)
        isChanged = true
        if !places[index].isKnowable { places.remove(at: index) }
    }

    /// Forgets emitters that were found to move.
    public mutating func forget(_ ids: Set<UInt64>) {
        guard !ids.isEmpty else { return }
        undo = []
        for index in places.indices.reversed() { forget(ids, of: index) }
        if let (report, time) = lastScan { lastScan = (report.removing(ids), time) }
        linked.ids.subtract(ids)
        rest?.remove(ids)
    }

    /// Forgets places that were not used for a year.
    public mutating func expire(on day: Int) {
        let before = places.count
        places.removeAll { day - $0.lastUse > Self.maximumDays }
        if places.count != before { (undo, isChanged) = ([], true) }
    }

    /// A Boolean value indicating whether the last scan or a connection says anything about where the device is.
    public var hearsEmitters: Bool { !linked.ids.isEmpty || lastScan?.report.ids.isEmpty == false }

    /// Forgets the places around the device: those with an emitter that it hears, and those around its last fix, if it
    /// has one. Returns their number.
    public mutating func clearHere(near fix: Location?) -> Int {
        let heard = linked.ids.union(lastScan?.report.ids ?? [])
        let before = places.count
        places.removeAll { place in
            !place.radio.ids.isDisjoint(with: heard)
                || fix.map { place.distance(to: $0) <= place.radius + MobileEmitters.distance } ?? false
        }
        (rest, undo) = (nil, [])
        if places.count != before { isChanged = true }
        return before - places.count
    }

    // MARK: Giving

    /// Returns the place of the device as a location at `timestamp`, or `nil` if it is not known.
    ///
    /// - Parameter fix: The last fix and its age in seconds, or `nil` if there was none.
    public mutating func location(
        at now: Double, timestamp: Timestamp, day: Int, after fix: (location: Location, age: Double)?
    ) -> Location? {
        guard now - disagreedAt >= Self.disagreementSeconds, let (index, radius) = match(at: now) else { return nil }
        let place = places[index]
        if let fix, fix.age < Self.disagreementSeconds {
            let accuracy = fix.location.horizontalAccuracy ?? Stillness.checkAccuracy
            guard place.distance(to: fix.location) <= radius + accuracy + RadioPlace.radius else { return nil }
        }
        use(index, on: day)
        var location = Location(timestamp: timestamp, latitude: place.latitude, longitude: place.longitude)
        (location.horizontalAccuracy, location.quality) = (radius, .remembered)
        return location
    }

    /// Returns whether the device has been connected as it was at the last scan, which is old.
    private func isHeld(at now: Double) -> Bool {
        guard let scan = lastScan, now - scan.time > Self.scanSeconds else { return false }
        return !linked.ids.isEmpty && linked.since <= scan.time + Self.scanSeconds
    }

    /// Returns the place whose emitters the last scan has heard, and the radius of the circle around its centre that
    /// contains the device, in metres. A scan that fits several places says that the device is in one of them.
    private func match(at now: Double) -> (index: Int, radius: Double)? {
        guard let (report, time) = lastScan, let scan = report.scan else { return nil }
        let isHeld = isHeld(at: now)
        guard isHeld || now - time <= Self.scanSeconds else { return nil }
        var found: [(index: Int, similarity: Double)] = []
        for index in places.indices {
            let radio = places[index].radio
            // An old scan counts only while the device is connected to an emitter of the place itself.
            guard !isHeld || linked.ids.contains(where: radio.hears),
                scan.count(where: { radio.hears($0.id) }) >= Settling.leastEmitters
            else { continue }
            let similarity = radio.similarity(to: scan)
            if similarity >= Settling.leastSimilarityToKnown { found.append((index, similarity)) }
        }
        guard let best = found.max(by: { $0.similarity < $1.similarity }) else { return nil }
        let radius = found.reduce(places[best.index].radius) { radius, other in
            guard other.similarity >= best.similarity - Self.ambiguity else { return radius }
            return max(radius, distance(places[best.index], other.index) + places[other.index].radius)
        }
        return radius <= Self.greatestRadius ? (best.index, radius) : nil
    }
}
