public import LocationModel

/// The state of a receiver.
public enum ReceiverStatus: String, Codable, Sendable, CaseIterable {
    case stopped, resting, connecting, searching, running, lost, ended
}

/// A receiver, as shown to its user.
public struct ReceiverSummary: Codable, Sendable, Equatable {
    /// The name of the receiver. Its locations contain this name.
    public var name: String
    /// The specification, as on the daemon's command line.
    public var specification: String
    /// The device node of the serial port, such as `/dev/ttyACM0`, or `nil` if there is no port or it is not plugged
    /// in.
    public var port: String?
    /// The state of the receiver.
    public var state: ReceiverStatus
    /// The baud rate of the serial port, in bit/s, or `nil` if the port is closed, being detected, or absent.
    public var baudRate: Int?
    /// Data bits, parity and stop bits of the serial port, as in `8N1`. `nil` together with `baudRate`.
    public var framing: String?
    /// A Boolean value indicating whether the serial settings are being detected, or `nil` if no serial port is open.
    public var detecting: Bool?
    /// A Boolean value indicating whether the receiver's fixes are delivered.
    public var inUse = false
    /// The reason for delivering them.
    public var choice: ReceiverChoiceReason?
    /// The time between the required fixes, in seconds. `nil` if all or no fixes are required, and for callers other
    /// than administrators.
    public var interval: Double?
    /// The reason why the receiver was lost.
    public var message: String?
    /// The number of fixes since the daemon started. For callers other than administrators, it excludes fixes that
    /// would reveal the distance to a monitored region. It is `nil` for callers without management rights, like all
    /// values that change with the sky or with movement.
    public var fixes: Int?
    /// The time since the last fix, in seconds.
    public var fixAge: Double?
    /// The lead of this machine's clock over the receiver's time at the last fix, in seconds. Negative if the clock is
    /// behind.
    public var clockOffset: Double?
    /// The horizontal accuracy of the last fix, in metres, 68 %.
    public var horizontalAccuracy: Double?
    /// The number of satellites used in the last fix.
    public var satellitesUsed: Int?
    /// The horizontal dilution of precision of the last fix.
    public var horizontalDilution: Double?
    /// A Boolean value indicating whether the receiver has reported a heading, or `nil` for callers without management
    /// rights.
    public var compass: Bool?
    /// The share of a recording that has been played, 0...1, or `nil` if the receiver is not a recording or does not
    /// play.
    public var progress: Double?
    /// The interference that the receiver noticed last, or `nil` if it does not report it.
    public var jamming: JammingReport?
    /// The receiver's last judgement about spoofing, or `nil` if it does not report it.
    public var spoofing: SpoofingReport?
    /// The last limits of a position's error that the receiver guarantees, or `nil` if it guarantees none.
    public var protectionLevel: ProtectionLevelReport?
    /// The proofs of authentic signals that the receiver reported last, or `nil` if there are none.
    public var authentication: AuthenticationReport?
    /// The state of the receiver's sensors of motion, or `nil` if it does not report it.
    public var deadReckoning: DeadReckoningReport?
    /// The reasons to doubt the receiver's location, or `nil` if there are none.
    public var doubts: FixDoubts?
    /// The kind of input, which explains why there is a location or not. `nil` if the receiver is closed or the input
    /// is not known yet.
    public var condition: ReceiverCondition?
    /// The name of the protocol or the messages that arrive, if none of them can be read or has a position.
    public var protocolName: String?
    /// The number of satellites in view while there is no fix.
    public var satellitesInView: Int?
    /// The time between two reports of the receiver in seconds, if it is 2 or more.
    public var reportInterval: Double?
    /// The name of the datum of the receiver's coordinates, or `nil` if it is WGS 84.
    public var datum: String?
    /// The input that was not used, by reason, with the largest count first. `nil` if all input was used.
    public var dropped: [DroppedInput]?
    /// `true` if the receiver's sentences have no checksums and are read nevertheless, otherwise `nil`.
    public var sendsNoChecksums: Bool?
    /// `true` if another device on the same wire sends its speed and course, otherwise `nil`.
    public var hasMotionOfAnotherDevice: Bool?
    /// `true` if the receiver reports that mean sea level and the ellipsoid of WGS 84 are 0 m apart, although they are
    /// more than 10 m apart at its place, otherwise `nil`.
    public var sendsZeroSeparation: Bool?
    /// The number of epochs since the port was opened, with or without a fix. `nil` if the receiver's sentences are not
    /// decoded here, or if its state is not revealed.
    public var epochs: Int?
    /// The number of times that the receiver was lost, or `nil` if its state is not revealed.
    public var losses: Int?
    /// The charge of the receiver's battery in percent. `nil` unless it is a connected Bluetooth device and BlueZ knows
    /// the charge.
    public var battery: Int?
    /// The receiver's answer to the question who it is, or `nil` if it was not asked or has not answered.
    public var identity: ReceiverIdentityReport?
    /// The outcomes of the settings in its profile, or `nil` if there are none.
    public var settings: [ReceiverSettingReport]?
    /// The times to the first fix after the last ten starts, the latest last, or `nil` if there are none.
    public var firstFixes: [FirstFixReport]?
    /// The corrections that it has got since its port was opened, or `nil` if there were none.
    public var corrections: CorrectionsReport?
    /// The reason why the receiver is closed if that is because the machine has not moved, otherwise `nil`. For
    /// administrators only.
    public var stillness: StillnessReport?

