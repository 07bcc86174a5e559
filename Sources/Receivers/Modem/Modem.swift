internal import SystemBus

/// A modem as ModemManager describes it: org.freedesktop.ModemManager1.Modem, and its interface Location.
struct Modem: Equatable {
    /// The state of a modem, MMModemState, as far as it matters here.
    enum State: Int32 {
        case failed = -1
        case locked = 2
    }

    /// The name of the service on the bus.
    static let service = "org.freedesktop.ModemManager1"
    /// The object that knows all modems.
    static let manager = "/org/freedesktop/ModemManager1"
    static let interface = "org.freedesktop.ModemManager1.Modem"
    static let locationInterface = "org.freedesktop.ModemManager1.Modem.Location"
    /// The source of sentences in the sets of sources, MMModemLocationSource: MM_MODEM_LOCATION_SOURCE_GPS_NMEA.
    static let sentences: UInt32 = 1 << 2
    /// The least state in which ModemManager starts a receiver, MM_MODEM_STATE_ENABLED.
    static let leastState: Int32 = 6
    /// MM_MODEM_STATE_FAILED_REASON_SIM_MISSING.
    static let withoutSIM: UInt32 = 2

    /// The object's path on the bus, which is another one after each plugging in.
    let path: String
    /// The IMEI, or what other networks have in its place.
    var imei = ""
    /// The device's path in sysfs, which stays the same at one place.
    var device = ""
    var model = ""
    var state: Int32 = 0
    var failure: UInt32 = 0
    /// The set of sources that the modem has, or `nil` if ModemManager does not offer its location.
    var sources: UInt32?
    /// The set of sources that are switched on.
    var enabled: UInt32 = 0

    init(path: String) { self.path = path }

    /// Returns the modems in a reply of GetManagedObjects, or `nil` if it cannot be read.
    static func list(_ reply: BusMessage) -> [Modem]? {
        reply.readObjects(Modem.init(path:)) { modem, interface, property in
            modem.read(property, of: interface, from: reply)
        }
    }

    private mutating func read(_ property: String, of interface: String, from reply: BusMessage) -> Bool {
        func text() -> String { reply.readVariant { _ in reply.readString() } ?? "" }
        func number() -> UInt32? { reply.readVariant { _ in reply.readUInt32() } }
        switch (interface, property) {
        case (Self.interface, "EquipmentIdentifier"): imei = text()
        case (Self.interface, "Device"): device = text()
        case (Self.interface, "Model"): model = text()
        case (Self.interface, "State"): state = reply.readVariant { _ in reply.readInt32() } ?? 0
        case (Self.interface, "StateFailedReason"): failure = number() ?? 0
        case (Self.locationInterface, "Capabilities"): sources = number()
        case (Self.locationInterface, "Enabled"): enabled = number() ?? 0
        default: return false
        }
        return true
    }

    /// A Boolean value indicating whether it has a receiver that sends sentences.
    var hasReceiver: Bool { sources.map { $0 & Self.sentences != 0 } ?? false }

    /// Returns the modem that `name` names by its IMEI, its path on the bus or its path in sysfs, or, without a name,
    /// the first one that has a receiver, or else the first one.
    static func choose(_ name: String?, among modems: [Modem]) -> Modem? {
        guard let name else { return modems.first(where: \.hasReceiver) ?? modems.first }
        return modems.first { [$0.imei, $0.path, $0.device].contains(name) }
    }

    /// The reason why its receiver cannot be started, or `nil` if there is none.
    ///
    /// It is never switched on: a modem that is on registers with a network, whose operator then knows where it is.
    var obstacle: ReceiverFailure? {
        let name = model.isEmpty ? "the modem" : "the modem \(model)"
        if state == State.failed.rawValue, failure == Self.withoutSIM {
            return ReceiverFailure(
                .unusable, "\(name) has no SIM, and ModemManager starts no receiver without one: insert any SIM")
        }
        if state == State.locked.rawValue {
            return ReceiverFailure(.unusable, "the SIM of \(name) is locked: run `sudo mmcli -i any --pin=PIN`")
        }
        if state == State.failed.rawValue {
            return ReceiverFailure(.unusable, "\(name) has failed: `mmcli -m any` says why")
        }
        guard hasReceiver else {
            return ReceiverFailure(.unusable, "\(name) has no receiver that ModemManager can read")
        }
        guard state >= Self.leastState else {
            return ReceiverFailure(
                .unusable,
                """
                \(name) is switched off, and ModemManager starts no receiver then: run `sudo mmcli -m any --enable`, or \
                let NetworkManager connect
                """)
        }
        return nil
    }
}
