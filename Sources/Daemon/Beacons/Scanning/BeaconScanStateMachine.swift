/// The state of a scan for advertisements by BlueZ: for its owner and its adapters, each switched on or off, asked to
/// discover devices, and asked to stop.
///
/// Discovery by BlueZ is an active scan, which is costly. So it runs while an app ranges beacons and, while only beacon
/// regions are watched, as ``BeaconPresences/Listening`` says: windows are of ``windowTime`` in each ``period``.
struct BeaconScanStateMachine {
    /// The length of a scan for beacon regions, in seconds: a round of discovery takes 10.24 s.
    static let windowTime = BeaconPresences.listeningTime + 1
    /// The time from the start of such a scan to the start of the next one, in seconds. The second value is for BlueZ's
    /// monitors, which listen all the time: the scan is for what they miss.
    static let period = (scanned: 60.0, monitored: 300.0)

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
        /// The listening that watched regions need has changed.
        case needed(BeaconPresences.Listening)
        /// BlueZ's monitors have begun to listen, or have ended that.
        case monitored(Bool)
        /// BlueZ is on the bus.
        case found
        /// BlueZ is not on the bus. The reason is for users.
        case absent(String)
        /// The paths of the adapters, which are not read yet, or `nil` if BlueZ has not listed them.
        case adapters([String]?)
        /// An adapter is there, or its power has changed. `obstacle` is the reason why it cannot scan.
        case adapter(String, obstacle: String?)
        /// The properties of an adapter could not be read.
        case unread(String)
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
        case listAdapters
        case readAdapter(String)
        case call(Call, adapter: String)
        case setTimer(seconds: Double), cancelTimer
        /// Failed calls are to be repeated, after a delay that grows.
        case retry
        case cancelRetry
        /// At least one adapter has begun to scan, or none does any longer.
        case listening(Bool)
        /// ``unavailability`` has changed.
        case availabilityChanged
    }

    private enum Phase: Equatable {
        case idle, settingFilter, starting, scanning
        /// `failure` is the reason if the scan has not started.
        case stopping(failure: String?)
        /// The adapter may scan although it was asked to stop.
        case unstopped(String)
        case failed(String)

        /// The reason why the adapter does not scan, or `nil` if there is none.
        var failure: String? {
            switch self {
            case .stopping(let failure): failure
            case .unstopped(let failure), .failed(let failure): failure
            case .idle, .settingFilter, .starting, .scanning: nil
            }
        }

        var isCalling: Bool {
            switch self {
            case .settingFilter, .starting, .stopping: true
            case .idle, .scanning, .unstopped, .failed: false
            }
        }

        /// A Boolean value indicating whether there is nothing to be ended, and no answer outstanding.
        var isOver: Bool {
            switch self {
            case .idle, .failed: true
            case .settingFilter, .starting, .scanning, .stopping, .unstopped: false
            }
        }
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
        /// BlueZ has not listed its adapters.
        case unlisted
        case absent(String)

        var isFound: Bool { self == .found || self == .unlisted }
    }

    private static let unlisted = "BlueZ, the Bluetooth service, does not list its adapters, and is asked again"
    private static let unread = "BlueZ does not describe the Bluetooth adapter, and is asked again"

    private var purpose = Purpose.none
    private var service = Service.closed
    /// The adapters by their paths, or `nil` before they are known.
    private var adapters: [String: Adapter]?
    private var isWindowOpen = true
    private var needed = BeaconPresences.Listening.windows
    /// A Boolean value indicating whether BlueZ's monitors listen.
    private(set) var isMonitored = false
    /// A Boolean value indicating whether at least one adapter scans.
    private(set) var isListening = false
    /// A Boolean value indicating whether an adapter scans, or is asked to, so that advertisements may come.
    var isExpecting: Bool {
        adapters?.values.contains { [.settingFilter, .starting, .scanning].contains($0.phase) } ?? false
    }
    private var known: String?

    /// The reason why nothing can be heard, or `nil` if something can, or if that is not known yet.
    var unavailability: String? {
        guard purpose != .none else { return nil }
        if case .absent(let reason) = service { return "BlueZ, the Bluetooth service, is not available: \(reason)" }
        guard let adapters, service.isFound else { return service == .unlisted ? Self.unlisted : nil }
        var reasons: [String] = []
        for (_, adapter) in adapters.sorted(by: { $0.key < $1.key }) {
            guard let reason = adapter.obstacle ?? adapter.phase.failure else { return nil }
            reasons.append(reason)
        }
        if reasons.isEmpty, service == .unlisted { return Self.unlisted }
        return reasons.first ?? "this machine has no Bluetooth adapter that BlueZ can use"
    }

    mutating func handle(_ event: Event) -> [Action] {
        var actions = consume(event) + step()
        let isListening = adapters?.values.contains { $0.phase == .scanning } ?? false
        if isListening != self.isListening {
            actions.append(.listening(isListening))
            // The window begins when an adapter listens: an exit needs nearly all of it.
            if isListening, purpose == .watching, isWindowOpen { actions.append(.setTimer(seconds: Self.windowTime)) }
        }
        self.isListening = isListening
        let unavailability = unavailability
        if unavailability != known { actions.append(.availabilityChanged) }
        known = unavailability
        return actions
    }

    private mutating func consume(_ event: Event) -> [Action] {
        switch event {
        case .purpose(let purpose): return follow(purpose)
        case .needed(let listening): needed = listening
        case .monitored(let isMonitored):
            self.isMonitored = isMonitored
            // The next window would be minutes away.
            if !isMonitored, purpose == .watching, !isWindowOpen { return turnWindow() }
        case .found:
            guard service != .closed else { return [] }
            (service, adapters) = (.found, nil)
            return [.listAdapters]
        case .absent(let reason):
            guard service != .closed else { return [] }
            (service, adapters) = (.absent(reason), nil)
            return [.cancelRetry]
        case .adapters(let paths):
            guard service.isFound else { return [] }
            guard let paths else {
                service = .unlisted
                return [.retry]
            }
            service = .found
            let listed = Dictionary(paths.map { ($0, Adapter()) }) { first, _ in first }
            adapters = (adapters ?? [:]).merging(listed) { known, _ in known }
            return paths.map { .readAdapter($0) }
        case .adapter(let path, let obstacle):
            guard service.isFound else { return [] }
            var adapter = adapters?[path] ?? Adapter()
            // Without power, discovery has ended. With it again, a failed call may succeed.
            if obstacle != nil || adapter.obstacle != nil, !adapter.phase.isCalling { adapter.phase = .idle }
            (adapter.obstacle, adapter.isRead) = (obstacle, true)
            adapters = (adapters ?? [:]).merging([path: adapter]) { $1 }
        case .unread(let path):
            guard let adapter = adapters?[path], !adapter.isRead else { return [] }
            adapters?[path]?.obstacle = Self.unread
            return [.retry]
        case .removed(let path): adapters?[path] = nil
        case .answered(let call, let path, let failure): return answered(call, path, failure)
        case .timeout: return turnWindow()
        case .retry: return retry()
        }
        return []
    }

    /// Returns the actions that try again what has failed.
    private mutating func retry() -> [Action] {
        var actions: [Action] = service == .unlisted ? [.listAdapters] : []
        for (path, adapter) in (adapters ?? [:]).sorted(by: { $0.key < $1.key }) {
            if !adapter.isRead, adapter.obstacle != nil { actions.append(.readAdapter(path)) }
            switch adapter.phase {
            case .failed: adapters?[path]?.phase = .idle
            case .unstopped:
                adapters?[path]?.phase = .stopping(failure: nil)
                actions.append(.call(.stopDiscovery, adapter: path))
            case .idle, .settingFilter, .starting, .scanning, .stopping: break
            }
        }
        return actions
    }

    private mutating func follow(_ purpose: Purpose) -> [Action] {
        guard purpose != self.purpose else { return [] }
        let retried = self.purpose == .none ? retry() : []
        self.purpose = purpose
        isWindowOpen = true
        switch purpose {
        case .none:
            return [.cancelTimer] + (isUnstopped ? [] : [.cancelRetry])
        case .watching: return [.setTimer(seconds: Self.windowTime)] + retried
        case .ranging: return [.cancelTimer] + retried
        }
    }

    private var isUnstopped: Bool {
        adapters?.values.contains { if case .unstopped = $0.phase { true } else { false } } ?? false
    }

    private mutating func turnWindow() -> [Action] {
        guard purpose == .watching else { return [] }
        isWindowOpen.toggle()
        let period = isMonitored ? Self.period.monitored : Self.period.scanned
        return [.setTimer(seconds: isWindowOpen ? Self.windowTime : period - Self.windowTime)]
    }

    private mutating func answered(_ call: Call, _ path: String, _ failure: String?) -> [Action] {
        guard let adapter = adapters?[path] else { return [] }
        switch (call, adapter.phase) {
        case (.setFilter, .settingFilter):
            if let failure { return failed(path, failure) }
            let isWanted = isWanted(adapter)
            adapters?[path]?.phase = isWanted ? .starting : .idle
            return isWanted ? [.call(.startDiscovery, adapter: path)] : []
        case (.startDiscovery, .starting):
            // BlueZ may have started the scan nevertheless, or go on with an earlier one, which ends with the daemon
            // only: other parts of it keep the connection to the bus.
            adapters?[path]?.phase = failure == nil ? .scanning : .stopping(failure: failure)
            return failure == nil ? [] : [.call(.stopDiscovery, adapter: path)]
        case (.stopDiscovery, .stopping(let earlier)):
            if let failure {
                adapters?[path]?.phase = .unstopped(failure)
                return [.retry]
            }
            if let earlier { return failed(path, earlier) }
            adapters?[path]?.phase = .idle
        default: break
        }
        return []
    }

    private mutating func failed(_ path: String, _ failure: String) -> [Action] {
        adapters?[path]?.phase = .failed(failure)
        return purpose == .none ? [] : [.retry]
    }

    private func isWanted(_ adapter: Adapter) -> Bool {
        guard adapter.isRead, adapter.obstacle == nil else { return false }
        return switch purpose {
        case .none: false
        case .ranging: true
        case .watching: needed == .continuous || needed == .windows && isWindowOpen
        }
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
                adapters?[path]?.phase = .stopping(failure: nil)
                actions.append(.call(.stopDiscovery, adapter: path))
            default: break
            }
        }
        // Before the answer to StartDiscovery, BlueZ refuses StopDiscovery, and the scan would go on.
        let isOver = adapters?.values.allSatisfy(\.phase.isOver) ?? true
        if purpose == .none, service != .closed, isOver {
            (service, adapters) = (.closed, nil)
            actions.append(.close)
        }
        return actions
    }
}
