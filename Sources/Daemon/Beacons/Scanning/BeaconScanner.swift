package import Bus
internal import EventLoopSupport
package import LocationModel
package import NIOCore
internal import Receivers

/// Finds beacons with the machine's Bluetooth adapters, by BlueZ on the system bus. Nothing is open, and nothing scans,
/// while no constraint is wanted. Confined to the event loop.
package final class BeaconScanner {
    /// The time between two reports while beacons are ranged.
    static let reportInterval = TimeAmount.seconds(1)

    /// Called once a second while beacons are ranged, and when ``unavailability`` has changed.
    package var onReport: (() -> Void)?
    /// Called with changes of the states of watched constraints.
    package var onChanges: (([BeaconPresences.Change]) -> Void)?
    /// The reason why no beacon can be found, or `nil` if beacons are searched for, or nobody wants any.
    package var unavailability: String? { simulated.isEmpty ? machine.unavailability : nil }
    /// A Boolean value indicating whether beacons are simulated in the place of the real ones.
    package var isSimulating: Bool { !simulated.isEmpty }

    private let loop: any EventLoop
    private let wallClock: () -> Timestamp
    private let adapters: BeaconAdapters
    private let timer: LoopTimer
    private let retry: Retry
    private let reports: LoopTimer
    private let exits: LoopTimer
    private var machine = BeaconScanStateMachine()
    private var table = BeaconTable()
    private var presences = BeaconPresences()
    private var ranged: Set<BeaconPattern> = []
    private var watched: Set<BeaconPattern> = []
    private var simulated: [SimulatedBeacon] = []

    package init(on bus: Bus, loop: any EventLoop, wallClock: @escaping () -> Timestamp) {
        self.loop = loop
        self.wallClock = wallClock
        adapters = BeaconAdapters(on: bus)
        timer = LoopTimer(on: loop)
        retry = Retry(Backoff(first: 1, greatest: 60), on: loop)
        reports = LoopTimer(on: loop)
        exits = LoopTimer(on: loop)
        adapters.onEvent = { [unowned self] in handle($0) }
        adapters.onAdvertisement = { [unowned self] in receive($0, rssi: $1) }
        adapters.isWanted = { [unowned self] in isWanted($0) }
    }

    private var now: Double { loop.now.seconds }

    // MARK: Demand

    /// Sets the constraints whose beacons are ranged, and the ones whose presence is watched.
    package func follow(ranged: Set<BeaconPattern>, watched: Set<BeaconPattern>) {
        guard ranged != self.ranged || watched != self.watched else { return }
        (self.ranged, self.watched) = (ranged, watched)
        table.keep(ranged)
        presences.watch(watched, at: now)
        adapters.forgetUnwanted()
        followDemand()
    }

    /// Replaces the real beacons with simulated ones or, if there are none, ends that.
    package func simulate(_ beacons: [SimulatedBeacon]) {
        simulated = beacons
        table.keep([])
        adapters.forgetUnwanted()
        followDemand()
    }

    /// Ends the scan. Nothing is reported afterwards.
    package func stop() {
        (onReport, onChanges) = (nil, nil)
        follow(ranged: [], watched: [])
    }

    private func followDemand() {
        let isIdle = ranged.isEmpty && watched.isEmpty
        handle(.purpose(isSimulating || isIdle ? .none : ranged.isEmpty ? .watching : .ranging))
        presences.setListening(isSimulating || machine.isListening, at: now)
        setReportTimer()
        setExitTimer()
    }

    // MARK: Results

    /// Returns the beacons in range that satisfy a constraint.
    package func report(for pattern: BeaconPattern) -> RangingReport {
        if let unavailability { return RangingReport(beacons: [], unavailable: unavailability) }
        return RangingReport(beacons: table.beacons(matching: pattern, at: now, wallClock: wallClock()))
    }

    /// Returns the state of a watched constraint, with the last beacon that was heard if it is inside.
    package func state(of pattern: BeaconPattern) -> (state: RegionState, beacon: BeaconIdentity?) {
        presences.state(of: pattern)
    }

    private func isWanted(_ identity: BeaconIdentity) -> Bool {
        guard !isSimulating else { return false }
        return ranged.contains { $0.matches(identity) } || watched.contains { $0.matches(identity) }
    }

    private func receive(_ advertisement: BeaconAdvertisement, rssi: Double?) {
        let now = now
        if ranged.contains(where: { $0.matches(advertisement.identity) }) {
            table.receive(advertisement, rssi: rssi, at: now)
        }
        let changes = presences.receive(advertisement.identity, at: now)
        guard !changes.isEmpty else { return }
        setExitTimer()
        onChanges?(changes)
    }

    /// Reports each second. Simulated beacons advertise as often.
    private func setReportTimer() {
        guard !ranged.isEmpty || isSimulating && !watched.isEmpty else { return reports.cancel() }
        guard !reports.isSet else { return }
        reports.set(in: Self.reportInterval) { [unowned self] in
            setReportTimer()
            for beacon in simulated { receive(beacon.advertisement, rssi: beacon.rssi) }
            if !ranged.isEmpty { onReport?() }
        }
    }

    private func setExitTimer() {
        guard let deadline = presences.deadline else { return exits.cancel() }
        // A millisecond later, since the times are rounded.
        exits.set(in: .clamping(seconds: max(0, deadline - now) + 0.001)) { [unowned self] in
            let changes = presences.advance(to: now)
            setExitTimer()
            if !changes.isEmpty { onChanges?(changes) }
        }
    }

    // MARK: BlueZ

    private func handle(_ event: BeaconScanStateMachine.Event) {
        for action in machine.handle(event) { perform(action) }
    }

    private func perform(_ action: BeaconScanStateMachine.Action) {
        switch action {
        case .open: adapters.open()
        case .close: adapters.close()
        case .readAdapter(let path): adapters.read(path)
        case .call(let call, let path): adapters.call(call, path)
        case .setTimer(let seconds):
            timer.set(in: .clamping(seconds: seconds)) { [unowned self] in handle(.timeout) }
        case .cancelTimer: timer.cancel()
        case .retry: if !retry.isScheduled { retry.schedule { [unowned self] in handle(.retry) } }
        case .cancelRetry: retry.cancel()
        case .listening(let isListening):
            if isListening { retry.succeeded() }
            presences.setListening(isListening || isSimulating, at: now)
            setExitTimer()
        case .availabilityChanged: if !ranged.isEmpty { onReport?() }
        }
    }
}
