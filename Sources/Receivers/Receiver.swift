internal import EventLoopSupport
public import LocationModel
public import NIOCore

/// A source of fixes that is kept alive: opened, watched, and opened again when it goes away.
///
/// Confined to its event loop: every call is made on it, and the handler is called on it, from within the read of the
/// bytes that hold the fix. Between `stop()` and `start()` nothing is open and nothing scheduled; a port whose receiver is
/// sent to standby is let go of when these bytes have left, half a second later at most. It is kept alive by the loop
/// while it is started.
public final class Receiver {
    /// Where the fixes come from.
    public let specification: ReceiverSpecification
    /// What people call it, and what its fixes hold as `Location.receiver`.
    public let name: String
    /// Called with each event, on the event loop. The handler may stop the receiver.
    public var onEvent: ((ReceiverEvent) -> Void)?
    /// The last reason why it was not available; `nil` if it always was.
    public private(set) var lastFailure: ReceiverFailure?
    /// A Boolean value indicating whether a heading has come since the receiver was made.
    public private(set) var hasCompass = false
    /// Where it is plugged in; `nil` while it is not, and for a receiver at no port.
    public private(set) var port: ReceiverPort?

    private let eventLoop: any EventLoop
    private let makeSource: (ReceiverPort?) -> any FixSource
    private var source: any FixSource
    private var supervisor: Supervisor
    private let timer: DeadlineTimer
    private var fixes = 0
    private var interval: Double?

    /// A stopped receiver.
    ///
    /// - Parameters:
    ///   - name: what to call it instead of `specification.name`.
    ///   - port: where it is plugged in, if that is known; else a port that its specification names. See `attach(to:)`.
    ///   - power: whether and how a receiver on a serial port is told how often to give fixes, and to stand by. Without
    ///     it nothing is ever written to the port. The other kinds of receiver do not use it.
    ///   - memory: remembers how the line of the device at the port was read, where that has to be found out.
    ///   - seed: of the simulated receiver's noise; the others do not use it.
    ///   - clock: tells the time to the simulated receiver, and when a heading came; the time of fixes is the device's.
    public convenience init(
        _ specification: ReceiverSpecification, name: String? = nil, port: ReceiverPort? = nil,
        power: ReceiverPower? = nil, memory: (any SerialSettingsMemory)? = nil, on eventLoop: any EventLoop,
        seed: UInt64,
        clock: @escaping () -> Timestamp
    ) {
        let name = name ?? specification.name
        self.init(specification, name: name, port: port ?? specification.port, on: eventLoop) { port in
            Receivers.makeSource(
                specification, port: port, name: name, power: power, memory: memory, on: eventLoop, seed: seed,
                clock: clock)
        }
    }

    /// A stopped receiver that is made by software, at the place or on the route of a simulation. It gives a fix a second,
    /// marked as simulated.
    ///
    /// - Parameters:
    ///   - name: what to call it.
    ///   - seed: of its noise.
    ///   - clock: tells the time.
    public convenience init(
        _ simulation: Simulation, name: String, on eventLoop: any EventLoop, seed: UInt64,
        clock: @escaping () -> Timestamp
    ) {
        let source = SimulatedSource(receiver: name, on: eventLoop, clock: clock) {
            ReceiverSimulator(route: simulation.route, speed: simulation.speed, seed: seed)
        }
        self.init(.simulated(route: nil), name: name, on: eventLoop, source: source)
    }

    convenience init(
        _ specification: ReceiverSpecification, name: String, on eventLoop: any EventLoop, source: any FixSource
    ) {
        self.init(specification, name: name, port: specification.port, on: eventLoop) { _ in source }
    }

    init(
        _ specification: ReceiverSpecification, name: String, port: ReceiverPort?, on eventLoop: any EventLoop,
        makeSource: @escaping (ReceiverPort?) -> any FixSource
    ) {
        self.specification = specification
        self.name = name
        self.port = port
        self.eventLoop = eventLoop
        timer = DeadlineTimer(on: eventLoop)
        self.makeSource = makeSource
        source = makeSource(port)
        supervisor = Supervisor(silence: source.silence)
    }

    /// How far it has come.
    public var state: ReceiverState { supervisor.state }

    /// The satellites in view, as the receiver told last. Made when asked for.
    public var satellites: [Satellite] { source.satellites }

