import EventLoopSupport
import Glibc
import NIOCore
import ReceiverSettings

/// Carries out a receiver's settings at its serial port, and asks for its database and sends it to standby before the
/// port is closed.
///
/// If a write fails, the command is lost, and the receiver continues as before.
final class SettingsDriver {
    /// The longest interval, in milliseconds, with the same silence limit as for any receiver.
    private static let shortInterval = 2500
    /// The shortest time for measuring the length of a fix's messages, in seconds.
    private static let measuringTime = TimeAmount.seconds(3)
    /// The vendor of the USB devices that are u-blox receivers without a UART in between.
    private static let vendor = "1546"
    /// Start bit, 8 bits, stop bit.
    private static let bitsPerByte = 10.0

    /// Called when the port, which is no longer needed, may be closed.
    var onPortUnneeded: () -> Void = {}
    /// Returns whether the receiver's last location is doubtful.
    var isSuspect: () -> Bool = { false }

    private let eventLoop: any EventLoop
    private let databases: NavigationDatabases?
    private let firstFixHelp: () -> FirstFixHelp
    private let helps: Bool
    private var machine: ReceiverSettingsStateMachine
    private var output: SerialOutput?
    private var correctionWriter: CorrectionWriter?
    private let timer: DeadlineTimer
    private var isBaudRateKnown = false
    /// The received bytes since the last change, for their rate.
    private var received = 0
    private var receivedSince: NIODeadline

    /// - Parameters:
    ///   - device: The name of the device at the port.
    ///   - databases: The navigation databases, or `nil` to keep none.
    ///   - firstFixHelp: Returns the help for a first fix.
    init(
        _ profile: ReceiverProfile, device: String, databases: NavigationDatabases?, answerTimeout: TimeAmount,
        on eventLoop: any EventLoop,
        firstFixHelp: @escaping () -> FirstFixHelp
    ) {
        self.eventLoop = eventLoop
        self.databases = databases
        self.firstFixHelp = firstFixHelp
        helps = profile.helps
        machine = ReceiverSettingsStateMachine(profile, device: device, answerTimeout: answerTimeout)
        timer = DeadlineTimer(on: eventLoop)
        receivedSince = eventLoop.now
    }

    var identity: ReceiverIdentity? { machine.identity }

    var settings: [ReceiverSetting] { machine.settings }

    /// The writer of corrections, or `nil` if the receiver at the open port does not take them, as far as is known.
    var corrections: CorrectionWriter? { machine.takesCorrections ? correctionWriter : nil }

    /// The corrections that the receiver has got since the port was opened, or `nil` if there were none.
    var correctionFlow: CorrectionFlow? { correctionWriter?.flow }

    /// A Boolean value indicating whether the port has to stay open, although no app needs fixes: for the navigation
    /// database, or for the standby.
    var keepsPortOpen: Bool { machine.keepsPortOpen }

    /// A Boolean value indicating whether the receiver was sent to standby, and not woken since.
    var isAsleep: Bool { machine.isAsleep }

    /// The length of silence that counts as a loss. Longer than the interval: a receiver is silent between fixes.
    var silenceLimit: TimeAmount {
        let interval = machine.longestInterval
        return interval > Self.shortInterval
            ? ReceiverStateMachine.silenceLimit + .milliseconds(2 * Int64(interval)) : ReceiverStateMachine.silenceLimit
    }

    func opened(_ descriptor: CInt, baudRate: Int) {
        output = SerialOutput(duplicating: descriptor, baudRate: baudRate, on: eventLoop)
        // The first question about the clock begins the search for the answer.
        if helps { _ = firstFixHelp() }
        let isUSB = Self.isUSB(descriptor)
        correctionWriter = output.map { output in
            CorrectionWriter(
                output, isUSB: isUSB, on: eventLoop,
                onFlow: { [unowned self] in perform(machine.reportCorrections(at: self.eventLoop.now)) },
                isBusy: { [unowned self] in machine.isListening })
        }
        perform(machine.opened(isUSB: isUSB, at: eventLoop.now))
    }

    /// Returns whether the port is a receiver's own USB: of a device by u-blox. Bridges and boards have ports like
    /// that, too, but others' vendors. The kernel's files about devices never make the reader wait.
    private static func isUSB(_ descriptor: CInt) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let (major, minor) = (status.st_rdev >> 8 & 0xFFF, status.st_rdev & 0xFF)
        let file = Glibc.open("/sys/dev/char/\(major):\(minor)/device/../idVendor", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { _ = Glibc.close(file) }
        var text = [UInt8](repeating: 0, count: vendor.utf8.count)
        return Glibc.read(file, &text, text.count) == text.count && text == Array(vendor.utf8)
    }

    /// Wakes a receiver whose port was opened only for that, or is still open for the standby if no descriptor is
    /// given.
    func wakeForOthers(_ descriptor: CInt? = nil, baudRate: Int = 9600) {
        if let descriptor { output = SerialOutput(duplicating: descriptor, baudRate: baudRate, on: eventLoop) }
        perform(machine.wakeForOthers())
    }

    func baudRateDetected(baudRate: Int) {
        output?.baudRate = baudRate
        (received, receivedSince) = (0, eventLoop.now)
        perform(machine.baudRateDetected(capacity: Double(baudRate) / Self.bitsPerByte, at: eventLoop.now))
    }

    func baudRateLost() {
        machine.baudRateLost()
        setTimer()
    }

    func setDemand(_ demand: ReceiverDemand) {
        let now = eventLoop.now
        let elapsed = now - receivedSince
        let rate = elapsed >= Self.measuringTime ? Double(received) * 1e9 / Double(elapsed.nanoseconds) : nil
        (received, receivedSince) = (0, now)
        perform(machine.follow(demand, bytesPerSecond: rate, at: now))
    }

    func receive(_ bytes: RawSpan) {
        received &+= bytes.byteCount
        if machine.showsStart(bytes) { perform(machine.restarted(at: eventLoop.now)) }
        guard machine.isListening else { return }
        machine.isSuspect = isSuspect()
        perform(machine.receive(bytes, at: eventLoop.now))
    }

    /// Puts the settings back because the port is closed next, unless `keepsPortOpen`.
    ///
    /// - Parameters:
    ///   - hasFix: `true` if the receiver has a fix now.
    ///   - isSuspect: `true` if its last location is doubtful.
    func close(toStandby: Bool, hasFix: Bool, isSuspect: Bool) {
        machine.isSuspect = isSuspect
        perform(machine.close(toStandby: toStandby, hasFix: hasFix, at: eventLoop.now))
    }

    /// Records that the port was closed, and releases the output descriptor once its bytes have left.
    func closed() {
        perform(machine.closed(at: eventLoop.now))
        timer.cancel()
        correctionWriter?.stop()
        correctionWriter = nil
        output?.finish()
        output = nil
    }

    private func perform(_ actions: [ReceiverSettingsStateMachine.Action]) {
        for action in actions {
            switch action {
            case .write(let bytes): output?.write(bytes)
            case .help: output?.write(machine.commands(helping: firstFixHelp()))
            case .loadDatabase(let owner): loadDatabase(of: owner)
            case .keepDatabase(let database, let owner): databases?.keep(database, of: owner)
            case .closePort: onPortUnneeded()
            }
        }
        setTimer()
    }

    private func loadDatabase(of owner: String) {
        databases?.load(of: owner) { [weak self] database in
            guard let self else { return }
            perform(machine.databaseLoaded(database, of: owner, at: eventLoop.now))
        }
    }

    private func setTimer() {
        timer.set(machine.deadline) { self.perform(self.machine.wake(at: self.eventLoop.now)) }
    }
}
