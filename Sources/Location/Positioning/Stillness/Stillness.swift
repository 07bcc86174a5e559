public import LocationModel

/// Decides by the radio surroundings whether the device is where it was, so that its receivers may stay closed.
///
/// The device is still once its surroundings have been the same for some minutes. It has perhaps moved as soon as most
/// of what it hears is new, or nothing of it is left: the receivers open, and a fix decides. The thresholds to enter
/// and to leave differ. What a fix has confirmed, and only that, is added to a place: so a second floor opens the
/// receivers once.
///
/// Attack: the access points of a home are imitated elsewhere, or travel along, as those of trains do. The receivers
/// would stay closed on the way. So a fix checks the place after 15 minutes, after an hour, and then every four hours,
/// and emitters that were heard at two places never count again. Without any fix of the stay, two searches in vain end
/// it for a while. With one, searches in vain do not: indoors, there are many.
///
/// Nothing but the receivers' duty cycle and the times of visits depends on this. Times are in seconds of the clock of
/// ``DutyCycle``.
public struct Stillness: Sendable {
    private(set) var state = State.unknown
    /// The place of the device, unless the state is unknown.
    private(set) var place = RadioPlace()
    /// The other places, the last one most recently left.
    private var places: [RadioPlace] = []
    private var settling: Settling?
    private var mobile = MobileEmitters()
    private var lastReport = SurroundingsReport()
    private var lastScan: (report: SurroundingsReport, time: Double)?
    /// The time since which nothing has confirmed the place, or `nil` if something does.
    private var waitingSince: Double?
    private var doubtfulScans = 0
    private var nextCheck = Double.infinity
    private var failedChecks = 0
    /// The time until which the device does not count as still without a fix.
    private var blindUntil = -Double.infinity
    private var lastConfirmation = -Double.infinity
    private var urgencies: [Double] = []
    private var isUrgent = false
    /// The present stay, or `nil` while the state is unknown.
    private var current: RadioStay?
    /// The stay that silence has ended.
    private var endedStay: Stay?
    /// A Boolean value indicating whether the fixes are simulated: nothing about them says where the device is.
    private var isSimulated = false

    /// Creates the value for a device in unknown surroundings.
    public init() {}

    /// The emitters that move, which never count, the first one found first. They outlast restarts.
    public var mobileEmitters: [UInt64] {
        get { mobile.order }
        set { mobile.replace(with: newValue) }
    }

    /// A Boolean value indicating whether the device is where it was.
    public var isStill: Bool { state == .still }

    /// The number of emitters that show that the device is still, and the times of the last fix at the place, or of the
    /// decision without one, and of the next check. `nil` if the device is not still.
    public var evidence: (emitters: Int, since: Double, nextCheck: Double)? {
        isStill ? (place.count, lastConfirmation, nextCheck) : nil
    }

    /// The time that the device has been at its place. `nil` if it is not known to have been at a place, or no fix was
    /// made there.
    public var stay: Stay? { current?.times ?? endedStay }

    /// The time when a stay of the least length has lasted that long, or `nil` if there is none to come.
    private var arrival: Double? { isStill ? current?.fix.map { $0.first + VisitDetector.minimumStay + 1 } : nil }

    /// The movement of the device, as far as the surroundings show it at `now`.
    public func motion(at now: Double) -> Motion {
        if isStill { return .still }
        guard state == .unknown, !isSimulated, now >= blindUntil, let settling,
            now - settling.since < Self.decision
        else { return .unknown }
        return settling.isLikely ? .settling : settling.isAfterOthers ? .moving : .unknown
    }

    private func search(after now: Double) -> Double {
        settling?.search(at: known.map { places[$0] }, after: now) ?? .infinity
    }

    /// Returns the plan that the receivers follow.
    ///
    /// - Parameter demand: Returns the plan that the apps need from a device with that movement.
    public func plan(at now: Double, _ demand: (Motion) -> ReceiverPlan) -> ReceiverPlan {
        let motion = motion(at: now)
        let plan = demand(motion)
        return switch motion {
        case .still: plan.merged(with: .once(at: nextCheck, accuracy: Self.checkAccuracy))
        case .settling: plan.merged(with: .once(at: search(after: now), accuracy: Self.checkAccuracy))
        case .moving: plan
        case .unknown: isUrgent ? plan.merged(with: .perhapsMoved) : plan
        }
    }

