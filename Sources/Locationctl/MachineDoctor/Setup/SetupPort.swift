internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// A serial port that may have a receiver, with its traffic, or a receiver that another service passes on.
struct SetupPort: Sendable, Equatable {
    /// The path for opening and showing the port, such as `/dev/serial0`.
    var path: String
    /// All names of the port, including `path`.
    var names: Set<String>
    /// The product that is plugged in, or `nil` if it is unknown.
    var product: String?
    /// The source that names the receiver in the configuration.
    var source: String
    /// The reason why the port is not opened, such as the program that has it open, or `nil`.
    var obstacle: String?
    /// A Boolean value indicating whether locationd itself reads the port.
    var isDaemons = false
    /// The service for a receiver without a port, which cannot be listened to here: ModemManager, BlueZ.
    var service: String?
    /// The traffic of the port, or `nil` before listening.
    var heard: ReceiverSummary?

    /// A Boolean value indicating whether sentences have arrived.
    var isReceiver: Bool {
        // A Bluetooth device may be anything that has a serial port.
        if service == "ModemManager" { return true }
        return switch heard?.condition {
        case .fix, .undated, .noFix, .noSatellites, .noDate: true
        case .noPosition: heard?.baudRate != nil
        case .nothing, .unreadable, .otherProtocol, nil: heard?.state == .running
        }
    }

    /// A Boolean value indicating whether the port can be configured.
    var isFree: Bool { obstacle == nil || isDaemons }

    /// The text for users about the traffic.
    var report: String {
        guard let heard else { return obstacle ?? serviceReport }
        let condition = ReceiverText.condition(heard)
        let what =
            if !isReceiver {
                condition.isEmpty ? translated("nothing arrives") : condition
            } else {
                // Translators: A receiver has a fix: it has computed its position.
                Self.sentences(heard.baudRate, condition.isEmpty ? translated("a fix") : condition)
            }
        return isDaemons ? translated("locationd reads it: {report}", ["report": what]) : what
    }

    private static func sentences(_ rate: Int?, _ report: String) -> String {
        guard let rate else {
            // Translators: What arrives at a port: sentences of NMEA 0183; then the receiver's state: "a fix".
            return translated("sentences: {report}", ["report": report])
        }
        return translated("sentences at {rate} baud: {report}", ["rate": "\(rate)", "report": report])
    }

    private var serviceReport: String {
        switch service {
        case "ModemManager": translated("a receiver, which ModemManager starts")
        case nil: ""
        default: translated("a Bluetooth device, which may be a receiver")
        }
    }
}

/// The decisions about the location for this program.
struct SetupPermission: Sendable, Equatable {
    /// The app identity of this program.
    var app: String
    /// The status for the user of this process, who waits for the first fix.
    var own: AuthorizationStatus
    /// A Boolean value indicating whether location services are on.
    var servicesEnabled: Bool
    /// The reason why no grant is offered, because other programs would have it too, or `nil`.
    var refusal: String?
    /// The user who is offered a grant; under sudo, the user who called it.
    var userName: String
    /// The status for that user.
    var users: AuthorizationStatus
}

/// The progress of a receiver that the daemon reads.
struct SetupProgress: Sendable, Equatable {
    var receiver: ReceiverSummary
    /// The number of satellites in view, as the receiver reports it.
    var seen = 0
    /// The number of satellites used in the fix.
    var used = 0

    /// A Boolean value indicating whether the receiver has a fix.
    var hasFix: Bool { receiver.state == .running && (receiver.fixes ?? 0) > 0 }

    /// The satellites so far and the reason why there is no fix yet, on one line.
    var text: String {
        let seen = max(seen, receiver.satellitesInView ?? 0)
        return translated(
            // Translators: The count is that of the satellites that the receiver sees; {missing} is what it still lacks.
            "Waiting for the first fix: {count} satellite seen, {used} used; {missing}",
            plural: "Waiting for the first fix: {count} satellites seen, {used} used; {missing}", count: seen,
            ["used": "\(used)", "missing": missing])
    }

    private var missing: String {
        switch receiver.condition {
        case .noFix: translated("it needs four that it receives well")
        case .noSatellites: translated("its antenna needs a clear view of the sky")
        case .fix, .undated, nil:
            receiver.message
                ?? ReceiverText.starting(receiver)
                ?? (receiver.detecting == true
                    ? translated("its baud rate is being detected") : translated("the port is being opened"))
        default: ReceiverText.condition(receiver)
        }
    }
}
