internal import LocationClient

/// What is known of where the device is, seen from each region; tells crossings from what merely became known.
struct RegionCrossings {
    private var states: [String: RegionState] = [:]

    /// Takes what the daemon tells; whether the border was crossed. A state without a location is what was known before, and
    /// one that follows on nothing known is where the device is at first.
    mutating func isCrossing(_ event: RegionEvent) -> Bool {
        let before = states.updateValue(event.state, forKey: event.identifier) ?? .unknown
        return event.location != nil && before != .unknown
    }

    /// The region is another one now, or none.
    mutating func forget(_ identifier: String) {
        states[identifier] = nil
    }
}
