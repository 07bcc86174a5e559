public import AuthorizationPolicy
public import LocationModel
public import Receivers

/// What the service is made of.
public struct ServiceSettings: Sendable {
    /// A receiver and what people call it; the source's own name where `name` is `nil`.
    public struct ReceiverEntry: Sendable, Hashable {
        /// Where the fixes come from.
        public var source: ReceiverSpecification
        /// What people call it.
        public var name: String?
        /// The commands that it saves power by; nothing is written to it where there are none.
        public var power: ReceiverPower?

        /// That source under that name.
        public init(source: ReceiverSpecification, name: String? = nil, power: ReceiverPower? = nil) {
            self.source = source
            self.name = name
            self.power = power
        }
    }

    /// What makes an app be in use.
    public enum InUse: String, Sendable, CaseIterable {
        /// A login session that is active stands behind it; where there is no logind, a connection.
        case session
        /// A connection.
        case connected
    }

    /// Where the two sockets are made.
    public var runtimeDirectory: String
    /// Where the database is.
    public var stateDirectory: String
    /// In the order in which they are preferred.
    public var receivers: [ReceiverEntry]
    /// A Boolean value indicating whether every receiver that udev knows is used too, after those.
    public var discovers = false
    /// What users and apps may take.
    public var limits: Limits
    /// What makes an app be in use.
    public var inUse = InUse.session
    /// What the administrator forbids.
    public var restrictions: Set<Restriction> = []
    /// What apps say about themselves.
    public var manifests: [AppIdentity: AppManifest] = [:]
    /// How long there has to be nothing to do before the service ends, in seconds; `nil`: never. It ends only where
    /// a service manager has its sockets, and starts it for the next client.
    public var exitWhenIdle: Int?
    /// The socket of locationd-peers, which looks at other users' processes; `nil` where the daemon does that
    /// itself.
    public var peersSocket: String?
    /// The version that the service tells.
    public var version: String

    /// Settings with these parts.
    public init(
        runtimeDirectory: String, stateDirectory: String, receivers: [ReceiverEntry], limits: Limits,
        version: String
    ) {
        self.runtimeDirectory = runtimeDirectory
        self.stateDirectory = stateDirectory
        self.receivers = receivers
        self.limits = limits
        self.version = version
    }
}