    /// Creates the summary of a receiver that has not produced a fix.
    public init(name: String, specification: String, state: ReceiverStatus, fixes: Int?) {
        self.name = name
        self.specification = specification
        self.state = state
        self.fixes = fixes
    }

    private enum CodingKeys: String, CodingKey {
        case name, specification, port, state, baudRate, framing, detecting, inUse, choice, interval, message, fixes,
            fixAge, clockOffset, horizontalAccuracy, satellitesUsed, horizontalDilution, compass, progress, jamming,
            spoofing
        case doubts = "integrity"
        case condition, protocolName, satellitesInView, reportInterval, datum, dropped, sendsNoChecksums,
            hasMotionOfAnotherDevice, sendsZeroSeparation, epochs, losses, battery, protectionLevel, authentication,
            deadReckoning, identity, settings, firstFixes, corrections, stillness
    }
}

/// The radio surroundings of a machine that has not moved.
public struct StillnessReport: Codable, Sendable, Equatable {
    /// The number of access points, by router, and wired gateways that show it.
    public var networks: Int
    /// The time since the last fix at the place, in seconds.
    public var seconds: Double
    /// The time until a fix checks the place, in seconds.
    public var nextCheck: Double

    /// Creates a report.
    public init(networks: Int, seconds: Double, nextCheck: Double) {
        self.networks = networks
        self.seconds = seconds
        self.nextCheck = nextCheck
    }
}

/// The interference that a receiver has noticed at its antenna.
public struct JammingReport: Codable, Sendable, Equatable {
    /// The judgement of a receiver's interference monitor.
    public enum Level: String, Codable, Sendable, CaseIterable {
        /// No significant interference.
        case none
        /// Interference, and a fix nevertheless.
        case warning
        /// Interference, and no fix.
        case critical
    }

    /// The judgement of the interference monitor, or `nil` if it is switched off or does not know yet.
    public var level: Level?
    /// The strength of a continuous wave beside the satellites' signals, from 0 (none) to 255 (strong), or `nil` if it
    /// is not known.
    public var indicator: Int?

    /// Creates a report.
    public init(level: Level?, indicator: Int?) {
        self.level = level
        self.indicator = indicator
    }

    /// A Boolean value indicating whether the receiver's monitor has found interference.
    public var isJammed: Bool { level == .warning || level == .critical }
}

/// A receiver's judgement about signals that imitate a satellite's.
public enum SpoofingReport: String, Codable, Sendable, CaseIterable {
    /// No sign of false signals.
    case none
    /// A sign of false signals.
    case indicated
    /// Several signs of false signals, or certainty.
    case affirmed
}

/// The satellites in view of one receiver.
public struct ReceiverSatellites: Codable, Sendable, Equatable {
    /// The name of the receiver.
    public var receiver: String
    /// The satellites in view, each of them once.
    public var satellites: [Satellite]

    /// Creates a list of a receiver's satellites.
    public init(receiver: String, satellites: [Satellite]) {
        self.receiver = receiver
        self.satellites = satellites
    }
}
