internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The first lines: the daemon, the switch of location services, and an open prompt.
enum HeaderPanel {
    static func rows(_ context: ScreenContext) -> [TextRow] {
        let state = context.state
        var row = TextRow("locationd", .title)
        guard state.isConnected else {
            if state.isLost { row.append(" is not running. Waiting for it to come back.", .warning) }
            return [row]
        }
        if let statistics = state.lists?.statistics { row.append(" " + DisplayText.shown(statistics.version)) }
        if let services = state.lists?.services {
            let isOn = services.machine && services.user
            row.append("  ")
            row.append(
                DisplayText.shortened("location services are \(services.text)", columns: context.width - row.columns),
                isOn ? .plain : .warning)
        } else if state.authorization?.servicesEnabled == false {
            row.append("  ")
            row.append("location services are off", .warning)
        }
        let time = context.zone.minute(context.now).suffix(5) + " " + context.zone.name(at: context.now)
        if row.columns + time.count + 2 <= context.width {
            row.append("", rightAlignedTo: context.width - row.columns - time.count)
            row.append(String(time), .hint)
        }
        guard let prompt = state.agent.current, state.view != .prompts else { return [row] }
        let more = state.agent.prompts.count > 1 ? ", and \(state.agent.prompts.count - 1) more" : ""
        let rest = " wants the location\(more).  "
        let hint = "p: answer"
        let name = DisplayText.shortened(
            DisplayText.shown(prompt.displayName ?? prompt.app), columns: context.width - rest.count - hint.count - 2)
        var banner = TextRow("! \(name)\(rest)", .warning)
        banner.append(hint, .title)
        return [row, banner]
    }
}
