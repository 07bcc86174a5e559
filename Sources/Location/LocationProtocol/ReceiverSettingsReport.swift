/// A receiver's answer to the question who it is. The texts are the receiver's own.
public struct ReceiverIdentityReport: Codable, Sendable, Equatable {
    /// The protocol for asking and setting it, as in the configuration.
    public var dialect: String
    /// The maker of the chip.
    public var maker: String
    /// The module or chip, if it says so.
    public var model: String?
    /// The version of its software.
    public var firmware: String?
    /// The version of u-blox's protocol, such as `34.10`.
    public var protocolVersion: String?

    /// Creates a report.
    public init(dialect: String, maker: String, model: String?, firmware: String?, protocolVersion: String?) {
        self.dialect = dialect
        self.maker = maker
        self.model = model
        self.firmware = firmware
        self.protocolVersion = protocolVersion
    }
}

/// The outcome of one setting in a receiver's profile. The values are texts for people.
public struct ReceiverSettingReport: Codable, Sendable, Equatable {
    /// The outcome.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        case applied, refused, unanswered, ignored, unsupported, sent
    }

    /// The setting, such as `interval`.
    public var name: String
    /// The receiver's own value, which it gets back when the port is closed.
    public var before: String?
    /// The value of the profile.
    public var wanted: String?
    /// The value that was read last.
    public var now: String?
    /// The outcome.
    public var outcome: Outcome

    /// Creates a report.
    public init(name: String, before: String? = nil, wanted: String? = nil, now: String? = nil, outcome: Outcome) {
        self.name = name
        self.before = before
        self.wanted = wanted
        self.now = now
        self.outcome = outcome
    }
}

/// The time from opening a receiver to its first fix.
public struct FirstFixReport: Codable, Sendable, Equatable {
    /// The time, in seconds.
    public var seconds: Double
    /// A Boolean value indicating whether the receiver had got the time or its place.
    public var helped: Bool

    /// Creates a report.
    public init(seconds: Double, helped: Bool) {
        self.seconds = seconds
        self.helped = helped
    }
}
