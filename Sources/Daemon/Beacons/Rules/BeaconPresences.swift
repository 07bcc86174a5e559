package import LocationModel

/// The presence of beacons that satisfy each watched constraint. Times are in seconds of a monotonic clock.
///
/// The first advertisement is an entry. Only silence is an exit, after ``exitTime`` and at least one whole round of
/// listening: what an adapter says about a lost device does not count, since adapters drop packets that they have heard
/// before, and one of several adapters may be out of reach.
package struct BeaconPresences {
    /// The time without an advertisement after which a beacon has left, in seconds.
    package static let exitTime = 30.0
    /// The time of listening without an advertisement that an exit needs, in seconds: more than a round of discovery,
    /// 10.24 s, in which an adapter may pass on a beacon once.
    package static let listeningTime = 12.0

    /// A change of the state of a constraint.
    package struct Change: Equatable {
        package let pattern: BeaconPattern
        /// Inside or outside of the range of such beacons.
        package let state: RegionState
        /// The beacon that was heard, or `nil` if none is in range any more.
        package let beacon: BeaconIdentity?
    }

    private struct Presence {
        var state = RegionState.unknown
        var beacon: BeaconIdentity?
        /// The time of the last advertisement or, before it, of the beginning.
        var heard: Double
        /// The time of listening up to then.
        var listened: Double
    }

    private var presences: [BeaconPattern: Presence] = [:]
    private var listened = 0.0
    private var listeningSince: Double?

    package init() {}

    /// Returns the state of a constraint, with the last beacon that was heard if it is inside.
    package func state(of pattern: BeaconPattern) -> (state: RegionState, beacon: BeaconIdentity?) {
        (presences[pattern]?.state ?? .unknown, presences[pattern]?.beacon)
    }

    /// Sets the watched constraints.
    package mutating func watch(_ patterns: Set<BeaconPattern>, at now: Double) {
        presences = presences.filter { patterns.contains($0.key) }
        for pattern in patterns where presences[pattern] == nil {
            presences[pattern] = Presence(heard: now, listened: listenedTime(at: now))
        }
    }

    /// Sets whether at least one adapter listens.
    package mutating func setListening(_ isListening: Bool, at now: Double) {
        listened = listenedTime(at: now)
        listeningSince = isListening ? now : nil
    }

    private func listenedTime(at now: Double) -> Double { listened + (listeningSince.map { now - $0 } ?? 0) }

    /// Consumes an advertisement. Returns the entries that it causes.
    package mutating func receive(_ beacon: BeaconIdentity, at now: Double) -> [Change] {
        var changes: [Change] = []
        for pattern in presences.keys where pattern.matches(beacon) {
            let isEntry = presences[pattern]?.state != .inside
            presences[pattern] = Presence(
                state: .inside, beacon: beacon, heard: now, listened: listenedTime(at: now))
            if isEntry { changes.append(Change(pattern: pattern, state: .inside, beacon: beacon)) }
        }
        return changes
    }

    /// The time when the next exit is due if nothing is heard, or `nil` if there is none or nothing listens.
    package var deadline: Double? {
        guard let listeningSince else { return nil }
        return presences.values.filter { $0.state != .outside }.map { presence in
            max(
                presence.heard + (presence.state == .inside ? Self.exitTime : 0),
                listeningSince + Self.listeningTime - (listened - presence.listened))
        }.min()
    }

    /// Returns the exits that are due. The first state, if it is outside, does not need the exit time.
    package mutating func advance(to now: Double) -> [Change] {
        guard listeningSince != nil else { return [] }
        var changes: [Change] = []
        for (pattern, presence) in presences where presence.state != .outside {
            guard listenedTime(at: now) - presence.listened >= Self.listeningTime,
                presence.state == .unknown || now - presence.heard >= Self.exitTime
            else { continue }
            presences[pattern]?.state = .outside
            presences[pattern]?.beacon = nil
            changes.append(Change(pattern: pattern, state: .outside, beacon: nil))
        }
        return changes
    }
}
