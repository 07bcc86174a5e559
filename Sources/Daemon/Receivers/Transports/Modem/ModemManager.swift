/// ModemManager on the system bus: the names of its API, and the values that are used here.
package enum ModemManager {
    /// The name of the service.
    package static let service = "org.freedesktop.ModemManager1"
    /// The object that lists all modems.
    package static let path = "/org/freedesktop/ModemManager1"
    /// The interface of a modem.
    package static let modem = "org.freedesktop.ModemManager1.Modem"
    /// The interface of a modem's location.
    package static let location = "org.freedesktop.ModemManager1.Modem.Location"
    /// The source of sentences in a set of sources, MM_MODEM_LOCATION_SOURCE_GPS_NMEA.
    package static let sentences: UInt32 = 1 << 2
    /// The source that leaves the port of the receiver to other programs, MM_MODEM_LOCATION_SOURCE_GPS_UNMANAGED.
    static let unmanaged: UInt32 = 1 << 4
    /// The minimum state for starting a receiver, MM_MODEM_STATE_ENABLED.
    package static let enabled: Int32 = 6
    /// MM_MODEM_STATE_FAILED.
    static let failed: Int32 = -1
    /// MM_MODEM_STATE_LOCKED.
    static let locked: Int32 = 2
    /// The reason for a failure, MM_MODEM_STATE_FAILED_REASON_SIM_MISSING.
    static let withoutSIM: UInt32 = 2
}
