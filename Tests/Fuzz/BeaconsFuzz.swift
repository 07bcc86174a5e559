import LocationModel

@testable import Beacons

/// Passes advertisements to the rules for beacons. Each is a length, a strength, a time since the one before, in tenths
/// of a second, and the data.
func fuzzBeacons(_ input: [UInt8]) {
    let constraints = [
        BeaconConstraint(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0"),
        BeaconConstraint(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0", major: 1, minor: 258),
    ]
    let patterns = constraints.compactMap { BeaconPattern($0) }
    var (table, presences, now) = (BeaconTable(), BeaconPresences(), 0.0)
    table.keep(Set(patterns))
    presences.watch(Set(patterns.map { BeaconWatch($0) }), at: now)
    presences.setListening(true, at: now)
    var states: [BeaconWatch: RegionState] = [:]
    func note(_ changes: [BeaconPresences.Change]) {
        for change in changes {
            precondition(states[change.watch] != change.state && (change.state == .inside) == (change.beacon != nil))
            states[change.watch] = change.state
        }
    }
    var rest = input[...]
    while rest.count >= 3 {
        let (length, strength, step) = (Int(rest.removeFirst()), rest.removeFirst(), rest.removeFirst())
        now += Double(step) / 10
        let data = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        note(presences.advance(to: now))
        precondition(presences.nextChange(after: now).map { $0 > now } ?? true)
        if length % 8 == 7 { presences.setMonitored(strength % 2 == 0, at: now) }
        if length % 8 == 6 { _ = presences.receive(strength % 2 == 0 ? .found : .lost, of: Set(patterns), at: now) }
        _ = presences.listening(at: now)
        guard let advertisement = BeaconAdvertisement(data) else { continue }
        precondition(BeaconUUID(advertisement.identity.uuid.description) == advertisement.identity.uuid)
        table.receive(advertisement, rssi: Double(Int8(bitPattern: strength)), at: now)
        note(presences.receive(advertisement.identity, at: now))
        for pattern in patterns {
            let beacons = table.beacons(
                matching: pattern, at: now, wallClock: Timestamp(millisecondsSince1970: 1_800_000_000_000))
            for beacon in beacons.map(\.beacon) {
                precondition((beacon.accuracy == nil) == (beacon.proximity == .unknown))
            }
        }
    }
    precondition(patterns.allSatisfy { table.count($0) <= BeaconTable.maximumCount })
}
