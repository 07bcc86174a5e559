import CLinux
import Glibc
import LocationModel
import NIOCore
import ReceiverSettings

/// A serial port, read by the event loop. Only the commands of a profile, if there is one, are ever written to it, and
/// corrections to a receiver that takes them, as it has answered or its owner says.
final class SerialTransport: ByteTransport {
    private let path: String
    private let detection: BaudRateDetection
    private let eventLoop: any EventLoop
    private let driver: SettingsDriver?
    private var receiver: SentenceReceiver?
    private var port: SerialPort?
    /// A Boolean value indicating whether the settings are detected or given, and the last bytes contained a message.
    /// Then further messages are no news about the settings.
    private var isReadable = false

    /// Creates the transport of a closed port.
    ///
    /// - Parameters:
    ///   - baudRate: The baud rate, with 8N1 framing, or `nil` to detect baud rate and framing.
    ///   - device: The name of the device in `memory`; `path` by default.
    ///   - profile: The settings that the receiver is to have, or `nil` to write nothing.
    ///   - databases: The navigation databases of receivers, or `nil` to keep none.
    ///   - answerTimeout: The time that the receiver has to answer a question.
    ///   - firstFixHelp: Returns the help for a first fix.
    init(
        path: String, baudRate: Int?, device: String? = nil, memory: (any SerialSettingsMemory)? = nil,
        profile: ReceiverProfile? = nil, databases: NavigationDatabases? = nil,
        answerTimeout: TimeAmount = ReceiverSettingsStateMachine.answerTimeout, on eventLoop: any EventLoop,
        firstFixHelp: @escaping () -> FirstFixHelp = { FirstFixHelp() }
    ) {
        self.path = path
        detection = BaudRateDetection(
            path: path, given: baudRate.map { SerialSettings($0) }, device: device ?? path, memory: memory,
            on: eventLoop)
        self.eventLoop = eventLoop
        driver = profile.map {
            SettingsDriver(
                $0, device: device ?? path, databases: databases, answerTimeout: answerTimeout, on: eventLoop,
                firstFixHelp: firstFixHelp)
        }
        detection.onAction = { [unowned self] in perform($0) }
        driver?.onPortUnneeded = { [unowned self] in closePort() }
        driver?.isSuspect = { [unowned self] in receiver?.isSuspect == true }
    }

    var hasUnread: Bool { port?.hasUnread == true }

    var corrections: CorrectionWriter? { driver?.corrections }

    var hasSuspiciousCorrections: Bool { driver?.correctionFlow?.isSuspicious(at: eventLoop.now) == true }

    var silenceLimit: TimeAmount { driver?.silenceLimit ?? ReceiverStateMachine.silenceLimit }

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? {
        detection.silence(seconds: seconds, diagnosis)
    }

    var status: SourceStatus {
        var status = SourceStatus()
        status.identity = driver?.identity
        status.settings = driver?.settings ?? []
        guard receiver != nil else { return status }
        status.corrections = driver?.correctionFlow
        status.isDetecting = detection.isLooking
        status.serialSettings = status.isDetecting ? nil : detection.settings
        return status
    }

    func open(for receiver: SentenceReceiver) {
        if port != nil { closePort() }
        let descriptor = tty_open(path, UInt32(detection.settings.bitsPerSecond))
        guard descriptor >= 0 else { return receiver.didFail(.opening(path, error: -descriptor)) }
        let port = SerialPort(descriptor: descriptor, transport: self)
        self.receiver = receiver
        self.port = port
        isReadable = false
        detection.open { [unowned port] in port.hasUnread }
        if detection.isAutomatic { port.set(detection.settings) }
        driver?.opened(descriptor, baudRate: detection.settings.bitsPerSecond)
        if !detection.isLooking { driver?.baudRateDetected(baudRate: detection.settings.bitsPerSecond) }
        port.open(on: eventLoop)
    }

    func setDemand(_ demand: ReceiverDemand) { driver?.setDemand(demand) }

    func close(toStandby: Bool) {
        guard let receiver else {
            if !toStandby { wakeForOthers() }
            return
        }
        self.receiver = nil
        detection.close()
        driver?.close(toStandby: toStandby, hasFix: receiver.hasFix, isSuspect: receiver.isSuspect)
        if driver?.keepsPortOpen != true { closePort() }
    }

    /// Wakes a receiver that was sent to standby, because no receiver here will open its port again.
    private func wakeForOthers() {
        if port != nil {
            driver?.wakeForOthers()
        } else if let driver, driver.isAsleep {
            let speed = detection.settings.bitsPerSecond
            let descriptor = tty_open(path, UInt32(speed))
            guard descriptor >= 0 else { return }
            driver.wakeForOthers(descriptor, baudRate: speed)
            tty_release(descriptor)
            _ = Glibc.close(descriptor)
        }
        closePort()
    }

    private func closePort() {
        let port = self.port
        self.port = nil
        port?.close()
        driver?.closed()
    }

    /// Begins to pass on bytes.
    func portOpened() {
        receiver?.didOpen(isConfirmed: !detection.isLooking, at: eventLoop.now)
    }

    /// Reports a port that was closed other than by `close()`.
    func portClosed(_ error: (any Error)?) {
        guard receiver != nil else { return closePort() }
        let reason = error.map { ": \($0)" } ?? ""
        receiver?.didFail(ReceiverFailure(.disconnected, "\(path) has gone: unplugged, or closed\(reason)"))
    }

    /// Passes the bytes on.
    func receive(_ bytes: RawSpan) {
        driver?.receive(bytes)
        guard let messages = receiver?.receive(bytes, at: eventLoop.now), messages == 0 || !isReadable else { return }
        examine(bytes, messages: messages)
    }

    /// Examines whether the settings are right, by bytes that contain the ends of `messages` sentences and frames.
    private func examine(_ bytes: RawSpan, messages: Int) {
        guard detection.isAutomatic else {
            isReadable = true
            return
        }
        if detection.acceptsUnreadableBytes { receiver?.didReceiveUnreadableData() }
        let action = detection.receive(bytes, sentences: messages)
        isReadable = messages > 0 && !detection.isLooking
        if let action { perform(action) }
    }

    private func perform(_ action: BaudRateStateMachine.Action) {
        switch action {
        case .use(let settings):
            driver?.baudRateLost()
            receiver?.restart(at: eventLoop.now)
            port?.set(settings)
            port?.dropUnread()
        case .dropUnread:
            receiver?.restart(at: eventLoop.now)
            port?.dropUnread()
        case .settle(let settings):
            driver?.baudRateDetected(baudRate: settings.bitsPerSecond)
            receiver?.confirm(at: eventLoop.now)
        }
    }
}
