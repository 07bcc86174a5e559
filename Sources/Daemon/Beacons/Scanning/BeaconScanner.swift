package import Bus
internal import EventLoopSupport
internal import Glibc
package import LocationModel
package import NIOCore
internal import Receivers

/// Finds beacons with the machine's Bluetooth adapters, by BlueZ on the system bus. Nothing is open, and nothing scans,
/// while no constraint is wanted. Confined to the event loop.
package final class BeaconScanner {
    /// The time between two reports while beacons are ranged.
    static let reportInterval = TimeAmount.seconds(1)

    /// Called once a second while beacons are ranged and, with a change of ``unavailability``, when the second is over.
    package var onReport: (() -> Void)?
    /// Called with changes of the states of watched constraints.
    package var onChanges: (([BeaconPresences.Change]) -> Void)?
    /// The reason why no beacon can be found, or `nil` if beacons are searched for, or nobody wants any.
    package var unavailability: String? { simulated.isEmpty ? machine.unavailability : nil }
    /// A Boolean value indicating whether beacons are simulated in the place of the real ones.
    package var isSimulating: Bool { !simulated.isEmpty }

    /// Returns whether the machine has a Bluetooth adapter: the kernel's Documentation/ABI, sysfs-class-bluetooth.
    package static func hasAdapter(in folder: String = "/sys/class/bluetooth") -> Bool {
        (0..<BeaconAdapters.maximumCount).contains { access("\(folder)/hci\($0)", F_OK) == 0 }
    }

    private let loop: any EventLoop
    private let wallClock: () -> Timestamp
    private let radio: any BeaconRadio
    private let timer: LoopTimer
    private let retry: Retry
    private let reports: LoopTimer
    private let states: LoopTimer
    private var machine = BeaconScanStateMachine()
    private var table = BeaconTable()
    private var presences = BeaconPresences()
    private var ranged: Set<BeaconPattern> = []
    private var watched: Set<BeaconWatch> = []
    private var isAttentive = false
    /// The listening that the watched regions need.
    private var listening = BeaconPresences.Listening.none
    private var simulated: [SimulatedBeacon] = []
    /// The time of the last report.
    private var reported: NIODeadline?

    package convenience init(on bus: Bus, loop: any EventLoop, wallClock: @escaping () -> Timestamp) {
        self.init(BeaconAdapters(on: bus, loop: loop), loop: loop, wallClock: wallClock)
    }

    init(_ radio: any BeaconRadio, loop: any EventLoop, wallClock: @escaping () -> Timestamp) {
        self.loop = loop
        self.wallClock = wallClock
        self.radio = radio
        timer = LoopTimer(on: loop)
        retry = Retry(Backoff(first: 1, greatest: 60), on: loop)
        reports = LoopTimer(on: loop)
        states = LoopTimer(on: loop)
        radio.onEvent = { [unowned self] in handle($0) }
        radio.onAdvertisement = { [unowned self] in receive($0, rssi: $1) }
        radio.onHint = { [unowned self] in if presences.receive($0, of: $1, at: now) { followPresences() } }
        radio.isWanted = { [unowned self] in isWanted($0) }
    }

    /// The time in seconds of the loop's clock.
    package var now: Double { loop.now.seconds }

    // MARK: Demand

    /// Sets the constraints whose beacons are ranged, and the regions that are watched.
    ///
    /// - Parameter isAttentive: `true` to listen for the regions all the time: an app in use waits for them, and the
    ///   machine's screen needs more power than that.
    package func follow(ranged: Set<BeaconPattern>, watched: Set<BeaconWatch>, isAttentive: Bool = false) {
        guard ranged != self.ranged || watched != self.watched || isAttentive != self.isAttentive else { return }
        (self.ranged, self.watched, self.isAttentive) = (ranged, watched, isAttentive)
        table.keep(ranged)
        presences.watch(watched, at: now)
        radio.forgetUnwanted()
        followDemand()
    }

    /// Replaces the real beacons with simulated ones or, if there are none, ends that.
    package func simulate(_ beacons: [SimulatedBeacon]) {
        simulated = beacons
        table.clear()
        radio.forgetUnwanted()
        followDemand()
    }

    /// Ends the scan. Nothing is reported afterwards.
    package func stop() {
        (onReport, onChanges) = (nil, nil)
        follow(ranged: [], watched: [])
    }

    /// Begins again, since the machine has slept: what was heard before is old.
    ///
    /// Attack: a machine is carried to another place while it sleeps. The clock stands still in this time, and the
    /// beacons of the former place would be in range with the times of the new one.
    package func woke() {
        table.clear()
        radio.forgetDevices()
        presences.restart(at: now)
        followPresences()
    }

    private func followDemand() {
        let isIdle = ranged.isEmpty && watched.isEmpty
        apply(.purpose(isSimulating || isIdle ? .none : ranged.isEmpty ? .watching : .ranging))
        radio.monitored = isSimulating ? [] : ranged.union(watched.map(\.pattern))
        presences.setListening(isSimulating || machine.isListening, at: now)
        setReportTimer()
        followPresences()
    }

    /// Has the adapters listen as the watched regions need it, now and when the next of them changes.
    private func followPresences() {
        let now = now
        listening = presences.listening(at: now)
        apply(.needed(isAttentive && !machine.isMonitored ? .continuous : listening))
        guard let change = presences.nextChange(after: now) else { return states.cancel() }
        // A millisecond later, since the times are rounded.
        states.set(in: .clamping(seconds: max(0, change - now) + 0.001)) { [unowned self] in
            report(presences.advance(to: self.now))
        }
    }

    private func report(_ changes: [BeaconPresences.Change]) {
        followPresences()
        if !changes.isEmpty { onChanges?(changes) }
    }

    // MARK: Results

    /// Returns the beacons in range that satisfy a constraint: the nearest first.
    package func beacons(matching pattern: BeaconPattern) -> [BeaconTable.HeardBeacon] {
        table.beacons(matching: pattern, at: now, wallClock: wallClock())
    }

    /// Returns the state of a watched region.
    package func state(of watch: BeaconWatch) -> RegionState { presences.state(of: watch, at: now) }

    private func isWanted(_ identity: BeaconIdentity) -> Bool {
        guard !isSimulating else { return false }
        return ranged.contains { $0.matches(identity) } || watched.contains { $0.pattern.matches(identity) }
    }

    private func receive(_ advertisement: BeaconAdvertisement, rssi: Double?) {
        let now = now
        if ranged.contains(where: { $0.matches(advertisement.identity) }) {
            table.receive(advertisement, rssi: rssi, at: now)
        }
        let changes = presences.receive(advertisement.identity, at: now)
        // A scan ends with the advertisement that it was for.
        let isOver = listening == .continuous && presences.listening(at: now) != .continuous
        if !changes.isEmpty || isOver { report(changes) }
    }

    /// Reports each second, as long as beacons can be found. Simulated beacons advertise as often.
    private func setReportTimer() {
        guard !ranged.isEmpty || isSimulating && !watched.isEmpty else { return reports.cancel() }
        if unavailability == nil { reportSoon() }
    }

    /// Reports once, a second after the last report at the earliest.
    ///
    /// Attack: a program switches the adapter on and off all the time, and each change would be reported on every
    /// stream.
    package func reportSoon() {
        guard !reports.isSet else { return }
        let now = loop.now
        reports.set(at: max(now + .milliseconds(1), (reported ?? now) + Self.reportInterval)) { [unowned self] in
            reported = loop.now
            setReportTimer()
            for beacon in simulated { receive(beacon.advertisement, rssi: beacon.rssi) }
            if !ranged.isEmpty { onReport?() }
        }
    }

    // MARK: BlueZ

    private func handle(_ event: BeaconScanStateMachine.Event) {
        if case .monitored(let isMonitored) = event { presences.setMonitored(isMonitored, at: now) }
        apply(event)
        followPresences()
    }

    private func apply(_ event: BeaconScanStateMachine.Event) {
        let actions = machine.handle(event)
        // Before the calls that lead to advertisements.
        radio.isExpecting = machine.isExpecting
        for action in actions { perform(action) }
    }

    private func perform(_ action: BeaconScanStateMachine.Action) {
        switch action {
        case .open: radio.open()
        case .close:
            retry.cancel()
            radio.close()
        case .listAdapters: radio.listAdapters()
        case .readAdapter(let path): radio.read(path)
        case .call(let call, let path):
            if call == .stopDiscovery { presences.scanEnds() }
            radio.call(call, path)
        case .setTimer(let seconds):
            timer.set(in: .clamping(seconds: seconds)) { [unowned self] in handle(.timeout) }
        case .cancelTimer: timer.cancel()
        case .retry: if !retry.isScheduled { retry.schedule { [unowned self] in handle(.retry) } }
        case .cancelRetry: retry.cancel()
        case .listening(let isListening):
            if isListening { retry.succeeded() }
            presences.setListening(isListening || isSimulating, at: now)
        case .availabilityChanged: if !ranged.isEmpty { reportSoon() }
        }
    }
}
