internal import LocationClient
internal import LocationModel

/// The rules of serving: when readers are let in, when the daemon is asked for locations, and what readers get.
///
/// Without authorization nobody is let in. Without a reader nothing is asked of the daemon. A reader gets sentences
/// without a fix while there is none, as from a receiver.
struct SentenceServerStateMachine {
    enum Action: Equatable {
        /// Readers are to be let in.
        case open
        /// Readers are to be shut out, those that are there too.
        case close
        /// Locations are to be asked for, or not any more.
        case subscribe, unsubscribe
        case write(Location)
        case writeWithoutFix
        /// What waits for a further reader is to be dropped.
        case forget
    }

    private var isAuthorized = false
    private var hasReaders = false
    private var isSubscribed = false
    /// A Boolean value indicating whether readers are there and no fix is, so that sentences without one are repeated.
    private(set) var isWithoutFix = false

    /// Handles the authorization. When it ends, unread sentences are dropped, readers get one without a fix, and are then
    /// shut out.
    mutating func authorizationChanged(isAuthorized: Bool) -> [Action] {
        guard isAuthorized != self.isAuthorized else { return [] }
        self.isAuthorized = isAuthorized
        guard !isAuthorized else { return [.open] }
        // Attack: a reader takes nothing, and reads after the revocation what was written before.
        let last: [Action] = hasReaders ? [.forget] + (isWithoutFix ? [] : [.writeWithoutFix]) : []
        hasReaders = false
        return last + unsubscribe() + [.close]
    }

    /// Handles the first reader that comes, or the last one that leaves.
    mutating func readersChanged(areThere: Bool) -> [Action] {
        guard isAuthorized, areThere != hasReaders else { return [] }
        hasReaders = areThere
        guard areThere else { return unsubscribe() }
        isSubscribed = true
        isWithoutFix = true
        return [.writeWithoutFix, .subscribe]
    }

    /// Handles an update of the subscription.
    mutating func received(_ update: LocationUpdate) -> [Action] {
        guard isSubscribed else { return [] }
        switch update {
        case .location(let location):
            isWithoutFix = false
            return [.write(location)]
        case .receiverLost, .suspended, .disconnected: return loseFix()
        // Attack: the watch of the authorization says that accuracy is reduced, and a location with full accuracy that
        // is on its way comes after that. A further reader would get it. In the subscription, all of them came before.
        case .authorizationChanged(let state): return state.accuracy == .reduced ? [.forget] : []
        case .paused, .resumed, .unsuspended, .receiverFound, .reconnected: return []
        }
    }

    /// Handles the end of the subscription, which is tried again by and by.
    mutating func ended() -> [Action] {
        guard isSubscribed else { return [] }
        isSubscribed = false
        return loseFix()
    }

    /// Tries again to subscribe.
    mutating func retry() -> [Action] {
        guard isAuthorized, hasReaders, !isSubscribed else { return [] }
        isSubscribed = true
        return [.subscribe]
    }

    private mutating func loseFix() -> [Action] {
        guard !isWithoutFix else { return [] }
        isWithoutFix = true
        return [.writeWithoutFix]
    }

    private mutating func unsubscribe() -> [Action] {
        isWithoutFix = false
        guard isSubscribed else { return [] }
        isSubscribed = false
        return [.unsubscribe]
    }
}
