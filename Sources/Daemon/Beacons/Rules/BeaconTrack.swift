internal import Glibc
internal import LocationModel

/// The signals of one beacon, and its distance. Times are in seconds of a monotonic clock.
struct BeaconTrack {
    /// The time that a sample counts for the distance, in seconds.
    static let window = 5.0
    /// The time after which a silent beacon is at an unknown distance, in seconds, if its advertisements come one by
    /// one: not if the adapter passes on one in each round of discovery, which takes 10.24 s (BlueZ, src/adapter.c and
    /// the kernel's DISCOV_LE_TIMEOUT).
    static let holdTime = (usual: 5.0, oncePerRound: 12.0)
    /// The further time that a silent beacon stays in the list, in seconds.
    static let lingerTime = 5.0
    /// The maximum number of samples, the newest.
    static let maximumSamples = 64
    /// The greatest distances of the proximities `immediate` and `near`, in metres. Apple documents none; these are
    /// common in other implementations.
    static let zones = (immediate: 0.5, near: 3.0)
    /// The factor that a distance has to be beyond the border of its zone to leave it.
    static let hysteresis = 1.2

    private(set) var lastHeard: Double
    /// The time between the last two advertisements, or `nil` after the first one.
    private var gap: Double?
    private var measuredPower: Int
    private var samples: [(time: Double, rssi: Double)] = []
    private var proximity = BeaconProximity.unknown

    init(_ advertisement: BeaconAdvertisement, rssi: Double?, at now: Double) {
        lastHeard = now
        measuredPower = advertisement.measuredPower
        append(rssi, at: now)
    }

    /// Consumes an advertisement. `rssi` is `nil` if the adapter has not measured its strength.
    mutating func receive(_ advertisement: BeaconAdvertisement, rssi: Double?, at now: Double) {
        // The strength and the data of one advertisement may come one after the other.
        if now - lastHeard > 0.02 { gap = now - lastHeard }
        lastHeard = now
        measuredPower = advertisement.measuredPower
        append(rssi, at: now)
    }

    private mutating func append(_ rssi: Double?, at now: Double) {
        guard let rssi else { return }
        if samples.count == Self.maximumSamples { samples.removeFirst() }
        samples.append((now, rssi))
    }

    private var holdTime: Double {
        (gap ?? .infinity) <= Self.holdTime.usual ? Self.holdTime.usual : Self.holdTime.oncePerRound
    }

    /// Returns whether the beacon has been silent for so long that it is no longer in range.
    func isGone(at now: Double) -> Bool { now - lastHeard > holdTime + Self.lingerTime }

    /// The rough and the estimated distance, in metres, and the mean strength since the last second, in dBm. The last
    /// two are `nil` if they are not known.
    typealias Report = (proximity: BeaconProximity, distance: Double?, rssi: Double?)

    /// Returns the distance and the strength.
    mutating func report(at now: Double) -> Report {
        guard now - lastHeard <= holdTime, let last = samples.last, now - last.time <= holdTime else {
            proximity = .unknown
            return (.unknown, nil, nil)
        }
        let recent = samples.filter { now - $0.time <= Self.window }.map(\.rssi)
        let strength = Self.trimmedMean(recent.isEmpty ? [last.rssi] : recent)
        let newest = samples.filter { now - $0.time <= 1 }.map(\.rssi)
        let distance = Self.distance(rssi: strength, measuredPower: Double(measuredPower))
        proximity = Self.proximity(at: distance, before: proximity)
        return (proximity, distance, newest.isEmpty ? strength : newest.reduce(0, +) / Double(newest.count))
    }

    // MARK: Rules

    /// Returns the mean without the lowest and the highest tenth, which are fading and reflections: the filter of
    /// AltBeacon's android-beacon-library (RunningAverageRssiFilter), there over 20 s.
    static func trimmedMean(_ values: [Double]) -> Double {
        let margin = values.count / 10
        let rest = values.sorted().dropFirst(margin).dropLast(margin)
        return rest.reduce(0, +) / Double(rest.count)
    }

    /// Returns the distance in metres by the loss in free space, 20 dB for each factor of ten: ITU-R P.525-4, relative
    /// to the strength at one metre. Walls and bodies make it longer, so it is rough.
    static func distance(rssi: Double, measuredPower: Double) -> Double { pow(10, (measuredPower - rssi) / 20) }

    /// Returns a distance with two digits, and in whole metres from 10 m on: adapters measure whole decibels, and one
    /// decibel is 12 % of the distance.
    static func rounded(_ distance: Double) -> Double {
        let scale = max(1, pow(10, 1 - floor(log10(distance))))
        return (distance * scale).rounded() / scale
    }

    /// Returns the strength in dBm at a distance in metres: the inverse of ``distance(rssi:measuredPower:)``.
    static func strength(at distance: Double, measuredPower: Double) -> Double {
        measuredPower - 20 * log10(distance)
    }

    /// Returns the proximity of a distance. A beacon on a border does not change back and forth.
    static func proximity(at distance: Double, before: BeaconProximity) -> BeaconProximity {
        func border(_ border: Double, isInside: Bool) -> Double {
            if before == .unknown { return border }
            return isInside ? border * hysteresis : border / hysteresis
        }
        if distance <= border(zones.immediate, isInside: before == .immediate) { return .immediate }
        return distance <= border(zones.near, isInside: before != .far) ? .near : .far
    }
}
