internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The first lines: the daemon, the switch of location services, and an open prompt.
enum HeaderPanel {
    static func rows(_ context: ScreenContext) -> [TextRow] {
        let state = context.state
        var row = TextRow("locationd", .title)
        guard state.isConnected else {
            guard state.isLost else { return [row] }
            return [TextRow(translated("locationd is not running. Waiting for it to come back."), .warning)]
        }
        if let statistics = state.lists?.statistics { row.append(" " + DisplayText.shown(statistics.version)) }
        if let services = state.lists?.services {
            let isOn = services.machine && services.user
            row.append("  ")
            row.append(
                DisplayText.shortened(services.sentence, columns: context.width - row.columns),
                isOn ? .plain : .warning)
        } else if state.authorization?.servicesEnabled == false {
            row.append("  ")
            row.append(translated("location services are off"), .warning)
        }
        let time = context.zone.minute(context.now).suffix(5) + " " + context.zone.name(at: context.now)
        if row.columns + time.count + 2 <= context.width {
            row.append("", rightAlignedTo: context.width - row.columns - time.count)
            row.append(String(time), .hint)
        }
        guard let prompt = state.agent.current, state.view != .prompts else { return [row] }
        // Translators: A key and its effect: it opens the prompt.
        let hint = translated("p: answer")
        let others = state.agent.prompts.count - 1
        let room = context.width - DisplayText.columns(request("", others)) - DisplayText.columns(hint) - 4
        let name = DisplayText.shortened(DisplayText.shown(prompt.displayName ?? prompt.app), columns: room)
        var banner = TextRow("! \(request(name, others))  ", .warning)
        banner.append(hint, .title)
        return [row, banner]
    }

    /// Returns the sentence about an app that waits for an answer, and the number of others that do.
    private static func request(_ app: String, _ others: Int) -> String {
        // Translators: The place of the app may be empty.
        guard others > 0 else { return translated("{app} wants the location.", ["app": app]) }
        // Translators: {count} more apps want the location. The place of the app may be empty.
        return translated("{app} wants the location, and {count} more.", ["app": app, "count": "\(others)"])
    }
}
