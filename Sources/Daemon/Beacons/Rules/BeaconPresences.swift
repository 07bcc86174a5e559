package import LocationModel

/// A region of an app whose beacons are watched.
///
/// Attack: an app has a region watched that another app, also of another user, has had watched for long. If it got the
/// result at once, it would learn what the other app watches. So each region has its own results, also
/// if another one has the same beacons.
package final class BeaconWatch: Hashable, Sendable {
    package let pattern: BeaconPattern
    /// The state that was known last, before the watch began.
    let formerState: RegionState

    package init(_ pattern: BeaconPattern, formerState: RegionState = .unknown) {
        self.pattern = pattern
        self.formerState = formerState
    }

    package static func == (first: BeaconWatch, second: BeaconWatch) -> Bool { first === second }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The presence of beacons in each watched region. Times are in seconds of a monotonic clock.
///
/// The first advertisement is an entry. Only silence is an exit, after ``exitTime`` and at least one whole round of
/// listening: what an adapter says about a lost device does not count, since adapters drop packets that they have heard
/// before, and one of several adapters may be out of reach.
package struct BeaconPresences {
    /// The time without an advertisement after which a beacon has left, in seconds.
    package static let exitTime = 30.0
    /// The time of uninterrupted listening without an advertisement that an exit needs, in seconds: more than a round
    /// of discovery, 10.24 s, since some adapters pass on a beacon once a round. It begins again with each scan: an adapter
    /// that has just begun to listen has heard nothing yet.
    package static let listeningTime = 12.0
    /// The time without listening after which a state is no longer known, in seconds: the time between two scans for
    /// regions is shorter.
    package static let knownTime = 60.0

    /// A new state of a region. It may be the same as the state that was known last.
    package struct Change: Equatable {
        package let watch: BeaconWatch
        /// Inside or outside of the range of such beacons.
        package let state: RegionState
        /// The beacon that was heard, or `nil` if none is in range any more.
        package let beacon: BeaconIdentity?
    }

    private struct Presence {
        /// The state that was known last.
        var state: RegionState
        /// A Boolean value indicating whether the state is a result of listening, and not from before.
        var isKnown = false
        /// The time of the last advertisement or, before it, of the beginning.
        var heard: Double
    }

    private var presences: [BeaconWatch: Presence] = [:]
    private var listeningSince: Double?
    /// The time when the last scan ended.
    private var listenedUntil = -Double.infinity

    package init() {}

    /// Returns the state of a region, which is unknown before the first result, and when nothing has listened for long.
    package func state(of watch: BeaconWatch, at now: Double) -> RegionState {
        guard let presence = presences[watch], presence.isKnown, !isOld(at: now) else { return .unknown }
        return presence.state
    }

    private func isOld(at now: Double) -> Bool { listeningSince == nil && now - listenedUntil > Self.knownTime }

    /// Sets the watched regions.
    package mutating func watch(_ watches: Set<BeaconWatch>, at now: Double) {
        presences = presences.filter { watches.contains($0.key) }
        for watch in watches where presences[watch] == nil {
            presences[watch] = Presence(state: watch.formerState, heard: now)
        }
    }

    /// Sets whether at least one adapter listens.
    package mutating func setListening(_ isListening: Bool, at now: Double) {
        guard isListening != (listeningSince != nil) else { return }
        if isOld(at: now) { forgetStates() }
        if !isListening { listenedUntil = now }
        listeningSince = isListening ? now : nil
    }

    /// Begins again, since the machine has slept: the clock has stood still, and the device may be elsewhere.
    package mutating func restart(at now: Double) {
        forgetStates()
        for watch in presences.keys { presences[watch]?.heard = now }
        if listeningSince != nil { listeningSince = now }
    }

    private mutating func forgetStates() {
        for watch in presences.keys { presences[watch]?.isKnown = false }
    }

    /// Consumes an advertisement. Returns the entries that it causes.
    package mutating func receive(_ beacon: BeaconIdentity, at now: Double) -> [Change] {
        var changes: [Change] = []
        for watch in presences.keys.filter({ $0.pattern.matches(beacon) }) {
            let former = presences.updateValue(Presence(state: .inside, isKnown: true, heard: now), forKey: watch)
            if let former, former.isKnown, former.state == .inside { continue }
            changes.append(Change(watch: watch, state: .inside, beacon: beacon))
        }
        return changes
    }

    /// The time when the next exit is due if nothing is heard, or `nil` if there is none or nothing listens.
    package var deadline: Double? {
        guard let listeningSince else { return nil }
        return presences.values.compactMap { Self.deadline(of: $0, listeningSince) }.min()
    }

    /// Returns the time when silence means that the device is outside. A state that is not an exit, since the device
    /// was not inside before, does not need the exit time.
    private static func deadline(of presence: Presence, _ listeningSince: Double) -> Double? {
        if presence.isKnown, presence.state == .outside { return nil }
        let heard = max(presence.heard, listeningSince) + listeningTime
        return presence.state == .inside ? max(heard, presence.heard + exitTime) : heard
    }

    /// Returns the exits that are due, and the first results that are outside.
    package mutating func advance(to now: Double) -> [Change] {
        guard let listeningSince else { return [] }
        var changes: [Change] = []
        for (watch, presence) in presences {
            guard let deadline = Self.deadline(of: presence, listeningSince), deadline <= now else { continue }
            presences[watch]?.state = .outside
            presences[watch]?.isKnown = true
            changes.append(Change(watch: watch, state: .outside, beacon: nil))
        }
        return changes
    }
}
