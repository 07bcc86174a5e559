package import Bus

/// A modem as ModemManager describes it: org.freedesktop.ModemManager1.Modem, and its interface Location.
package struct Modem: Equatable, Sendable {
    /// The object's path on the bus. It changes each time the modem is plugged in.
    package let path: String
    /// The IMEI, or its equivalent in other networks.
    package var imei = ""
    /// The device's path in sysfs, which stays the same while the modem is at one place.
    package var device = ""
    package var model = ""
    package var state: Int32 = 0
    var failure: UInt32 = 0
    /// The set of the modem's sources, or `nil` if ModemManager does not offer its location.
    package var sources: UInt32?
    /// The set of enabled sources.
    var enabled: UInt32 = 0

    package init(path: String) { self.path = path }

    /// Returns the modems in a reply of GetManagedObjects, or `nil` if it cannot be read.
    package static func list(_ reply: BusMessage) -> [Modem]? {
        reply.readObjects(Modem.init(path:)) { modem, interface, property in
            modem.read(property, of: interface, from: reply)
        }
    }

    private mutating func read(_ property: String, of interface: String, from reply: BusMessage) -> Bool {
        func text() -> String { reply.readVariant { _ in reply.readString() } ?? "" }
        func number() -> UInt32? { reply.readVariant { _ in reply.readUInt32() } }
        switch (interface, property) {
        case (ModemManager.modem, "EquipmentIdentifier"): imei = text()
        case (ModemManager.modem, "Device"): device = text()
        case (ModemManager.modem, "Model"): model = text()
        case (ModemManager.modem, "State"): state = reply.readVariant { _ in reply.readInt32() } ?? 0
        case (ModemManager.modem, "StateFailedReason"): failure = number() ?? 0
        case (ModemManager.location, "Capabilities"): sources = number()
        case (ModemManager.location, "Enabled"): enabled = number() ?? 0
        default: return false
        }
        return true
    }

    /// A Boolean value indicating whether it has a receiver that sends sentences.
    package var hasReceiver: Bool { sources.map { $0 & ModemManager.sentences != 0 } ?? false }

    /// A Boolean value indicating whether the port of the receiver is left to programs that read it themselves.
    var isUnmanaged: Bool { enabled & ModemManager.unmanaged != 0 }

    /// Returns the modem with this IMEI, path on the bus or path in sysfs. Without a name, returns the first modem that
    /// has a receiver, or else the first one.
    static func choose(_ name: String?, among modems: [Modem]) -> Modem? {
        guard let name else { return modems.first(where: \.hasReceiver) ?? modems.first }
        return modems.first { [$0.imei, $0.path, $0.device].contains(name) }
    }

    /// The reason why its receiver cannot be started, or `nil` if there is none.
    ///
    /// The modem itself is never switched on: a modem that is on registers with a network, whose operator then knows
    /// where it is.
    var obstacle: ReceiverFailure? {
        let name = model.isEmpty ? "the modem" : "the modem \(model)"
        if state == ModemManager.failed, failure == ModemManager.withoutSIM {
            return ReceiverFailure(
                .unusable, "\(name) has no SIM, and ModemManager starts no receiver without one: insert any SIM")
        }
        if state == ModemManager.locked {
            return ReceiverFailure(.unusable, "the SIM of \(name) is locked: run `sudo mmcli -i any --pin=PIN`")
        }
        if state == ModemManager.failed {
            return ReceiverFailure(.unusable, "\(name) has failed: `mmcli -m any` says why")
        }
        guard hasReceiver else {
            return ReceiverFailure(.unusable, "\(name) has no receiver that ModemManager can read")
        }
        guard !isUnmanaged else {
            return ReceiverFailure(
                .unusable,
                """
                the receiver of \(name) was left to programs that open its port: run `sudo mmcli -m any \
                --location-disable-gps-unmanaged`
                """)
        }
        guard state >= ModemManager.enabled else {
            return ReceiverFailure(
                .unusable,
                """
                \(name) is switched off, and ModemManager starts no receiver then: run `sudo mmcli -m any --enable`, \
                or let NetworkManager connect
                """)
        }
        return nil
    }
}
