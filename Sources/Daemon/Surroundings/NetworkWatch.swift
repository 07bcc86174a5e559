internal import Bus
internal import EventLoopSupport
internal import Glibc
internal import NIOCore
internal import Positioning

/// Reads the surroundings from NetworkManager: once after each of its scans, and after a connection has begun or ended.
/// Where NetworkManager is not running, reads the kernel's networks.
///
/// A connected device hardly scans, and its properties change every few seconds with the speed of the connection. So
/// they are watched only while no wireless device is connected. Confined to the event loop.
final class NetworkWatch {
    /// The time from a signal to reading, so that all signals of a scan count once.
    static let collection = TimeAmount.seconds(1)
    /// The least time between two readings: a menu of networks has NetworkManager scan every few seconds.
    static let interval = TimeAmount.seconds(10)
    /// The same while the machine is connected: NetworkManager hardly scans then.
    static let intervalWhileConnected = TimeAmount.seconds(30)
    /// The least time between two scans that are requested: each takes the radio away for some seconds.
    static let scanInterval = TimeAmount.minutes(5)
    /// The time that a requested scan takes.
    static let scanTime = TimeAmount.seconds(10)
    /// The timeout for NetworkManager's list of objects.
    private static let answerTime = TimeAmount.seconds(30)

    private let loop: any EventLoop
    private let network: BusService
    /// The signals of scans without new access points.
    private let scans: BusService
    private let cell: ServingCell
    private let kernel: KernelNetworks?
    private let timer: LoopTimer
    private let onReport: (SurroundingsReport) -> Void
    private let neighbours: () -> String
    private var surroundings: NetworkSurroundings
    private var lastReading: NIODeadline?
    private var interval = NetworkWatch.interval
    private var lastRequest: NIODeadline?
    private var isReading = false
    private var isOutdated = false
    /// A Boolean value indicating whether a scan of any age is reported: as what may be around the machine, not as what
    /// is.
    var readsOldScans = false
    /// The reason why the surroundings are not known, for users, or `nil` if they are.
    private(set) var absence: String?
    /// The reason why NetworkManager is not asked.
    private var lack = ""
    /// A Boolean value indicating whether NetworkManager has been found since the start.
    private var isFound = false

    /// - Parameter kernel: The networks to read where NetworkManager is not running, if any.
    init(
        _ hash: EmitterHash, bus: Bus, on loop: any EventLoop, kernel: KernelNetworks? = nil,
        neighbours: @escaping () -> String = NetworkWatch.neighbours,
        onReport: @escaping (SurroundingsReport) -> Void
    ) {
        self.loop = loop
        self.neighbours = neighbours
        self.onReport = onReport
        self.kernel = kernel
        surroundings = NetworkSurroundings(hash)
        timer = LoopTimer(on: loop)
        cell = ServingCell(hash, bus: bus)
        let properties = "interface='org.freedesktop.DBus.Properties'"
        network = BusService(
            NetworkManager.service, on: bus,
            signals: [
                "interface='\(NetworkManager.wireless)',member='AccessPointAdded'",
                "interface='\(NetworkManager.wireless)',member='AccessPointRemoved'",
                "\(properties),arg0='\(NetworkManager.activeConnection)'",
                "\(properties),arg0='\(NetworkManager.service)'",
            ])
        scans = BusService(
            NetworkManager.service, on: bus, signals: ["\(properties),arg0='\(NetworkManager.wireless)'"])
        network.onEvent = { [unowned self] in handle($0) }
        // They arrive here, whichever of the two has set the rule.
        network.onSignal = { [unowned self] in if NetworkObject.isRelevant($0) { readSoon() } }
        kernel?.onChange = { [unowned self] in readSoon() }
    }

    deinit { stop() }

    /// Connects, unless there is a connection. The bus retries a connection that fails.
    func start() { network.open() }

    /// Stops reading.
    func stop() {
        timer.cancel()
        network.close()
        scans.close()
        cell.stop()
        kernel?.close()
        (isReading, isOutdated, readsOldScans, isFound) = (false, false, false, false)
        // Who begins to watch needs the last one again.
        surroundings.forgetScans()
    }

