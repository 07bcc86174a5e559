package import LocationModel

/// The beacons that are heard, for each constraint. Times are in seconds of a monotonic clock.
package struct BeaconTable {
    /// The maximum number of beacons that satisfy one constraint. The one that was silent for longest makes room for
    /// another.
    ///
    /// Attack: a device nearby sends another identity in each packet. It crowds out only the beacons of the constraints
    /// that its identities satisfy.
    package static let maximumCount = 256
    /// The maximum number of beacons in a report, the nearest. It has about 11 kB then, each second.
    package static let maximumReported = 64

    /// A beacon with the time of its last advertisement.
    package struct HeardBeacon {
        package let beacon: Beacon
        package let heard: Double
    }

    private var tracks: [BeaconPattern: [BeaconIdentity: BeaconTrack]] = [:]

    package init() {}

    /// Returns the number of beacons that satisfy a constraint.
    package func count(_ pattern: BeaconPattern) -> Int { tracks[pattern]?.count ?? 0 }

    /// Sets the constraints, and forgets the beacons of others.
    package mutating func keep(_ patterns: Set<BeaconPattern>) {
        tracks = tracks.filter { patterns.contains($0.key) }
        for pattern in patterns where tracks[pattern] == nil { tracks[pattern] = [:] }
    }

    /// Forgets all beacons.
    package mutating func clear() { for pattern in tracks.keys { tracks[pattern] = [:] } }

    /// Consumes an advertisement.
    ///
    /// - Parameter rssi: The signal strength in dBm, or `nil` if it is not known.
    package mutating func receive(_ advertisement: BeaconAdvertisement, rssi: Double?, at now: Double) {
        for pattern in tracks.keys.filter({ $0.matches(advertisement.identity) }) {
            Self.receive(advertisement, rssi, now, in: &tracks[pattern, default: [:]])
        }
    }

    private static func receive(
        _ advertisement: BeaconAdvertisement, _ rssi: Double?, _ now: Double,
        in tracks: inout [BeaconIdentity: BeaconTrack]
    ) {
        let identity = advertisement.identity
        if tracks[identity]?.receive(advertisement, rssi: rssi, at: now) != nil { return }
        if tracks.count == maximumCount, let silent = tracks.min(by: { $0.value.lastHeard < $1.value.lastHeard }) {
            tracks[silent.key] = nil
        }
        tracks[identity] = BeaconTrack(advertisement, rssi: rssi, at: now)
    }

    /// Returns the beacons in range that satisfy a constraint: the nearest first, those at an unknown distance last.
    ///
    /// - Parameter wallClock: The present time by the machine's clock.
    package mutating func beacons(
        matching pattern: BeaconPattern, at now: Double, wallClock: Timestamp
    ) -> [HeardBeacon] {
        guard var tracks = tracks[pattern] else { return [] }
        self.tracks[pattern] = nil
        var reports: [(identity: BeaconIdentity, track: BeaconTrack, report: BeaconTrack.Report)] = []
        tracks = tracks.filter { !$0.value.isGone(at: now) }
        for identity in tracks.keys {
            guard var track = tracks[identity] else { continue }
            let report = track.report(at: now)
            tracks[identity] = track
            reports.append((identity, track, report))
        }
        self.tracks[pattern] = tracks
        reports.sort { Self.isNearer(($0.identity, $0.report), ($1.identity, $1.report)) }
        return reports.prefix(Self.maximumReported).map { identity, track, report in
            let age = Int64((now - track.lastHeard) * 1000)
            var beacon = Beacon(
                uuid: identity.uuid.description, major: Int(identity.major), minor: Int(identity.minor),
                timestamp: Timestamp(millisecondsSince1970: wallClock.millisecondsSince1970 - age))
            beacon.proximity = report.proximity
            beacon.accuracy = report.distance.map(BeaconTrack.rounded)
            beacon.rssi = report.rssi.map { Int($0.rounded()) }
            return HeardBeacon(beacon: beacon, heard: track.lastHeard)
        }
    }

    private static func isNearer(
        _ first: (identity: BeaconIdentity, report: BeaconTrack.Report),
        _ second: (identity: BeaconIdentity, report: BeaconTrack.Report)
    ) -> Bool {
        let distances = (first.report.distance ?? .infinity, second.report.distance ?? .infinity)
        if distances.0 != distances.1 { return distances.0 < distances.1 }
        return (first.identity.major, first.identity.minor) < (second.identity.major, second.identity.minor)
    }
}
