import LocationModel
import NIOCore
import NIOEmbedded
import TestSupport

@testable import Beacons

/// A region that a scanner watches with a made-up radio, on a clock that the test moves. A beacon sends ten times a
/// second.
final class BeaconWatching {
    /// The reason why the scanner listens.
    enum Mode: String, CaseIterable {
        /// Only the region: in windows.
        case windows
        /// An app in use waits for the crossings.
        case attentive
        /// An app ranges the same beacons.
        case ranging
        /// BlueZ offers monitors.
        case monitored
        /// The same, but the monitors report nothing.
        case deaf

        var hasMonitors: Bool { self == .monitored || self == .deaf }
    }

    /// The length of a step, in seconds.
    static let step = 0.1

    /// A radio with an adapter that answers after a step, and passes on what it hears while it scans.
    private final class Radio: BeaconRadio {
        private static let adapter = "/org/bluez/hci0"

        var onEvent: ((BeaconScanStateMachine.Event) -> Void)?
        var onAdvertisement: ((BeaconAdvertisement, _ rssi: Double?) -> Void)?
        var onHint: ((BeaconPresences.Report, Set<BeaconPattern>) -> Void)?
        var isWanted: ((BeaconIdentity) -> Bool)?
        var isExpecting = false
        var hasMonitors = false
        var monitored: Set<BeaconPattern> = [] {
            didSet { if hasMonitors, monitored.isEmpty != oldValue.isEmpty { answer(.monitored(!monitored.isEmpty)) } }
        }
        var isScanning = false
        var scans = 0
        var answers: [BeaconScanStateMachine.Event] = []

        func answer(_ event: BeaconScanStateMachine.Event) { answers.append(event) }

        func open() { answer(.found) }
        func close() { isScanning = false }
        func forgetUnwanted() {}
        func forgetDevices() {}
        func listAdapters() { answer(.adapters([Self.adapter])) }
        func read(_ path: String) { answer(.adapter(path, obstacle: nil)) }

        func call(_ call: BeaconScanStateMachine.Call, _ path: String) {
            switch call {
            case .setFilter: break
            case .startDiscovery: (isScanning, scans) = (true, scans + 1)
            case .stopDiscovery: isScanning = false
            }
            answer(.answered(call, adapter: path, failure: nil))
        }
    }

    private let loop = EmbeddedEventLoop()
    private let radio = Radio()
    private let scanner: BeaconScanner
    private let mode: Mode
    private var random: SeededRandom
    private var watches = [BeaconWatch(BeaconSamples.pattern())]
    private var steps = 0
    /// The time of the last advertisement that arrived at the machine.
    private var sent = -Double.infinity
    /// The time of the first one after the last silence.
    private var first: Double?
    /// A Boolean value indicating whether the monitors have reported the beacon.
    private var isFound = false
    private var wasScanning = false
    /// The probability that an advertisement arrives.
    var chance = 0.0
    /// The results, each with its time in seconds.
    private(set) var changes: [(state: RegionState, time: Double)] = []
    /// The time of all scans, in seconds.
    private(set) var scanned = 0.0

    init(_ mode: Mode, seed: UInt64 = 1) {
        self.mode = mode
        random = SeededRandom(seed: seed)
        radio.hasMonitors = mode.hasMonitors
        scanner = BeaconScanner(radio, loop: loop) { Timestamp(millisecondsSince1970: 1_800_000_000_000) }
        scanner.onChanges = { [unowned self] in changes += $0.map { (state: $0.state, time: now) } }
        follow()
    }

    private func follow() {
        let pattern = BeaconSamples.pattern()
        scanner.follow(
            ranged: mode == .ranging ? [pattern] : [], watched: Set(watches), isAttentive: mode == .attentive)
    }

    /// The time since the beginning, in seconds.
    var now: Double { Double(steps) * Self.step }
    /// The number of scans.
    var scans: Int { radio.scans }
    var state: RegionState { scanner.state(of: watches[0]) }

    /// Watches one more region of the same beacons.
    func addRegion() {
        watches.append(BeaconWatch(BeaconSamples.pattern()))
        follow()
    }

    /// Ends all demand.
    func end() { scanner.stop() }

    /// Ends the monitors, as when BlueZ is started again without them.
    func endMonitors() { radio.answer(.monitored(false)) }

    func run(seconds: Double) {
        for _ in 0..<Int((seconds / Self.step).rounded()) { advance() }
    }

    private func advance() {
        steps += 1
        loop.advanceTime(by: .milliseconds(100))
        let answers = radio.answers
        radio.answers = []
        for event in answers { radio.onEvent?(event) }
        if radio.isScanning { scanned += Self.step }
        // BlueZ forgets the devices of a scan at its end.
        if wasScanning, !radio.isScanning { (isFound, first) = (false, nil) }
        wasScanning = radio.isScanning
        if Double.random(in: 0..<1, using: &random) < chance {
            if first == nil || now - sent >= Double(BeaconMonitors.seconds.silent) { first = now }
            sent = now
            if radio.isScanning { radio.onAdvertisement?(BeaconSamples.advertisement(), -60) }
        }
        if mode == .monitored { monitor() }
    }

    /// Reports as bluetoothd does: two packets came a second apart or more, or one that was found is silent for 10 s.
    private func monitor() {
        let isSilent = now - sent >= Double(BeaconMonitors.seconds.silent)
        let isConfirmed = sent - (first ?? sent) >= Double(BeaconMonitors.seconds.heard)
        guard isFound ? isSilent : !isSilent && isConfirmed else { return }
        isFound.toggle()
        radio.onHint?(isFound ? .found : .lost, [BeaconSamples.pattern()])
    }
}
