import Devices
import EventLoopSupport
import LocationModel
import NIOCore

/// The serial settings of a port: given, or else detected and remembered.
final class BaudRateDetection {
    /// The time after opening when unreadable bytes count as a sign of life. All baud rates are tried in that time.
    private static let detectionTimeout = TimeAmount.seconds(10)

    /// The handler of actions that are due because no data has arrived for some time.
    var onAction: ((BaudRateStateMachine.Action) -> Void)?

    private let path: String
    private let given: SerialSettings?
    private let device: String
    private let memory: (any SerialSettingsMemory)?
    private let eventLoop: any EventLoop
    private var machine: BaudRateStateMachine?
    private let timer: DeadlineTimer
    private var isOpen = false
    /// Returns whether the port has unread bytes.
    private var hasUnread: (() -> Bool)?
    /// A Boolean value indicating whether the timer was postponed once for such bytes.
    private var isPostponed = false
    private var openedAt: NIODeadline
    private var wasHeard = false
    private var didDetectSettings = false

    /// Creates the settings of a closed port.
    ///
    /// - Parameters:
    ///   - given: The settings, or `nil` to detect them.
    ///   - device: The name of the device in `memory`.
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

    /// A Boolean value indicating whether detection is in progress.
    var isLooking: Bool { given == nil && machine?.isLooking != false }

    /// The settings to use now.
    var settings: SerialSettings { given ?? machine?.settings ?? SerialSettings.all[0] }

    /// A Boolean value indicating whether the settings are detected, and applied to the port after opening.
    var isAutomatic: Bool { given == nil }

    /// A Boolean value indicating whether unreadable bytes still count as a sign of life. They do for a limited time
    /// only, and not once sentences have arrived.
    var acceptsUnreadableBytes: Bool {
        isLooking && !didDetectSettings && eventLoop.now < openedAt + Self.detectionTimeout
    }

    /// Starts or continues detection for a port that is about to be opened with `settings`.
    func open(hasUnread: @escaping () -> Bool = { false }) {
        self.hasUnread = hasUnread
        openedAt = eventLoop.now
        (wasHeard, didDetectSettings) = (false, false)
        guard given == nil else { return }
        if machine == nil {
            machine = BaudRateStateMachine(known: memory?.settings(ofDevice: device), at: eventLoop.now)
        } else {
            machine?.reopen(at: eventLoop.now)
        }
        isOpen = true
        setTimer()
    }

    /// Pauses detection because the port was closed.
    func close() {
        isOpen = false
        hasUnread = nil
        timer.cancel()
    }

    /// Examines received bytes that contain the ends of `sentences` valid sentences or frames. Returns the action to
    /// perform, if any.
    func receive(_ bytes: RawSpan, sentences: Int) -> BaudRateStateMachine.Action? {
        guard machine != nil else { return nil }
        wasHeard = true
        let action = machine?.receive(bytes, sentences: sentences, at: eventLoop.now)
        if let action { remember(action) }
        setTimer()
        return action
    }

    private func wake() {
        // The loop runs due timers before it reads. If it was held up, relevant bytes may be there already.
        if !isPostponed, hasUnread?() == true {
            isPostponed = true
            return timer.set(eventLoop.now + .milliseconds(1)) { self.wake() }
        }
        isPostponed = false
        let action = machine?.wake(at: eventLoop.now)
        setTimer()
        if let action { onAction?(action) }
    }

    private func setTimer() {
        if isOpen { timer.set(machine?.deadline) { self.wake() } }
    }

    private func remember(_ action: BaudRateStateMachine.Action) {
        guard case .settle(let settings) = action else { return }
        didDetectSettings = true
        if let memory, memory.settings(ofDevice: device) != settings { memory.remember(settings, ofDevice: device) }
    }

    /// Returns the failure for `seconds` without a valid sentence. Its message says what to do.
    ///
    /// - Parameter diagnosis: The condition of the data that has arrived instead.
    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure {
        let nothing = "\(path) has sent no valid NMEA sentence for \(seconds) s"
        let isUnreadable = diagnosis.condition == .unreadable
        let message =
            if let name = diagnosis.protocolName, diagnosis.condition == .otherProtocol {
                "\(path) sends \(name), not NMEA 0183: set the receiver to NMEA 0183"
            } else if let given, isUnreadable {
                "what \(path) sends cannot be read at \(given) baud: is that its baud rate?"
            } else if let given {
                "\(path) has sent nothing for \(seconds) s at \(given) baud: is the receiver switched on?"
            } else if !isLooking {
                "\(nothing); it was understood at \(settings) baud before: is the receiver switched on?"
            } else if wasHeard {
                "what \(path) sends is not NMEA at \(triedSpeeds): is it a GNSS receiver, and does it send NMEA?"
            } else {
                "\(path) has sent nothing for \(seconds) s at \(triedSpeeds): is the receiver switched on?"
            }
        return ReceiverFailure(.silent, message)
    }

    private var triedSpeeds: String {
        let speeds = machine?.triedSpeeds ?? []
        if speeds == ReceiverSpecification.baudRates { return "any speed from 4800 to 921600 baud" }
        return speeds.map(String.init).joined(separator: ", ") + " baud"
    }
}
