internal import LocationProtocol
internal import NMEA
internal import Receivers

extension ReceiverSummary {
    /// Adds the guarantees of the receiver for its position and its signals, and the state of its sensors, which change
    /// with the sky and with movement.
    mutating func addGuarantees(of source: SourceStatus) {
        protectionLevel = source.protectionLevel.map {
            ProtectionLevelReport(horizontal: $0.horizontal, vertical: $0.vertical, risk: $0.risk)
        }
        authentication = source.authentication.map {
            AuthenticationReport(satellites: $0.satellites, time: $0.time, position: $0.position)
        }
        deadReckoning = source.deadReckoning.map {
            switch $0 {
            case .initializing: .initializing
            case .active: .active
            case .suspended: .suspended
            case .disabled: .disabled
            }
        }
    }
}
