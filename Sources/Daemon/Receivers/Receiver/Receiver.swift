public import Devices
internal import EventLoopSupport
public import LocationModel
public import NIOCore
public import ReceiverSettings
internal import TimeTransfer

/// A source of fixes that is kept alive: it is opened, supervised, and opened again after a loss.
///
/// Confined to its event loop: every call is made on it, and the delegate is called on it. A live fix is handled within
/// the read of its last bytes, or in the timer that notices the end of its epoch. Between `stop()` and `start()`
/// nothing is open and nothing is scheduled, with one exception: after commands that put settings back, the port stays
/// open until the bytes have left, before them for the navigation database, and after a first command for standby until
/// it is clear whether the receiver sleeps, for 40 s at most. While started, the receiver is retained by the event loop.
public final class Receiver {
    /// The origin of the fixes.
    public let specification: ReceiverSpecification
    /// The receiver's display name, which its fixes contain as `Location.receiver`.
    public let name: String
    /// The time from the moment of an epoch to the arrival of its first byte, in seconds, as stated by the
    /// administrator, or `nil`.
    public let delay: Double?
    /// The angle from the direction that the receiver reports clockwise to the front of the device, in degrees.
    private let headingOffset: Double
    /// The settings that the receiver is to have, or `nil` if nothing is ever written to it.
    public let profile: ReceiverProfile?
    /// The object that handles the receiver's reports.
    public unowned var delegate: (any ReceiverDelegate)?
    /// The reason for the last failure, or `nil` if there has been none.
    public private(set) var lastFailure: ReceiverFailure?
    /// A Boolean value indicating whether the receiver has a compass, or `nil` if that is not known: `true` once it
    /// has reported a heading, `false` once it has produced fixes for 10 s without one.
    public var hasCompass: Bool? {
        knownCompass ?? foundAt.flatMap { eventLoop.now - $0 >= Self.compassTimeout ? false : nil }
    }
    /// The port that the receiver is plugged into, or `nil` if it is unplugged or does not use a serial port.
    public private(set) var port: ReceiverPort?

    private let eventLoop: any EventLoop
    private let makeSource: (ReceiverPort?) -> any FixSource
    private var source: any FixSource
    private var machine: ReceiverStateMachine
    private let timer: DeadlineTimer
    private var fixes = 0
    /// The time without a heading after which a receiver counts as one without a compass.
    private static let compassTimeout = TimeAmount.seconds(10)
    private var knownCompass: Bool?
    /// The time when the receiver began to produce fixes, or `nil` if it produces none now.
    private var foundAt: NIODeadline?
    private var demand = ReceiverDemand()
    private var reportContents: ReceiverReportContents = []
    /// The time of the start, until there is a fix.
    private var startedAt: NIODeadline?
    /// The times to the first fix after the last starts. Empty without a profile.
    private var firstFixes: [FirstFix] = []
    /// The origin of the last fix's timestamp, and the name of its datum.
    private var dating = FixDating.receiver
    /// A Boolean value indicating whether the last fix since the opening is doubtful.
    private(set) var isSuspect = false
    private var datum: String?
    /// The last condition and datum that were reported since `start()`.
    private var reported: (condition: ReceiverCondition?, datum: String?)

