public import LocationModel

/// The settings that the owner of the machine wants a receiver at a serial port to have.
///
/// Without a profile, nothing is ever written to the port: only the owner knows which device is connected to it. A
/// profile without a protocol is for corrections alone.
public struct ReceiverProfile: Sendable, Hashable {
    /// A protocol for asking and setting receivers.
    public enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// The receiver's own, found by asking in all of them.
        case auto
        /// UBX, of u-blox 5 and later.
        case ublox
        /// PMTK, of MediaTek's MT33xx.
        case mtk
        /// PAIR, of Airoha's AG333x and Quectel's modules with it.
        case airoha
        /// CASIC's binary protocol, of AT6558 and AT6668.
        case casic
        /// PSTM, of ST's Teseo.
        case stm
        /// SkyTraq's binary protocol, of Venus 6 and later.
        case skytraq
        /// PQTM, of Quectel's modules without PAIR. They are asked who they are, and not set.
        case quectel
    }

    /// The time between two fixes.
    public enum Interval: Sendable, Hashable {
        /// Always the same, in milliseconds.
        case fixed(milliseconds: Int)
        /// As the apps demand: up to 10 fixes a second, down to the receiver's slowest rate.
        case demand
    }

    /// The movements that the receiver's filter expects.
    public enum Model: Sendable, Hashable {
        case fixed(DynamicModel)
        /// As the activity types of the apps say.
        case activity
    }

    /// The parts of a first fix that the receiver is helped with.
    public enum Assistance: String, Sendable, Hashable, CaseIterable {
        /// The time of the machine's synchronized clock.
        case time
        /// The cell of 5 km around the last fix, or the last reduced location after a start of the daemon.
        case position
        /// Orbits that the receiver predicts by itself (u-blox AssistNow Autonomous, EASY of MediaTek and Airoha).
        case predictions
        /// The receiver's own navigation database of its last run.
        case database
    }

    /// The protocol, or `nil` to ask and set nothing.
    public var dialect: Dialect?
    /// The time between two fixes, or `nil` to leave it.
    public var interval: Interval?
    /// The dynamic model, or `nil` to leave it.
    public var model: Model?
    /// The constellations to use, or `nil` to leave them.
    public var constellations: Set<Satellite.Constellation>?
    /// A Boolean value indicating whether the receiver reports positions in UBX instead of NMEA 0183.
    public var sendsUBX: Bool
    /// A Boolean value indicating whether the receiver is sent to standby when its fixes are not needed.
    public var standsBy: Bool
    /// The help for a first fix.
    public var assistance: Set<Assistance>
    /// A Boolean value indicating whether the receiver takes corrections in RTCM 3, as its owner knows. With `nil`, it
    /// gets them once it has said that it takes them.
    public var takesCorrections: Bool?

    /// Creates a profile. Without further arguments, the receiver is asked who it is, and nothing is changed.
    public init(
        _ dialect: Dialect? = .auto, interval: Interval? = nil, model: Model? = nil,
        constellations: Set<Satellite.Constellation>? = nil, sendsUBX: Bool = false, standsBy: Bool = false,
        assistance: Set<Assistance> = [], takesCorrections: Bool? = nil
    ) {
        self.dialect = dialect
        self.interval = interval
        self.model = model
        self.constellations = constellations
        self.sendsUBX = sendsUBX
        self.standsBy = standsBy
        self.assistance = assistance
        self.takesCorrections = takesCorrections
    }
}

extension ReceiverProfile {
    /// A Boolean value indicating whether the receiver gets the time or its place.
    package var helps: Bool { !assistance.isDisjoint(with: [.time, .position]) }

    /// A Boolean value indicating whether any setting depends on the apps.
    package var followsApps: Bool { interval == .demand || model == .activity }
}

/// The movements that a receiver's filter expects (u-blox, "Dynamic model"). Other makers have some of them.
public enum DynamicModel: String, Sendable, Hashable, CaseIterable {
    case portable, stationary, pedestrian, automotive, sea, airborne, wrist, bike

    /// Creates the model for an app's activity type; `portable` for none and for apps that differ.
    package init(_ activity: ActivityType?) {
        self =
            switch activity {
            case .automotiveNavigation: .automotive
            case .fitness: .pedestrian
            case .airborne: .airborne
            case .otherNavigation, .other, nil: .portable
            }
    }
}

/// The present demand on a receiver, as far as its settings depend on it.
public struct ReceiverDemand: Sendable, Hashable {
    /// The time between two fixes in seconds, or `nil` for the normal rate of one fix per second.
    public var interval: Double?
    /// The activity type that all apps share, or `nil`.
    public var activity: ActivityType?
    /// A Boolean value indicating whether all sentences are needed, and not only those with the position.
    package var needsAllSentences = false

    /// Creates a demand.
    public init(interval: Double? = nil, activity: ActivityType? = nil) {
        self.interval = interval
        self.activity = activity
    }
}
