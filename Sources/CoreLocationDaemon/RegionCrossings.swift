internal import LocationClient

/// The last known state of each region, from which crossings are distinguished from states that merely became known.
struct RegionCrossings {
    private var states: [String: RegionState] = [:]

    /// Handles an event from the daemon. Returns whether the border was crossed. An event without a location repeats
    /// a known state, and an event after no known state has the first one: neither is a crossing.
    mutating func isCrossing(_ event: RegionEvent) -> Bool {
        let before = states.updateValue(event.state, forKey: event.identifier) ?? .unknown
        return event.location != nil && before != .unknown
    }

    /// Forgets the state of a region that was replaced or removed.
    mutating func forget(_ identifier: String) {
        states[identifier] = nil
    }
}