    /// Creates a stopped receiver.
    ///
    /// - Parameters:
    ///   - name: The display name; `specification.name` by default.
    ///   - port: The port that the receiver is plugged into, if known; by default, the specification's port. See
    ///     `attach(to:)`.
    ///   - profile: The settings that a receiver at a serial port is to have. Without it, nothing is ever written to
    ///     the port. Other kinds of receiver ignore it.
    ///   - owner: The user, besides root and the user of this process, who may own a socket and listen there. Other
    ///     kinds of receiver ignore it.
    ///   - memory: The store for the serial settings of the device at the port, used if they have to be detected.
    ///   - databases: The navigation databases of receivers with a profile, or `nil` to keep none.
    ///   - modems: The modems whose receivers the daemon has switched on. Other kinds of receiver ignore it.
    ///   - bluetooth: The thread that all Bluetooth receivers share; by default, the receiver gets its own. BlueZ
    ///     accepts one registration of the serial port profile, so without a shared thread only one device can be read
    ///     that way.
    ///   - delay: See ``delay``.
    ///   - headingOffset: The degrees from the direction that the receiver reports clockwise to the front of the
    ///     device, which are added to its headings.
    ///   - wallClock: Returns the time in nanoseconds since 1970, for measuring the arrivals of epochs at a serial
    ///     port. Without it, arrivals are not reported.
    ///   - seed: The seed of the simulated receiver's noise. Other kinds of receiver ignore it.
    ///   - clock: The time source of the simulated receiver and of heading timestamps. Fixes carry the device's time.
    ///   - firstFixHelp: Returns the help for a first fix.
    public convenience init(
        _ specification: ReceiverSpecification, name: String? = nil, port: ReceiverPort? = nil,
        profile: ReceiverProfile? = nil, owner: UInt32? = nil, memory: (any SerialSettingsMemory)? = nil,
        databases: NavigationDatabases? = nil, modems: SwitchedModems? = nil, bluetooth: BluetoothThread? = nil,
        delay: Double? = nil,
        headingOffset: Double = 0, wallClock: (() -> Int64)? = nil, on eventLoop: any EventLoop, seed: UInt64,
        clock: @escaping () -> Timestamp, firstFixHelp: @escaping () -> FirstFixHelp = { FirstFixHelp() }
    ) {
        let name = name ?? specification.name
        self.init(
            specification, name: name, port: port ?? specification.port, profile: profile, delay: delay,
            headingOffset: headingOffset, on: eventLoop
        ) { port in
            Receivers.makeSource(
                specification, port: port, name: name, profile: profile, owner: owner, memory: memory,
                databases: databases, modems: modems, bluetooth: bluetooth, wallClock: wallClock, on: eventLoop,
                seed: seed, clock: clock,
                firstFixHelp: firstFixHelp)
        }
    }

    /// Creates a stopped, simulated receiver at the place or on the route of `simulation`. It produces one fix per
    /// second, marked as simulated.
    ///
    /// - Parameters:
    ///   - name: The display name.
    ///   - seed: The seed of the noise.
    ///   - clock: The time source.
    public convenience init(
        _ simulation: Simulation, name: String, on eventLoop: any EventLoop, seed: UInt64,
        clock: @escaping () -> Timestamp
    ) {
        let transport = SimulatedTransport(on: eventLoop, clock: clock) {
            ReceiverSimulator(route: simulation.route, speed: simulation.speed, seed: seed)
        }
        let source = SentenceReceiver(over: transport, receiver: name, on: eventLoop, clock: clock)
        self.init(.simulated(route: nil), name: name, on: eventLoop, source: source)
    }

    convenience init(
        _ specification: ReceiverSpecification, name: String, on eventLoop: any EventLoop, source: any FixSource
    ) {
        self.init(specification, name: name, port: specification.port, on: eventLoop) { _ in source }
    }

    init(
        _ specification: ReceiverSpecification, name: String, port: ReceiverPort?, profile: ReceiverProfile? = nil,
        delay: Double? = nil, headingOffset: Double = 0, on eventLoop: any EventLoop,
        makeSource: @escaping (ReceiverPort?) -> any FixSource
    ) {
        self.specification = specification
        self.name = name
        self.port = port
        self.profile = profile
        self.delay = delay
        self.headingOffset = headingOffset
        self.eventLoop = eventLoop
        timer = DeadlineTimer(on: eventLoop)
        self.makeSource = makeSource
        source = makeSource(port)
        machine = ReceiverStateMachine(silence: source.silence(after: source.silenceLimit))
    }

    /// The receiver's current state.
    public var state: ReceiverState { machine.state }

    /// The state of the source, without a diagnosis while the receiver is stopped. Each access assembles it.
    public var status: SourceStatus {
        var status = source.status
        status.diagnosis = completed(status.diagnosis)
        status.statistics.fixes = fixes
        status.firstFixes = firstFixes
        return status
    }

    /// The writer of corrections, or `nil` if the receiver is closed, or has not said that it takes them.
    package var corrections: CorrectionWriter? { source.corrections }

    /// A Boolean value indicating whether the receiver takes corrections while it is open, or `nil` if it has not said
    /// so far who it is.
    package var takesCorrections: Bool? {
        guard let profile else { return false }
        return profile.takesCorrections ?? source.status.identity?.takesCorrections
    }