    /// The time when ``advance(to:)`` has something to do, or `nil` if it has nothing to do.
    public func deadline(after now: Double) -> Double? {
        var times: [Double] = []
        switch state {
        case .still:
            times.append(nextCheck + Self.checkSeconds)
            if let waitingSince { times.append(waitingSince + Self.waiting) }
            if let silent = silentAt { times.append(silent) }
            if let arrival, arrival > now { times.append(arrival) }
        case .perhapsMoved(let since, _): times.append(since + Self.urgency)
        case .unknown:
            let motion = motion(at: now)
            if motion != .unknown, let settling { times.append(settling.since + Self.decision) }
            if motion == .settling { times.append(search(after: now) + Self.checkSeconds) }
        }
        if !isStill, let end = settlingEnd, end > now { times.append(end) }
        if !isStill, settling != nil, blindUntil > now { times.append(blindUntil) }
        return times.min()
    }

    // MARK: Surroundings

    /// Handles a report.
    public mutating func observe(_ report: SurroundingsReport, at now: Double) {
        let report = report.removing(mobile.ids)
        let wasLinked = isLinked
        if wasLinked, doubtfulScans == 0 { current?.match(at: now) }
        lastReport = report
        if report.scan != nil { lastScan = (report, now) }
        guard isStill else { return settle(report, at: now) }
        if !place.areas.isEmpty, let area = report.area, !place.areas.contains(area) { return leave(at: now) }
        guard let scan = report.scan else {
            if wasLinked, !isLinked { waitingSince = now }
            if isLinked, doubtfulScans == 0 { confirm(at: now) }
            return
        }
        if isLinked {
            guard place.isStrange(scan) else { return confirm(at: now) }
            doubtfulScans += 1
            return doubtfulScans > 1 ? leave(at: now) : ()
        }
        let similarity = place.similarity(to: scan)
        if similarity >= Self.doubtfulSimilarity {
            // A network of the place that the device has just connected to.
            place.absorb(SurroundingsReport(links: report.links))
            return confirm(at: now)
        }
        doubtfulScans += 1
        let isDecisive = scan.count >= Settling.leastEmitters || place.representatives >= Self.leastRepresentatives
        if doubtfulScans > 1 || similarity < Self.leastSimilarity && isDecisive { leave(at: now) }
    }

    /// A Boolean value indicating whether the device is connected to an emitter of the place.
    private var isLinked: Bool { isStill && !lastReport.links.isDisjoint(with: place.ids) }

    private mutating func confirm(at now: Double) {
        waitingSince = nil
        doubtfulScans = 0
        current?.match(at: now)
    }

    private mutating func leave(at now: Double) {
        current?.end()
        perhapsMove(at: now)
    }

    private mutating func perhapsMove(at now: Double) {
        state = .perhapsMoved(since: now, fixesAway: 0)
        urgencies.removeAll { now - $0 >= Self.urgencyPeriod }
        isUrgent = urgencies.count < Self.maximumUrgencies
        if isUrgent { urgencies.append(now) }
        (waitingSince, doubtfulScans) = (nil, 0)
        let holdsLinks = !lastReport.links.isDisjoint(with: place.ids)
        settling =
            lastReport.ids.isEmpty
            ? nil : Settling(lastReport, isAfterOthers: true, doubtsLinks: holdsLinks, at: now)
    }

    /// Handles a sleep of the machine of that many seconds: it may be anywhere, until something confirms the place.
    public mutating func woke(after sleep: Double, at now: Double) {
        if isLinked, doubtfulScans == 0 { current?.match(at: now) }
        current?.add(sleep: sleep)
        settling = nil
        lastScan = nil
        lastReport = SurroundingsReport()
        guard isStill else { return }
        waitingSince = now
        nextCheck = min(nextCheck, now + Self.checkIntervals[0])
    }

