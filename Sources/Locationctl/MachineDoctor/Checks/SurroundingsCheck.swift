internal import LocationProtocol
internal import LocationctlSupport

/// The check of the radio surroundings, which keep receivers closed while the machine does not move.
enum SurroundingsCheck {
    static func findings(in facts: Facts) -> [Finding] {
        if let reason = facts.service.surroundings {
            return [
                .note(
                    translated("receivers work as if the machine always moved: {reason}", ["reason": reason]),
                    why: translated("without its networks, the daemon does not know that it stays at a place"))
            ]
        }
        guard let stillness = facts.receivers.lazy.compactMap(\.stillness).first else { return [] }
        return [
            .ok(
                translated(
                    "receivers are closed, because the machine is {stillness}",
                    ["stillness": ReceiverText.stillness(stillness)]))
        ]
    }
}