    /// Returns a diagnosis of the source, completed with the receiver's own knowledge. Empty while stopped.
    private func completed(_ diagnosis: ReceiverDiagnosis) -> ReceiverDiagnosis {
        guard state != .stopped else { return ReceiverDiagnosis() }
        var diagnosis = diagnosis
        if diagnosis.condition == nil, state == .running { diagnosis.condition = Self.condition(dating) }
        diagnosis.datum = datum
        diagnosis.reportInterval = machine.rhythm.interval.map { Double($0.nanoseconds) / 1e9 }
        return diagnosis
    }

    private static func condition(_ dating: FixDating) -> ReceiverCondition { dating == .receiver ? .fix : .undated }

    /// The seconds of the receiver's own time per second of the machine's: the speed of a replay, otherwise 1.
    public var timeScale: Double {
        if case .replay(_, let speed) = specification { speed } else { 1 }
    }

    /// A Boolean value indicating whether the receiver is a recording, with fixes from another time.
    public var isRecording: Bool { if case .replay = specification { true } else { false } }

    /// The receiver's own last reported reasons to doubt its fixes, or `nil` if there are none or it is closed.
    public var warning: FixDoubts? { source.warning }

    /// Opens the source and keeps it open. Does nothing if the receiver is already started.
    public func start() {
        eventLoop.preconditionInEventLoop()
        reported = (nil, nil)
        datum = nil
        if state == .stopped, profile != nil { startedAt = eventLoop.now }
        perform(machine.start(at: eventLoop.now))
    }

    /// Closes the source. A receiver with a profile gets its own settings back, and is sent to standby if the profile
    /// says so. The next `start()` wakes it. No event follows. Does nothing if the receiver is already stopped.
    ///
    /// - Parameter isPermanent: `true` if the receiver will not be started again. It is not sent to standby then, and
    ///   woken if it was: other programs could not wake it.
    public func stop(isPermanent: Bool = false) {
        eventLoop.preconditionInEventLoop()
        let action = machine.stop()
        if isPermanent {
            source.close(toStandby: false)
            foundAt = nil
            setTimer()
        } else {
            perform(action)
        }
    }

    /// Sets the demand on the receiver. It persists across stop and start.
    ///
    /// - Parameters:
    ///   - demand: The demand on its settings. Only a receiver whose profile follows the demand obeys it.
    ///   - contents: The contents of its reports besides fixes and headings.
    public func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents = []) {
        eventLoop.preconditionInEventLoop()
        guard (demand, contents) != (self.demand, reportContents) else { return }
        (self.demand, reportContents) = (demand, contents)
        source.setDemand(demand, reporting: contents)
        updateSilence()
        setTimer()
    }

    /// Sets the port that the receiver is plugged into. If started, the receiver is lost at its old port and opened
    /// at the new one at once.
    ///
    /// - Parameter port: The port. Passing the current one means that a device has appeared there: a lost receiver is
    ///   retried at once.
    public func attach(to port: ReceiverPort) {
        setPort(port)
        retry()
    }

    /// Handles the unplugging of the receiver, which is lost until it is attached again.
    public func detach() {
        setPort(nil)
    }

    private func setPort(_ port: ReceiverPort?) {
        eventLoop.preconditionInEventLoop()
        guard port != self.port else { return }
        if let node = self.port?.node {
            didFail(ReceiverFailure(.disconnected, "\(node) has gone: unplugged"))
        }
        self.port = port
        // The device may be another one.
        (knownCompass, foundAt, datum) = (nil, nil, nil)
        source = makeSource(port)
        source.setDemand(demand, reporting: reportContents)
        updateSilence()
    }

    private func updateSilence() {
        machine.setSilence(
            source.silence(after: silenceLimit), limit: source.silenceLimit, at: eventLoop.now)
    }

    /// Retries a lost receiver at once, for example because a device was plugged in.
    public func retry() {
        eventLoop.preconditionInEventLoop()
        perform(machine.retry(at: eventLoop.now))
    }

    private func perform(_ action: ReceiverStateMachine.Action?) {
        switch action {
        case .open:
            source.open(reportingTo: self)
        case .close(let failure):
            source.close(toStandby: state == .stopped)
            knownCompass = hasCompass
            foundAt = nil
            if let failure { delegate?.receiver(self, wasLost: failure) }
        case nil: break
        }
        setTimer()
    }

    /// Wakes the state machine at its deadline.
    private func setTimer() {
        timer.set(machine.deadline) {
            // The meaning of silence may have changed since the timer was set.
            self.updateSilence()
            self.perform(self.machine.wake(at: self.eventLoop.now))
        }
    }
}

