internal import LocationClient

/// The open requests for the state of a region. Each is answered once: with the state when fixes have determined it, or
/// with `unknown` if that takes too long.
struct RegionStateRequests {
    /// The answer to a request.
    struct Answer: Equatable {
        /// The number of the request.
        let number: Int
        let state: RegionState
    }

    /// The identifiers of the regions, by request number.
    private var open: [Int: String] = [:]
    private var count = 0

    /// Opens a request. Returns its number.
    mutating func add(_ identifier: String) -> Int {
        count += 1
        open[count] = identifier
        return count
    }

    /// Handles the daemon's reply to request `number`. Returns the answer if there is one yet.
    ///
    /// - Parameter isMonitored: A Boolean value indicating whether the app has started to monitor the region, which
    ///   the daemon may not have handled yet.
    mutating func replied(
        _ number: Int, _ reply: Result<RegionState, LocationError>, isMonitored: Bool
    ) -> [Answer] {
        switch reply {
        case .success(.unknown): []
        case .success(let state): close(number, state)
        case .failure(.invalidParameter) where isMonitored: []
        case .failure: close(number, .unknown)
        }
    }

    /// Handles a state reported by the daemon without a request. Returns the answers.
    mutating func reported(_ state: RegionState, of identifier: String) -> [Answer] {
        state == .unknown ? [] : closeAll(of: identifier, state)
    }

    /// Handles the end of monitoring a region. Returns the answers.
    mutating func stopped(_ identifier: String) -> [Answer] { closeAll(of: identifier, .unknown) }

    /// Handles the timeout of request `number`. Returns the answer.
    mutating func timedOut(_ number: Int) -> [Answer] { close(number, .unknown) }

    private mutating func closeAll(of identifier: String, _ state: RegionState) -> [Answer] {
        open.filter { $0.value == identifier }.keys.sorted().flatMap { close($0, state) }
    }

    private mutating func close(_ number: Int, _ state: RegionState) -> [Answer] {
        open.removeValue(forKey: number) == nil ? [] : [Answer(number: number, state: state)]
    }
}

/// The last known state of each region, for telling crossings from states that merely became known.
struct RegionCrossings {
    private var states: [String: RegionState] = [:]

    /// Handles an event from the daemon. Returns whether the border was crossed. An event without a location repeats a
    /// known state, as one without a beacon does, and the first known state has no predecessor: neither is a crossing.
    mutating func isCrossing(_ event: RegionEvent) -> Bool {
        let before = states.updateValue(event.state, forKey: event.identifier) ?? .unknown
        return (event.location != nil || event.beacon != nil) && before != .unknown
    }

    /// Forgets the state of a region that was replaced or removed.
    mutating func forget(_ identifier: String) {
        states[identifier] = nil
    }
}
