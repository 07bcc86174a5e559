/// The state of a scan for advertisements by BlueZ: for its owner and its adapters, each switched on or off, asked to
/// discover devices, and asked to stop.
///
/// Discovery by BlueZ is an active scan, which is costly. So it runs while an app ranges beacons and, while only beacon
/// regions are watched, for ``windowTime`` in each ``period``.
struct BeaconScanStateMachine {
    /// The length of a scan for beacon regions, in seconds: a round of discovery takes 10.24 s.
    static let windowTime = BeaconPresences.listeningTime + 1
    /// The time from the start of such a scan to the start of the next one, in seconds.
    static let period = 60.0

    /// The purpose of the scan.
    enum Purpose: Equatable {
        case none
        /// Regions are watched.
        case watching
        /// Beacons are ranged.
        case ranging
    }

    /// A call of an adapter.
    enum Call: Equatable {
        case setFilter, startDiscovery, stopDiscovery
    }

    enum Event: Equatable {
        case purpose(Purpose)
        /// BlueZ is on the bus.
        case found
        /// BlueZ is not on the bus. The reason is for users.
        case absent(String)
        /// The paths of the adapters, which are not read yet.
        case adapters([String])
        /// An adapter is there, or its power has changed. `obstacle` is the reason why it cannot scan.
        case adapter(String, obstacle: String?)
        case removed(String)
        /// The answer to a call. `failure` is the reason of an error.
        case answered(Call, adapter: String, failure: String?)
        /// The time of ``Action/setTimer(seconds:)`` is over.
        case timeout
        /// The time of ``Action/retry`` is over.
        case retry
    }

    enum Action: Equatable {
        case open, close
        case readAdapter(String)
        case call(Call, adapter: String)
        case setTimer(seconds: Double), cancelTimer
        /// Failed calls are to be made again, after a delay that grows.
        case retry
        case cancelRetry
        /// At least one adapter has begun to scan, or none does any longer.
        case listening(Bool)
        /// ``unavailability`` has changed.
        case availabilityChanged
    }

    private enum Phase: Equatable {
        case idle, settingFilter, starting, scanning, stopping
        case failed(String)

        var isCalling: Bool { [.settingFilter, .starting, .stopping].contains(self) }
    }

    private struct Adapter {
        /// The reason why the adapter cannot scan, or `nil` if it can.
        var obstacle: String?
        var phase = Phase.idle
        /// A Boolean value indicating whether the properties of the adapter are known.
        var isRead = false
    }

    private enum Service: Equatable {
        case closed, searched, found
        case absent(String)
    }

    private var purpose = Purpose.none
    private var service = Service.closed
    /// The adapters by their paths, or `nil` before they are known.
    private var adapters: [String: Adapter]?
    private var isWindowOpen = true
    /// A Boolean value indicating whether at least one adapter scans.
    private(set) var isListening = false
    private var known: String?

    /// The reason why nothing can be heard, or `nil` if something can, or if that is not known yet.
    var unavailability: String? {
        guard purpose != .none else { return nil }
        if case .absent(let reason) = service { return "BlueZ, the Bluetooth service, is not available: \(reason)" }
        guard let adapters, service == .found else { return nil }
        var reasons: [String] = []
        for (_, adapter) in adapters.sorted(by: { $0.key < $1.key }) {
            if !adapter.isRead { return nil }
            if let obstacle = adapter.obstacle {
                reasons.append(obstacle)
            } else if case .failed(let reason) = adapter.phase {
                reasons.append(reason)
            } else {
                return nil
            }
        }
        return reasons.first ?? "this machine has no Bluetooth adapter that BlueZ can use"
    }

    mutating func handle(_ event: Event) -> [Action] {
        var actions = consume(event) + step()
        let isListening = adapters?.values.contains { $0.phase == .scanning } ?? false
        if isListening != self.isListening { actions.append(.listening(isListening)) }
        self.isListening = isListening
        let unavailability = unavailability
        if unavailability != known { actions.append(.availabilityChanged) }
        known = unavailability
        return actions
    }

