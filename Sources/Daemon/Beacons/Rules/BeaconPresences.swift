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
/// The first advertisement is an entry. Only silence is an exit, after ``exitTime`` and ``exitListeningTime``: what an
/// adapter says about a lost device does not count, since adapters drop packets that they have heard before, and one of
/// several adapters may be out of reach.
package struct BeaconPresences {
    /// The listening that the results need.
    package enum Listening {
        /// Nothing is searched for, and what is there was heard lately.
        case none
        /// A beacon may come: now and then is enough.
        case windows
        /// A state is unknown, or in doubt: until it is decided.
        case continuous
    }

    /// The time without an advertisement after which a beacon has left, in seconds.
    package static let exitTime = 30.0
    /// The time of uninterrupted listening without an advertisement after which the device is outside, if it was not
    /// inside before, in seconds: more than a round of discovery, 10.24 s, since some adapters pass on a beacon once a
    /// round. It begins again with each scan: an adapter that has just begun to listen has heard nothing yet.
    package static let listeningTime = 12.0
    /// The same for an exit. At the border of reception, an adapter hears one advertisement in twenty.
    package static let exitListeningTime = 22.0
    /// The time without an advertisement after which it is in doubt whether the device is still inside, in seconds.
    /// With ``exitListeningTime``, an exit comes within 40 s. The second value is for a beacon that one of BlueZ's
    /// monitors has found, and will report as lost: it limits the delay if the monitor misses that.
    package static let doubtTime = (scanned: 14.0, monitored: 300.0)
    /// The time from a report for which the device listened in vain until the next one for the same region counts, in
    /// seconds: as between two scans without monitors.
    package static let reportInterval = 60.0
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

    /// The report of one of BlueZ's monitors about a beacon.
    package enum Report: Sendable {
        /// Two packets were heard, at least a second apart.
        case found
        /// A beacon that was found is silent, or the monitor has ended. A beacon that was not found is never lost.
        case lost
    }

    private struct Presence {
        /// The state that was known last.
        var state: RegionState
        /// A Boolean value indicating whether the state is a result of listening, and not from before.
        var isKnown = false
        /// The time of the last advertisement or, before it, of the beginning.
        var heard: Double
        /// A Boolean value indicating whether a monitor has found the beacon, so that it will report the loss.
        var isFound = false
        /// The time of the last report, since the last advertisement, for which the device listens.
        var reported = -Double.infinity
        /// The time to listen for a report that came too soon after that.
        var postponed = -Double.infinity

        /// Notes that a monitor has found the beacon while the device was outside. Returns whether it counts.
        ///
        /// A monitor reports a beacon once. So a report that comes too soon is postponed, and not dropped.
        mutating func report(at now: Double) -> Bool {
            let last = max(reported, postponed)
            guard last <= now else { return false }
            if now >= last + BeaconPresences.reportInterval {
                reported = now
            } else {
                (reported, postponed) = (last, last + BeaconPresences.reportInterval)
            }
            return true
        }

        /// The times when listening for a report begins.
        var awaited: [Double] { isKnown && state == .outside ? [reported, postponed] : [] }
    }

    private var presences: [BeaconWatch: Presence] = [:]
    private var listeningSince: Double?
    /// The time when the last scan ended.
    private var listenedUntil = -Double.infinity
    /// A Boolean value indicating whether BlueZ's monitors report what comes and goes.
    private var isMonitored = false

    package init() {}

    /// Returns the state of a region, which is unknown before the first result, and when nothing has listened for long.
    package func state(of watch: BeaconWatch, at now: Double) -> RegionState {
        guard let presence = presences[watch], presence.isKnown, !isOld(at: now) else { return .unknown }
        return presence.state
    }

    private func isOld(at now: Double) -> Bool {
        listeningSince == nil && !isMonitored && now - listenedUntil > Self.knownTime
    }

    /// Sets the watched regions.
    ///
    /// A new region does not take over that a monitor has found the beacon for another one: the time of its exit would
    /// tell of the other one. It costs scans, as without a monitor, until the monitor finds the beacon again.
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

    /// Handles the end of a scan, whether or not its beginning was reported.
    ///
    /// BlueZ forgets the devices that it has heard in a scan (src/adapter.c, discovery_cleanup), and reports none of
    /// them as lost. A beacon that goes on is found again, a second later.
    package mutating func scanEnds() {
        for watch in presences.keys { presences[watch]?.isFound = false }
    }

    /// Sets whether BlueZ's monitors report what comes and goes.
    package mutating func setMonitored(_ isMonitored: Bool, at now: Double) {
        if self.isMonitored { listenedUntil = now }
        self.isMonitored = isMonitored
    }

    /// Handles a monitor's report about beacons with these patterns. Returns whether the need for listening may have
    /// changed.
    ///
    /// Attack: a device nearby is heard under thousands of addresses, or comes and goes all the time, and the machine
    /// would scan without end. Nothing is concluded from a report but that it is time to listen, and only for the
    /// regions of that beacon: outside, after a report in vain, not before ``reportInterval`` is over; inside, not
    /// within ``doubtTime`` after the last advertisement.
    package mutating func receive(_ report: Report, of patterns: Set<BeaconPattern>, at now: Double) -> Bool {
        var isNews = false
        for (watch, presence) in presences where patterns.contains(watch.pattern) {
            var presence = presence
            if presence.isFound != (report == .found) { isNews = true }
            presence.isFound = report == .found
            let isEntry = report == .found && presence.isKnown && presence.state == .outside
            if isEntry, presence.report(at: now) { isNews = true }
            presences[watch] = presence
        }
        return isNews
    }

    /// Returns the listening that the results need.
    package func listening(at now: Double) -> Listening {
        if presences.isEmpty { return .none }
        if presences.values.contains(where: { isDoubtful($0, at: now) }) { return .continuous }
        return presences.values.allSatisfy { $0.state == .inside } ? .none : .windows
    }

    private func isDoubtful(_ presence: Presence, at now: Double) -> Bool {
        if !presence.isKnown { return true }
        if presence.state == .inside { return now >= doubtTime(of: presence) }
        return presence.awaited.contains { $0 <= now && now < $0 + Self.listeningTime }
    }

    /// Returns the time when an entry is in doubt if nothing is heard.
    ///
    /// A monitor counts only for a beacon that it has found: BlueZ never reports one as lost that it has heard once.
    private func doubtTime(of presence: Presence) -> Double {
        presence.heard + (isMonitored && presence.isFound ? Self.doubtTime.monitored : Self.doubtTime.scanned)
    }

    /// Returns the next time when ``listening(at:)`` or, while something listens, a state changes if nothing is heard.
    package func nextChange(after now: Double) -> Double? {
        let doubts = presences.values.filter { $0.isKnown && $0.state == .inside }.map { doubtTime(of: $0) }
        let awaited = presences.values.flatMap(\.awaited)
        let changes = (doubts + awaited + awaited.map { $0 + Self.listeningTime }).filter { $0 > now }
        return (changes + [deadline].compactMap(\.self)).min()
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
        // An advertisement may come before the answer of BlueZ that something listens.
        if isOld(at: now) { forgetStates() }
        listenedUntil = now
        var changes: [Change] = []
        for watch in presences.keys.filter({ $0.pattern.matches(beacon) }) {
            let former = presences[watch]
            let isFound = former?.isFound ?? false
            presences[watch] = Presence(state: .inside, isKnown: true, heard: now, isFound: isFound)
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
        guard presence.state == .inside else { return max(presence.heard, listeningSince) + listeningTime }
        return max(listeningSince + exitListeningTime, presence.heard + exitTime)
    }

    /// Returns the exits that are due, and the first results that are outside.
    package mutating func advance(to now: Double) -> [Change] {
        guard let listeningSince else { return [] }
        var changes: [Change] = []
        for (watch, presence) in presences {
            guard let deadline = Self.deadline(of: presence, listeningSince), deadline <= now else { continue }
            presences[watch]?.state = .outside
            presences[watch]?.isKnown = true
            // Whatever the monitor believes, it has missed the exit.
            presences[watch]?.isFound = false
            changes.append(Change(watch: watch, state: .outside, beacon: nil))
        }
        return changes
    }
}
