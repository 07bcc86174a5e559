package import LocationModel

/// The beacons that are heard. Times are in seconds of a monotonic clock.
package struct BeaconTable {
    /// The maximum number of beacons. The one that was silent for longest makes room for another.
    ///
    /// Attack: a device nearby sends another identity in each packet.
    package static let maximumCount = 512
    /// The maximum number of beacons in a report, the nearest. It has about 11 kB then, each second.
    package static let maximumReported = 64

    private var tracks: [BeaconIdentity: BeaconTrack] = [:]

    package init() {}

    /// The number of beacons.
    package var count: Int { tracks.count }

    /// Consumes an advertisement.
    ///
    /// - Parameter rssi: The signal strength in dBm, or `nil` if it is not known.
    package mutating func receive(_ advertisement: BeaconAdvertisement, rssi: Double?, at now: Double) {
        let identity = advertisement.identity
        if tracks[identity]?.receive(advertisement, rssi: rssi, at: now) != nil { return }
        if tracks.count == Self.maximumCount, let silent = tracks.min(by: { $0.value.lastHeard < $1.value.lastHeard }) {
            tracks[silent.key] = nil
        }
        tracks[identity] = BeaconTrack(advertisement, rssi: rssi, at: now)
    }

    /// Forgets the beacons that satisfy none of the constraints.
    package mutating func keep(_ patterns: Set<BeaconPattern>) {
        tracks = tracks.filter { entry in patterns.contains { $0.matches(entry.key) } }
    }

    /// Returns the beacons in range that satisfy a constraint: the nearest first, those at an unknown distance last.
    ///
    /// - Parameter wallClock: The present time by the machine's clock.
    package mutating func beacons(
        matching pattern: BeaconPattern, at now: Double, wallClock: Timestamp
    ) -> [Beacon] {
        tracks = tracks.filter { !$0.value.isGone(at: now) }
        var beacons: [Beacon] = []
        for identity in tracks.keys where pattern.matches(identity) {
            guard var track = tracks[identity] else { continue }
            let report = track.report(at: now)
            tracks[identity] = track
            let age = Int64((now - track.lastHeard) * 1000)
            var beacon = Beacon(
                uuid: identity.uuid.description, major: Int(identity.major), minor: Int(identity.minor),
                timestamp: Timestamp(millisecondsSince1970: wallClock.millisecondsSince1970 - age))
            beacon.proximity = report.proximity
            beacon.accuracy = report.distance
            beacon.rssi = report.rssi.map { Int($0.rounded()) }
            beacons.append(beacon)
        }
        return Array(beacons.sorted(by: Self.isNearer).prefix(Self.maximumReported))
    }

    private static func isNearer(_ first: Beacon, _ second: Beacon) -> Bool {
        let distances = (first.accuracy ?? .infinity, second.accuracy ?? .infinity)
        if distances.0 != distances.1 { return distances.0 < distances.1 }
        return (first.major, first.minor) < (second.major, second.minor)
    }
}
