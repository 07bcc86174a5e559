public import AuthorizationPolicy
public import Devices
public import LocationModel
public import ReceiverSettings

/// The settings of the service.
public struct ServiceSettings: Sendable {
    /// A receiver that is configured.
    public struct ReceiverEntry: Sendable, Hashable {
        /// The source of the fixes.
        public var source: ReceiverSpecification
        /// The receiver's name for users, or `nil` for the source's own name.
        public var name: String?
        /// The settings that the receiver is to have, or `nil` if nothing may be written to it.
        public var profile: ReceiverProfile?
        /// The time from the moment of an epoch to the arrival of its first byte, in seconds, or `nil` if it is
        /// unknown.
        public var delay: Double?
        /// The angle from the direction that the receiver reports clockwise to the front of the device, in degrees.
        public var headingOffset: Double
        /// The user, besides root and the daemon's own, who may own a receiver's socket and listen there.
        public var owner: UInt32?

        /// Creates an entry.
        public init(
            source: ReceiverSpecification, name: String? = nil, profile: ReceiverProfile? = nil, delay: Double? = nil,
            headingOffset: Double = 0, owner: UInt32? = nil
        ) {
            self.source = source
            self.name = name
            self.profile = profile
            self.delay = delay
            self.headingOffset = headingOffset
            self.owner = owner
        }
    }

    /// The use of the machine's radio surroundings.
    public struct SurroundingsSettings: Sendable, Equatable {
        /// A Boolean value indicating whether they decide when receivers stay closed.
        public var isUsed = true
        /// A Boolean value indicating whether scans are requested for that.
        public var scans = false
        /// A Boolean value indicating whether places are to be remembered by them.
        public var places = false

        /// Creates the default use.
        public init() {}

        /// A Boolean value indicating whether places are remembered.
        var remembersPlaces: Bool { isUsed && places }
    }

    /// The condition for an app to be in use.
    public enum InUse: String, Sendable, CaseIterable {
        /// The app belongs to an active login session. Without logind, the app is connected.
        case session
        /// The app is connected.
        case connected
    }

    /// The directory of the two sockets.
    public var runtimeDirectory: String
    /// The directory of the database.
    public var stateDirectory: String
    /// The configured receivers, in order of preference.
    public var receivers: [ReceiverEntry]
    /// A Boolean value indicating whether every receiver that udev reports is used too, after the configured ones.
    public var discovers = false
    /// The limits on users and apps.
    public var limits: Limits
    /// The condition for an app to be in use.
    public var inUse = InUse.session
    /// The administrator's restrictions.
    public var restrictions: Set<Restriction> = []
    /// The manifests of apps.
    public var manifests: [AppIdentity: AppManifest] = [:]
    /// The idle time after which the service ends, in seconds, or `nil` to never end. The service ends only if a
    /// service manager holds its sockets, and starts it again for the next client.
    public var exitWhenIdle: Int?
    /// The socket of locationd-peers, which examines other users' processes, or `nil` if the daemon does that itself.
    public var peersSocket: String?
    /// The receivers' time for chrony, or `nil` if it is not passed on. Changes take effect at the next start.
    public var time: TimeSettings?
    /// The use of the machine's radio surroundings.
    public var surroundings = SurroundingsSettings()
    /// The socket of the machine's geocoder, which apps connect to on their own, or `nil` if it has none.
    public var geocoderSocket: String?
    /// The version that the service reports.
    public var version: String

    /// Creates settings with these values and defaults for the others.
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
