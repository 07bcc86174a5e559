/// The corrections that a configuration asks for.
package enum CasterPlan: Sendable, Equatable {
    /// The position that a caster receives, as the key `position` states it.
    package enum Position: String, Sendable, CaseIterable {
        /// None: the caster sends the corrections of one station.
        case none
        /// The cell of 5 km, even if the grant is for full accuracy.
        case reduced
        /// The position with the accuracy of the grant.
        case full
    }

    /// The nearest station of the caster's table. The caster receives no position.
    case nearest
    /// A mount point, and its position. If that is `nil`, the source table says whether one is needed.
    case mount(String, position: Position?)
}

/// The state of the connection to a caster, for the log and the service manager.
package enum CasterStatus: Sendable, Equatable {
    /// No app needs corrections.
    case unneeded
    /// The location is awaited, without which there is no choice of a station, or no corrections.
    case awaitingLocation
    /// No station of the table is near enough.
    case outOfReach
    case connecting(mount: String?)
    case receiving(mount: String)
    /// The connection has failed, and the next attempt is in this number of seconds.
    case failed(String, retryIn: Double)
    /// There are no further attempts until the program is started again.
    case stopped(String)
}

extension CasterStatus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unneeded: "No app needs corrections"
        case .awaitingLocation: "Waiting for the location"
        case .outOfReach: "No station of the caster is near enough"
        case .connecting(let mount): "Connecting to \(mount ?? "the caster's list of stations")"
        case .receiving(let mount): "Receiving corrections of \(mount)"
        case .failed(let reason, let seconds): "No corrections: \(reason); next attempt in \(Int(seconds.rounded())) s"
        case .stopped(let reason): "Stopped: \(reason)"
        }
    }
}
