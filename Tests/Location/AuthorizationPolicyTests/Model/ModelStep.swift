import LocationModel

@testable import AuthorizationPolicy

/// An event, with the daemon before and after it.
struct ModelStep {
    let before: ModelledDaemon
    let beforeCode: StateCode
    let event: ModelEvent
    let after: ModelledDaemon
    let afterCode: StateCode

    /// A Boolean value indicating whether the daemon was started again, so that nothing in memory is the same.
    var isStart: Bool { if case .crash = event { true } else { false } }

    /// Returns whether the event must leave an app alone: it is about another app. In a crowd, apps wait for each other.
    func leavesAlone(_ index: Int) -> Bool {
        event.app != nil && event.app != index && !event.isLate && after.scope.crowd.isEmpty
    }

    /// Returns whether the event is the failure of a write of the decision about an app.
    func isFailure(ofApp index: Int) -> Bool {
        if case .finishWrite(false) = event { before.oldestWriteIsDecision(about: index) } else { false }
    }
}

extension ModelledDaemon {
    /// Returns whether the oldest pending write is of the decision about an app.
    func oldestWriteIsDecision(about index: Int) -> Bool {
        guard case .change(let write)? = writes.first, case .decision(_, let app) = write.change else { return false }
        return app == apps[index].key
    }

    /// The decision about an app that is in effect.
    func decision(about index: Int) -> Decision? { machine.table.decision(about: apps[index].key) }

    /// The decision about an app that will be in effect if nothing fails: the user's last one, if it has not ended.
    func intendedDecision(about index: Int) -> Decision? {
        let state = machine.states[apps[index].key]
        return state?.opening?.decision ?? state?.returning?.decision ?? decision(about: index)
    }

    /// The decision about an app on the disk when all pending writes have succeeded.
    func expectedDecision(about index: Int) -> Decision? {
        var stored = apps[index].stored
        for case .change(let write) in writes {
            if case .decision(let decision, let app) = write.change, app == apps[index].key { stored = decision }
        }
        return stored
    }

    /// The number of pending writes of the decision about an app.
    func pendingDecisions(about index: Int) -> Int {
        writes.count { write in
            guard case .change(let write) = write, case .decision(_, let app) = write.change else { return false }
            return app == apps[index].key
        }
    }

    /// Returns whether any delivery to an app is due.
    func delivers(to index: Int) -> Bool {
        let key = apps[index].key
        return DeliveryTerms.each.contains { terms in
            Presence.allCases.contains { machine.table.delivery(to: key, presence: $0, terms: terms).isDelivered }
        }
    }
}

extension DeliveryTerms {
    static let each = [
        DeliveryTerms.single, DeliveryTerms(presence: .inUse, allowsBackground: true),
        DeliveryTerms(presence: .inUse, allowsBackground: false),
    ]
}

extension Decision? {
    /// Returns whether this decision allows an app everything that `other` allows it, for as long.
    ///
    /// Written apart from `Decision.common`, which it tests.
    func covers(_ other: Decision?) -> Bool {
        guard let other, other.level != .denied else { return true }
        guard let self else { return false }
        return other.level.allowed & ~self.level.allowed == 0
            && (self.accuracy == .full || other.accuracy == .reduced) && self.lifetime.covers(other.lifetime)
    }
}

extension Decision.Level {
    /// The kinds of access, as bits: in use; in the background on a subscription that began in use; in use, for a need
    /// of `always`; everything in the background.
    ///
    /// A provisional `always` has the second bit, although nothing is delivered in the background under it: "while in
    /// use" in its place counts as a reduction, and takes effect at once.
    fileprivate var allowed: UInt8 {
        switch self {
        case .denied: 0b0000
        case .whenInUse: 0b0011
        case .provisionalAlways: 0b0111
        case .always: 0b1111
        }
    }
}

extension Decision.Lifetime {
    /// Returns whether this lifetime may be as long as `other`. Either of "once" and a fixed end may be the longer one:
    /// the old one stays in effect until the new one is on the disk.
    fileprivate func covers(_ other: Decision.Lifetime) -> Bool {
        switch (self, other) {
        case (.permanent, _), (.once, .once), (.once, .until), (.until, .once): true
        case (.until(let end), .until(let otherEnd)): end >= otherEnd
        default: false
        }
    }
}