    /// Ends the observation. The places are remembered, but no time: the clock may be another one afterwards.
    public mutating func pause() {
        lose()
        (settling, lastScan, lastReport) = (nil, nil, SurroundingsReport())
        (endedStay, isSimulated, urgencies) = (nil, false, [])
        (blindUntil, lastConfirmation) = (-.infinity, -.infinity)
        mobile.forgetTimes()
    }

    /// The time when the last scan is too old, unless the device is connected.
    private var silentAt: Double? {
        guard waitingSince == nil, !isLinked, let current else { return nil }
        return (lastScan?.time ?? current.lastMatch) + Self.silence
    }

    // MARK: Time

    /// Advances the time to `now`.
    public mutating func advance(to now: Double) {
        switch state {
        case .still:
            if isLinked, doubtfulScans == 0 { current?.match(at: now) }
            if let waitingSince, now >= waitingSince + Self.waiting { return leave(at: now) }
            if let silentAt, now >= silentAt {
                current?.end()
                let ended = stay
                lose()
                endedStay = ended
                return settle(SurroundingsReport(links: lastReport.links), at: now)
            }
            if now >= nextCheck + Self.checkSeconds { checkFailed(at: now) }
        case .perhapsMoved(let since, _):
            enterIfSettled(at: now)
            if !isStill, now >= since + Self.urgency { lose() }
        case .unknown: enterIfSettled(at: now)
        }
    }

    /// Handles a check without a fix. What is indoors stays, if a fix was made there; a single emitter may be in a bus.
    private mutating func checkFailed(at now: Double) {
        failedChecks += 1
        if place.count < Settling.leastEmitters { return lose() }
        guard current?.fix != nil || failedChecks < Self.firstFixIntervals.count else {
            blindUntil = now + Self.blindTime
            lose()
            return settle(SurroundingsReport(links: lastReport.links), at: now)
        }
        scheduleCheck(at: now)
    }

    private mutating func scheduleCheck(at now: Double) {
        guard let fix = current?.fix else {
            // Apps still wait for a fix of this stay.
            nextCheck = now + Self.firstFixIntervals[min(failedChecks, Self.firstFixIntervals.count - 1)]
            return
        }
        // At a new place with a single fix, a search in vain is soon repeated: apps may still lack the change of place.
        if place.confirmations == 0, failedChecks == 1, fix.last - fix.first < Self.secondFix {
            nextCheck = now + Self.firstFixIntervals[0]
            return
        }
        let number = min(place.confirmations + failedChecks, Self.checkIntervals.count - 1)
        nextCheck = now + Self.checkIntervals[number]
    }

    // MARK: Fixes

    /// Handles a fix that counts.
    public mutating func observe(_ location: Location, at now: Double) {
        isSimulated = location.simulated || location.quality == .fixed
        if isSimulated { return lose() }
        guard location.quality != .deadReckoning else { return }
        guard location.doubts == nil else {
            if isStill, place.contains(location) == false { lose() }
            return
        }
        guard !Self.isVague(location) else {
            if isStill, place.contains(location) == false { check(location, at: now) }
            return
        }
        if location.accessory != true { findMobile(at: location, now) }
        switch state {
        case .still: check(location, at: now)
        case .perhapsMoved(let since, let fixesAway):
            if place.contains(location) == true { return stay(location, at: now) }
            state = .perhapsMoved(since: since, fixesAway: fixesAway + 1)
            follow(location, at: now)
            if fixesAway + 1 >= Self.fixesToMove, !isStill { lose() }
        case .unknown: follow(location, at: now)
        }
    }

    /// Returns whether a fix is too vague to confirm a place. One of unknown accuracy is not.
    public static func isVague(_ location: Location) -> Bool { (location.horizontalAccuracy ?? 0) > checkAccuracy }

    /// Handles a fix while the device is still.
    private mutating func check(_ location: Location, at now: Double) {
        guard place.contains(location) != false else {
            perhapsMove(at: now)
            state = .perhapsMoved(since: now, fixesAway: 1)
            guard !Self.isVague(location) else { return }
            return follow(location, at: now)
        }
        stay(location, at: now)
    }