    /// How many seconds of the receiver's own time pass in a second of the machine's: the speed of a replay, else 1.
    public var timeScale: Double {
        if case .replay(_, let speed) = specification { speed } else { 1 }
    }

    /// How the serial line is read; `nil` when it is stopped or has none, and while that is found out.
    public var serialSettings: SerialSettings? { source.serialSettings }

    /// The rate of the serial line in bits per second; `nil` like `serialSettings`.
    public var baudRate: Int? { serialSettings?.bitsPerSecond }

    /// A Boolean value indicating whether it is found out how the serial line is to be read.
    public var isDetecting: Bool { source.isDetecting }

    /// What was received so far.
    public var statistics: ReceiverStatistics {
        var statistics = source.statistics
        statistics.fixes = fixes
        return statistics
    }

    /// Opens the source and keeps it open. Does nothing when started already.
    public func start() {
        eventLoop.preconditionInEventLoop()
        perform(supervisor.start(at: eventLoop.now))
    }

    /// Closes the source; a receiver with power is sent to standby before that, and woken by the next `start()`. No event
    /// comes after this. Does nothing when stopped already.
    public func stop() {
        eventLoop.preconditionInEventLoop()
        source.standBy()
        perform(supervisor.stop())
    }

    /// Closes the source between two fixes that are far apart, to be started again for the next one: the same as `stop()`.
    public func standBy() { stop() }

    /// Says how often fixes are wanted while it is open; holds through stop and start. A receiver without power gives them
    /// as often as it likes.
    ///
    /// - Parameter seconds: between two fixes. What the receiver cannot do is brought into its range: 0.1 to 65.535 for
    ///   u-blox, 0.1 to 10 for MediaTek. `nil` is its normal rate, one a second.
    public func setInterval(seconds: Double?) {
        eventLoop.preconditionInEventLoop()
        interval = seconds
        source.setInterval(seconds: seconds)
        supervisor.setSilence(source.silence, limit: source.silenceLimit, at: eventLoop.now)
        setTimer()
    }

    /// Says where it is plugged in now. If it is started, it is lost where it was and opened where it is, at once.
    ///
    /// - Parameter port: `nil` when it was unplugged. The same port as before means that a device has come there, which is
    ///   tried at once if the receiver is lost.
    public func attach(to port: ReceiverPort?) {
        eventLoop.preconditionInEventLoop()
        if port != self.port {
            if let node = self.port?.node {
                didFail(ReceiverFailure(.disconnected, "\(node) has gone: unplugged"))
            }
            self.port = port
            source = makeSource(port)
            source.setInterval(seconds: interval)
            supervisor.setSilence(source.silence, limit: source.silenceLimit, at: eventLoop.now)
        }
        if port != nil { retry() }
    }

    /// Tries at once whether it can be opened, if it is lost: something was plugged in.
    public func retry() {
        eventLoop.preconditionInEventLoop()
        perform(supervisor.retry(at: eventLoop.now))
    }

    private func perform(_ action: Supervisor.Action?) {
        switch action {
        case .open:
            source.open(reportingTo: self)
        case .close(let failure):
            source.close()
            if let failure { onEvent?(.lost(failure)) }
        case nil: break
        }
        setTimer()
    }

    /// Wakes the supervisor at its deadline.
    private func setTimer() {
        timer.set(supervisor.deadline) {
            // What silence means may be another thing by now.
            self.supervisor.setSilence(
                self.source.silence, limit: self.source.silenceLimit, at: self.eventLoop.now)
            self.perform(self.supervisor.wake(at: self.eventLoop.now))
        }
    }
}

extension Receiver: FixSink {
    func didOpen() {
        supervisor.opened(at: eventLoop.now)
    }

    func didReceiveData() {
        supervisor.heard(at: eventLoop.now)
    }

    func didProduceFix(_ fix: Fix) {
        let found = supervisor.fixed()
        fixes += 1
        if found { onEvent?(.found) }
        guard state == .running else { return }
        onEvent?(.fix(fix))
    }

    func didReportHeading(_ heading: Heading) {
        supervisor.heard(at: eventLoop.now)
        hasCompass = true
        onEvent?(.heading(heading))
    }

    func didFail(_ failure: ReceiverFailure) {
        lastFailure = failure
        perform(supervisor.failed(failure, at: eventLoop.now))
    }
}