    private mutating func consume(_ event: Event) -> [Action] {
        switch event {
        case .purpose(let purpose): return follow(purpose)
        case .found:
            guard service != .closed else { return [] }
            (service, adapters) = (.found, nil)
            return []
        case .absent(let reason):
            guard service != .closed else { return [] }
            (service, adapters) = (.absent(reason), nil)
            return [.cancelRetry]
        case .adapters(let paths):
            guard service == .found else { return [] }
            let listed = Dictionary(paths.map { ($0, Adapter()) }) { first, _ in first }
            adapters = (adapters ?? [:]).merging(listed) { known, _ in known }
            return paths.map { .readAdapter($0) }
        case .adapter(let path, let obstacle):
            guard service == .found else { return [] }
            var adapter = adapters?[path] ?? Adapter()
            // Without power, discovery has ended. With it again, a failed call may succeed.
            if obstacle != nil || adapter.obstacle != nil, !adapter.phase.isCalling { adapter.phase = .idle }
            (adapter.obstacle, adapter.isRead) = (obstacle, true)
            adapters = (adapters ?? [:]).merging([path: adapter]) { $1 }
        case .removed(let path): adapters?[path] = nil
        case .answered(let call, let path, let failure): return answered(call, path, failure)
        case .timeout: return turnWindow()
        case .retry:
            for (path, adapter) in adapters ?? [:] {
                if case .failed = adapter.phase { adapters?[path]?.phase = .idle }
            }
        }
        return []
    }

    private mutating func follow(_ purpose: Purpose) -> [Action] {
        guard purpose != self.purpose else { return [] }
        self.purpose = purpose
        isWindowOpen = true
        switch purpose {
        case .none: return [.cancelTimer, .cancelRetry]
        case .watching: return [.setTimer(seconds: Self.windowTime)]
        case .ranging: return [.cancelTimer]
        }
    }

    private mutating func turnWindow() -> [Action] {
        guard purpose == .watching else { return [] }
        isWindowOpen.toggle()
        return [.setTimer(seconds: isWindowOpen ? Self.windowTime : Self.period - Self.windowTime)]
    }

    private mutating func answered(_ call: Call, _ path: String, _ failure: String?) -> [Action] {
        guard let adapter = adapters?[path] else { return [] }
        switch (call, adapter.phase) {
        case (.setFilter, .settingFilter), (.startDiscovery, .starting):
            if let failure {
                adapters?[path]?.phase = .failed(failure)
                return [.retry]
            }
            if call == .startDiscovery {
                adapters?[path]?.phase = .scanning
            } else if isWanted(adapter) {
                adapters?[path]?.phase = .starting
                return [.call(.startDiscovery, adapter: path)]
            } else {
                adapters?[path]?.phase = .idle
            }
        // Whatever the answer is: an adapter without power has stopped, and one that hangs cannot be helped.
        case (.stopDiscovery, .stopping): adapters?[path]?.phase = .idle
        default: break
        }
        return []
    }

    private func isWanted(_ adapter: Adapter) -> Bool {
        purpose != .none && isWindowOpen && adapter.isRead && adapter.obstacle == nil
    }

    /// Returns the actions that bring service and adapters to the wanted state.
    private mutating func step() -> [Action] {
        if purpose != .none, service == .closed {
            service = .searched
            return [.open]
        }
        var actions: [Action] = []
        for (path, adapter) in (adapters ?? [:]).sorted(by: { $0.key < $1.key }) {
            switch (adapter.phase, isWanted(adapter)) {
            case (.idle, true):
                adapters?[path]?.phase = .settingFilter
                actions.append(.call(.setFilter, adapter: path))
            case (.scanning, false):
                adapters?[path]?.phase = .stopping
                actions.append(.call(.stopDiscovery, adapter: path))
            default: break
            }
        }
        // Before the answer to StartDiscovery, BlueZ refuses StopDiscovery, and the scan would go on.
        let isCalling = adapters?.values.contains { $0.phase.isCalling } ?? false
        if purpose == .none, service != .closed, !isCalling {
            (service, adapters) = (.closed, nil)
            actions.append(.close)
        }
        return actions
    }
}
