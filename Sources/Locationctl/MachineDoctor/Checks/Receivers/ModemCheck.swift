internal import LocationctlSupport

/// The check for a receiver in a modem that locationd could read, if it has no other and does not search for receivers.
enum ModemCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.receivers.isEmpty, let modem = facts.modems.first(where: \.hasReceiver) else { return [] }
        return [
            .note(
                translated("the modem {modem} has a receiver that locationd does not use", ["modem": modem.model]),
                advice: translated("`sudo locationctl setup --port modem:` makes locationd read it"))
        ]
    }
}
