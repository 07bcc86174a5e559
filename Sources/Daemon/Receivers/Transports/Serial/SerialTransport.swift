import CLinux
import LocationModel
import NIOCore

/// A serial port, read by the event loop. Only the commands of `power`, if set, are ever written to it.
final class SerialTransport: ByteTransport {
    private let path: String
    private let detection: BaudRateDetection
    private let eventLoop: any EventLoop
    private let power: PowerControl?
    private var receiver: SentenceReceiver?
    private var port: SerialPortHandler?
    /// A Boolean value indicating whether the settings are detected or given, and the last bytes contained a message.
    /// Then further messages are no news about the settings.
    private var isReadable = false

    /// Creates the transport of a closed port.
    ///
    /// - Parameters:
    ///   - baudRate: The baud rate, with 8N1 framing, or `nil` to detect baud rate and framing.
    ///   - device: The name of the device in `memory`; `path` by default.
    init(
        path: String, baudRate: Int?, device: String? = nil, memory: (any SerialSettingsMemory)? = nil,
        power: ReceiverPower? = nil, on eventLoop: any EventLoop
    ) {
        self.path = path
        detection = BaudRateDetection(
            path: path, given: baudRate.map { SerialSettings($0) }, device: device ?? path, memory: memory,
            on: eventLoop)
        self.eventLoop = eventLoop
        self.power = power.map { PowerControl($0, on: eventLoop) }
        detection.onAction = { [unowned self] in perform($0) }
    }

    var hasUnread: Bool { port?.hasUnread == true }

    var silenceLimit: TimeAmount { power?.silenceLimit ?? ReceiverStateMachine.silenceLimit }

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? {
        detection.silence(seconds: seconds, diagnosis)
    }

    var status: SourceStatus {
        guard port != nil else { return SourceStatus() }
        let isDetecting = detection.isLooking
        return SourceStatus(serialSettings: isDetecting ? nil : detection.settings, isDetecting: isDetecting)
    }

    func open(for receiver: SentenceReceiver) {
        let descriptor = tty_open(path, UInt32(detection.settings.bitsPerSecond))
        guard descriptor >= 0 else { return receiver.didFail(.opening(path, error: -descriptor)) }
        let port = SerialPortHandler(descriptor: descriptor, transport: self)
        self.receiver = receiver
        self.port = port
        isReadable = false
        detection.open { [unowned port] in port.hasUnread }
        if detection.isAutomatic { port.set(detection.settings) }
        power?.opened(descriptor, baudRate: detection.settings.bitsPerSecond)
        if !detection.isLooking { power?.baudRateDetected(baudRate: detection.settings.bitsPerSecond) }
        port.open(on: eventLoop)
    }

    func setInterval(seconds: Double?) { power?.setInterval(seconds: seconds) }

    func standBy() { power?.standBy() }

    func close() {
        let port = self.port
        self.port = nil
        receiver = nil
        detection.close()
        port?.close()
        power?.closed()
    }

    /// Begins to pass on bytes.
    func portOpened() {
        receiver?.didOpen(isConfirmed: !detection.isLooking, at: eventLoop.now)
    }

    /// Reports a port that was closed other than by `close()`.
    func portClosed(_ error: (any Error)?) {
        let reason = error.map { ": \($0)" } ?? ""
        receiver?.didFail(ReceiverFailure(.disconnected, "\(path) has gone: unplugged, or closed\(reason)"))
    }

    /// Passes the bytes on.
    func receive(_ bytes: RawSpan) {
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
            power?.baudRateLost()
            receiver?.restart(at: eventLoop.now)
            port?.set(settings)
            port?.dropUnread()
        case .dropUnread:
            receiver?.restart(at: eventLoop.now)
            port?.dropUnread()
        case .settle(let settings):
            power?.baudRateDetected(baudRate: settings.bitsPerSecond)
            receiver?.confirm(at: eventLoop.now)
        }
    }
}
