internal import LocationClient
internal import LocationModel

/// The rules for admitting readers, subscribing to locations and writing to readers.
///
/// Without authorization, readers are not admitted. Without readers, there is no subscription. While there is no fix,
/// readers get sentences without one, as from a receiver.
struct SentenceServerStateMachine {
    enum Action: Equatable {
        /// Admit readers.
        case open
        /// Disconnect readers, and admit no more.
        case close
        /// Start or end the subscription to locations.
        case subscribe, unsubscribe
        case write(Location)
        case writeWithoutFix
        /// Drop the sentences waiting for future readers.
        case forget
    }

    private var isAuthorized = false
    private var hasReaders = false
    private var isSubscribed = false
    /// A Boolean value indicating whether readers are waiting for a fix, so that sentences without one are repeated.
    private(set) var isWithoutFix = false

    /// Handles the authorization. When it ends, unread sentences are dropped, and readers get a last one without a
    /// fix before they are disconnected.
    mutating func authorizationChanged(isAuthorized: Bool) -> [Action] {
        guard isAuthorized != self.isAuthorized else { return [] }
        self.isAuthorized = isAuthorized
        guard !isAuthorized else { return [.open] }
        // Attack: a reader stops reading, and after the revocation reads the sentences written before it.
        let last: [Action] = hasReaders ? [.forget] + (isWithoutFix ? [] : [.writeWithoutFix]) : []
        hasReaders = false
        return last + unsubscribe() + [.close]
    }

    /// Handles the arrival of the first reader or the departure of the last one.
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
        // Attack: the watch of the authorization reports reduced accuracy before the last full-accuracy location
        // arrives. A future reader would get that location. The subscription sends this event after all such locations.
        case .authorizationChanged(let state): return state.accuracy == .reduced ? [.forget] : []
        case .paused, .resumed, .unsuspended, .receiverFound, .reconnected: return []
        }
    }

    /// Handles the end of the subscription, which is retried later.
    mutating func ended() -> [Action] {
        guard isSubscribed else { return [] }
        isSubscribed = false
        return loseFix()
    }

    /// Subscribes again.
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
