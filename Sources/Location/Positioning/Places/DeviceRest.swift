internal import LocationModel

/// The observation of a device that may be at rest, from its first accurate fix on.
struct DeviceRest: Sendable {
    private let first: Location
    private let since: Double
    /// The time of the last accurate fix.
    private var last: Double
    /// The most accurate fix.
    private var best: Location
    /// The greatest distance of an accurate fix from the first one, with its accuracy, in metres.
    private var reach: Double
    private var radio = RadioPlace()
    /// A Boolean value indicating whether the place has been learnt.
    var isLearnt = false

    init(_ location: Location, at now: Double) {
        (first, best, since, last) = (location, location, now, now)
        reach = location.horizontalAccuracy ?? 0
    }

    /// Handles the next fix. Returns whether the device may still be at rest.
    mutating func add(_ location: Location, at now: Double) -> Bool {
        let accuracy = location.horizontalAccuracy ?? .infinity
        let distance = first.distance(to: location)
        guard now - last <= PlaceMemory.greatestGap,
            distance <= PlaceMemory.restRadius + min(accuracy, Stillness.checkAccuracy)
        else { return false }
        guard accuracy <= PlaceMemory.fixAccuracy else { return true }
        last = now
        reach = max(reach, distance + accuracy)
        if accuracy < best.horizontalAccuracy ?? .infinity { best = location }
        return true
    }

    /// Handles a report. Returns whether the device may still be at rest.
    mutating func hear(_ report: SurroundingsReport) -> Bool {
        if let scan = report.scan, radio.representatives > 0, radio.similarity(to: scan) < Stillness.leastSimilarity {
            return false
        }
        radio.absorb(report)
        return true
    }

    /// Removes emitters.
    mutating func remove(_ ids: Set<UInt64>) { radio.remove(ids) }

    /// Returns the place if the fix at `now` shows that the device has been at rest for long enough, with enough
    /// emitters. A place is returned until it has been learnt.
    func place(on day: Int, at now: Double) -> RememberedPlace? {
        guard !isLearnt, last == now, now - since >= PlaceMemory.restSeconds else { return nil }
        let place = RememberedPlace(
            latitude: best.latitude, longitude: best.longitude, radius: first.distance(to: best) + reach, lastUse: day,
            radio: RadioPlace(strengths: radio.strengths))
        return place.isKnowable ? place : nil
    }
}