    /// Reads once after that time, whatever NetworkManager signals.
    func read(in time: TimeAmount) { timer.set(in: time) { [unowned self] in read() } }

    /// Has the wireless devices scan, unless they have been asked to in the last five minutes. polkit lets the daemon
    /// do that by a rule of the package's.
    func scan() {
        guard lastRequest.map({ loop.now - $0 >= Self.scanInterval }) ?? true else { return }
        lastRequest = loop.now
        for device in surroundings.wireless {
            network.call(
                "RequestScan", of: NetworkManager.wireless, at: device, [.properties([])], timeout: Self.answerTime
            ) { [unowned self] reply in
                if case .message = reply { read(in: Self.scanTime) }
            }
        }
    }

    private func handle(_ event: BusService.Event) {
        switch event {
        case .found:
            kernel?.close()
            (absence, isFound, isReading) = (nil, true, false)
            cell.start()
            read()
        case .absent: lose("NetworkManager is not running")
        case .disconnected(let reason): lose(reason)
        }
    }

    /// Handles that NetworkManager is not there. What it has said holds no more, whether or not the kernel answers.
    private func lose(_ reason: String) {
        lack = reason
        if let kernel, kernel.isOpen { return }
        let wasFound = isFound
        (absence, isFound, isReading) = (reason, false, false)
        timer.cancel()
        kernel?.open()
        if kernel != nil { read() }
        // Who waits for a report at the start gets the kernel's.
        if kernel == nil || wasFound { onReport(SurroundingsReport()) }
    }

    /// Reads when all signals of a scan have arrived. With a signal at each moment, reads at each interval.
    private func readSoon() {
        guard !timer.isSet else { return }
        let earliest = lastReading.map { $0 + interval } ?? loop.now
        timer.set(at: max(loop.now + Self.collection, earliest)) { [unowned self] in read() }
    }

    private func read() {
        isOutdated = isReading
        guard !isReading, network.owner != nil || kernel?.isOpen == true else { return }
        isReading = true
        lastReading = loop.now
        guard network.owner != nil else { return readKernel() }
        cell.read { [unowned self] area in
            let owner = network.owner
            network.objects(at: NetworkManager.path, timeout: Self.answerTime, NetworkObject.list) {
                [unowned self] objects in
                guard network.owner == owner else { return }
                isReading = false
                report(objects, area)
                if isOutdated { readSoon() }
            }
        }
    }

    /// Reads the kernel's list. Connected or not, the shorter interval follows: after 30 s, the kernel forgets what a
    /// scan has heard.
    private func readKernel() {
        kernel?.read { [unowned self] report, fault in
            isReading = false
            interval = Self.interval
            absence = fault.map { "\(lack), and \($0)" }
            onReport(report)
            if isOutdated { readSoon() }
        }
    }

    private func report(_ objects: [NetworkObject]?, _ area: UInt64?) {
        let report = surroundings.report(
            objects ?? [], neighbours: neighbours, area: area, boottime: Self.boottime,
            greatestAge: readsOldScans ? .infinity : NetworkSurroundings.greatestAge)
        absence =
            if objects == nil {
                "NetworkManager does not list its networks, or lists more than \(NetworkObject.maximumCount)"
            } else if surroundings.wireless.isEmpty, report.links.isEmpty {
                "the machine has neither Wi-Fi nor a wired connection of NetworkManager's"
            } else { nil }
        interval = report.links.isEmpty ? Self.interval : Self.intervalWhileConnected
        if surroundings.isConnected { scans.close() } else { scans.open() }
        onReport(report)
    }

    /// The seconds since the boot, sleeps included: clock_gettime(2), CLOCK_BOOTTIME.
    private static var boottime: Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the kernel's table of neighbours: proc(5), /proc/PID/net. The file is in memory, and reading it does not
    /// wait.
    private static func neighbours() -> String {
        let file = open("/proc/self/net/arp", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: maximumTable)
        let count = Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// The number of bytes read from the table of neighbours: some hundred neighbours.
    private static let maximumTable = 65_536
}
