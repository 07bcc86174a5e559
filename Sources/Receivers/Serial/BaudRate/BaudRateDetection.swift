import EventLoopSupport
import NIOCore

/// How a serial port's line is read: with the settings that were given, or with those that are found out and remembered.
final class BaudRateDetection {
    /// For how long after opening what comes counts as a sign of life although it cannot be read yet. All speeds are tried
    /// in that time.
    private static let searchTime = TimeAmount.seconds(10)

    /// Called with what is to be done when nothing has come for some time.
    var onAction: ((BaudRateDetector.Action) -> Void)?

    private let path: String
    private let given: SerialSettings?
    private let device: String
    private let memory: (any SerialSettingsMemory)?
    private let eventLoop: any EventLoop
    private var detector: BaudRateDetector?
    private let timer: DeadlineTimer
    private var isOpen = false
    private var openedAt: NIODeadline
    private var wasHeard = false
    private var wasFound = false

    /// - Parameters:
    ///   - given: The settings; `nil`: to be found out.
    ///   - device: What `memory` knows the device as.
    init(
        path: String, given: SerialSettings?, device: String, memory: (any SerialSettingsMemory)?,
        on eventLoop: any EventLoop
    ) {
        self.path = path
        self.given = given
        self.device = device
        self.memory = memory
        self.eventLoop = eventLoop
        openedAt = eventLoop.now
        timer = DeadlineTimer(on: eventLoop)
    }

    /// A Boolean value indicating whether the settings are still looked for.
    var isLooking: Bool { given == nil && detector?.isLooking != false }

    /// The settings with which the line is to be read now.
    var settings: SerialSettings { given ?? detector?.settings ?? SerialSettings.all[0] }

    /// A Boolean value indicating whether settings are to be found out, so that the port has to be told of them after
    /// opening.
    var isAutomatic: Bool { given == nil }

    /// A Boolean value indicating whether bytes that cannot be read yet are a sign of life: not for ever, and not after
    /// sentences came.
    var isSearchYoung: Bool { isLooking && !wasFound && eventLoop.now < openedAt + Self.searchTime }

    /// The port is about to be opened, with `settings`.
    func open() {
        openedAt = eventLoop.now
        (wasHeard, wasFound) = (false, false)
        guard given == nil else { return }
        if detector == nil {
            detector = BaudRateDetector(known: memory?.settings(ofDevice: device), at: eventLoop.now)
        } else {
            detector?.reopen(at: eventLoop.now)
        }
        isOpen = true
        setTimer()
    }

    /// The port was closed.
    func close() {
        isOpen = false
        timer.cancel()
    }

    /// Takes what was read, in which that many valid sentences ended, and says what is to be done.
    func take(_ bytes: RawSpan, sentences: Int) -> BaudRateDetector.Action? {
        guard detector != nil else { return nil }
        wasHeard = true
        let action = detector?.take(bytes, sentences: sentences, at: eventLoop.now)
        if let action { remember(action) }
        setTimer()
        return action
    }

    private func wake() {
        let action = detector?.wake(at: eventLoop.now)
        setTimer()
        if let action { onAction?(action) }
    }

    private func setTimer() {
        if isOpen { timer.set(detector?.deadline) { self.wake() } }
    }

    private func remember(_ action: BaudRateDetector.Action) {
        guard case .settle(let settings) = action else { return }
        wasFound = true
        if let memory, memory.settings(ofDevice: device) != settings { memory.remember(settings, ofDevice: device) }
    }

    /// What it means that no valid sentence has come for that many seconds, and what helps.
    func silence(seconds: Int64) -> ReceiverFailure {
        let nothing = "\(path) has sent no valid NMEA sentence for \(seconds) s"
        let message =
            if let given {
                "\(nothing) at \(given) baud: is the receiver switched on, and is that its baud rate?"
            } else if !isLooking {
                "\(nothing); it was understood at \(settings) baud before: is the receiver switched on?"
            } else if wasHeard {
                "what \(path) sends is no NMEA at \(triedSpeeds): is that a GNSS receiver, and does it send NMEA?"
            } else {
                "\(path) has sent nothing for \(seconds) s, listened to at \(triedSpeeds): is the receiver switched on?"
            }
        return ReceiverFailure(.silent, message)
    }

    private var triedSpeeds: String {
        let speeds = detector?.triedSpeeds ?? []
        if speeds == ReceiverSpecification.baudRates { return "any speed from 4800 to 921600 baud" }
        return speeds.map(String.init).joined(separator: ", ") + " baud"
    }
}