extension Receiver: FixSink {
    func didOpen() {
        isSuspect = false
        machine.opened(at: eventLoop.now)
        // A connection that was being made may have had a longer limit.
        updateSilence()
        setTimer()
    }

    var silenceLimit: TimeAmount { max(source.silenceLimit, machine.silenceLimit) }

    func didReceiveData(at now: NIODeadline) {
        machine.heard(at: now)
    }

    func didReceive(_ bytes: RawSpan, at now: NIODeadline) {
        let bytes = bytes.withUnsafeBytes { Array($0) }
        delegate?.receiver(self, didReceive: ReceivedBytes(receiver: name, bytes: bytes, time: now))
    }

    func didReceiveUnreadableData() {
        machine.heardUnreadable(at: eventLoop.now)
    }

    func didProduceFix(_ fix: Fix, at now: NIODeadline) {
        var fix = fix
        let delegate = self.delegate
        let doubts = delegate?.receiver(self, judge: fix, at: now)
        if let doubts { fix = fix.withDoubts(doubts) }
        isSuspect = doubts != nil
        let found = machine.fixed()
        fixes += 1
        if found {
            foundAt = now
            noteFirstFix(at: now)
            delegate?.receiverWasFound(self)
        }
        let (dating, datum) = (fix.dating, fix.datum)
        self.dating = dating
        self.datum = datum
        guard state == .running else { return }
        delegate?.receiver(self, didReport: update(fix, at: now))
        let condition = Self.condition(dating)
        if reported.condition != condition || reported.datum != datum { report(ReceiverDiagnosis(condition)) }
    }

    private func noteFirstFix(at now: NIODeadline) {
        guard let startedAt else { return }
        self.startedAt = nil
        let isHelped = source.status.settings.contains {
            [.time, .position, .database].contains($0.name) && $0.outcome == .sent
        }
        if firstFixes.count == FirstFix.capacity { firstFixes.removeFirst() }
        firstFixes.append(FirstFix(seconds: Double((now - startedAt).nanoseconds) / 1e9, isHelped: isHelped))
    }

    /// Returns the update of an epoch: its fix or the lack of one, with the requested parts.
    private func update(_ fix: Fix?, at receivedAt: NIODeadline) -> ReceiverUpdate {
        let contents = reportContents
        let report = contents.isEmpty ? SourceReport() : source.removeReport(contents)
        return ReceiverUpdate(
            receiver: name, fix: fix, receivedAt: receivedAt, contents: contents, satellites: report.satellites,
            errors: fix == nil ? nil : report.errors, jamming: report.jamming, sentences: report.sentences)
    }

    /// Reports the reason for a missing or unusual fix, if that has changed.
    private func report(_ diagnosis: ReceiverDiagnosis) {
        let diagnosis = completed(diagnosis)
        guard let condition = diagnosis.condition, reported != (condition, diagnosis.datum) else { return }
        reported = (condition, diagnosis.datum)
        guard condition != .fix || diagnosis.datum != nil else { return }
        delegate?.receiver(self, didChange: diagnosis)
    }

    func didTimeEpoch(_ arrival: EpochArrival?) {
        guard state == .running else { return }
        delegate?.receiver(self, didTimeEpoch: arrival)
    }

    func didReportHeading(_ heading: LocationModel.Heading) {
        machine.heard(at: eventLoop.now)
        knownCompass = true
        delegate?.receiver(self, didReport: headingOffset == 0 ? heading : heading.turned(by: headingOffset))
    }

    func didFindNoFix(_ diagnosis: ReceiverDiagnosis) {
        delegate?.receiverFoundNoFix(self)
        report(diagnosis)
        guard !reportContents.isEmpty else { return }
        delegate?.receiver(self, didReport: update(nil, at: eventLoop.now))
    }

    func didFail(_ failure: ReceiverFailure) {
        lastFailure = failure
        perform(machine.failed(failure, at: eventLoop.now))
    }
}