    /// Handles a fix at the place. What the device hears now belongs to the place, too.
    private mutating func stay(_ location: Location, at now: Double) {
        state = .still
        (settling, isUrgent, failedChecks) = (nil, false, 0)
        let isFirst = place.fix == nil
        if isFirst {
            place.fix = location
        } else if now - lastConfirmation >= Self.checkIntervals[0] / 2 {
            place.confirmations += 1
        }
        lastConfirmation = now
        current?.add(location, at: now)
        if let lastScan, now - lastScan.time <= MobileEmitters.greatestAge { place.absorb(lastScan.report) }
        place.absorb(SurroundingsReport(links: lastReport.links, area: lastReport.area))
        confirm(at: now)
        scheduleCheck(at: now)
        // The first one is compared with nothing yet: a train may have stood there.
        if isFirst { nextCheck = now + Self.secondFix }
    }

    private mutating func findMobile(at location: Location, _ now: Double) {
        var found = mobile.observe(lastReport.links, at: location, age: 0, now: now)
        if let lastScan {
            let age = now - lastScan.time
            found.formUnion(mobile.observe(lastScan.report.ids, at: location, age: age, now: now))
        }
        guard !found.isEmpty else { return }
        lastReport = lastReport.removing(found)
        if let lastScan { self.lastScan = (lastScan.report.removing(found), lastScan.time) }
        for index in places.indices { places[index].remove(found) }
        places.removeAll { $0.count == 0 }
        place.remove(found)
        if settling?.remove(found) == false { settling = nil }
    }

    // MARK: Settling

    private mutating func settle(_ report: SurroundingsReport, at now: Double) {
        guard !report.ids.isEmpty else { return }
        if settling?.follow(report) != true {
            settling = Settling(
                report, isAfterOthers: settling != nil || state != .unknown,
                doubtsLinks: settling?.holdsLinks(of: report) ?? false, at: now)
        }
        enterIfSettled(at: now)
    }

    private mutating func follow(_ location: Location, at now: Double) {
        guard let settled = settling?.follow(location, at: now) else { return }
        if !settled {
            settling = Settling(lastReport, isAfterOthers: true, at: now)
            _ = settling?.follow(location, at: now)
        }
        enterIfSettled(at: now)
    }

    /// The known place that the device may have come to.
    private var known: Int? { settling?.match(among: places, lastReport) }

    private var settlingEnd: Double? { settling?.end(at: known.map { places[$0] }) }

    private mutating func enterIfSettled(at now: Double) {
        guard !isSimulated, let settling, let end = settlingEnd, now >= end, !lastReport.ids.isEmpty else { return }
        guard settling.fix != nil || now >= blindUntil else { return }
        if lastReport.links.isEmpty, now - (lastScan?.time ?? 0) > Self.silence { return }
        lose()
        let known = known
        var new = settling.place
        if let known, new.fix.flatMap(places[known].contains) ?? true {
            new = places.remove(at: known)
            new.absorb(settling.place)
            if settling.fix != nil, new.fix != nil { new.confirmations += 1 }
            new.fix = new.fix ?? settling.place.fix
        }
        place = new
        state = .still
        current = RadioStay(
            since: settling.since, fix: settling.fix.map { (settling.firstFix ?? $0.time, $0.time, $0.timestamp) },
            at: now)
        (self.settling, isUrgent, failedChecks) = (nil, false, 0)
        lastConfirmation = now
        confirm(at: now)
        scheduleCheck(at: now)
    }

    /// Ends the stay at the place, which is remembered.
    private mutating func lose() {
        endedStay = nil
        guard state != .unknown else { return }
        state = .unknown
        isUrgent = false
        (current, waitingSince, doubtfulScans, nextCheck) = (nil, nil, 0, .infinity)
        if place.count > 0 { places.append(place) }
        if places.count > Self.maximumPlaces { places.removeFirst() }
        place = RadioPlace()
    }
}
