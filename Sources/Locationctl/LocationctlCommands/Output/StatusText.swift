internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The text of `locationctl status`.
struct StatusText {
    let status: StatusCommand.Status
    let medium: OutputMedium
    /// Returns a `locationctl` command as the user would type it.
    let command: (_ arguments: String) -> String

    /// The width of the marks in a window, in columns.
    private var margin: Int { medium.columns == nil ? 0 : 2 }
    private var lost: [ReceiverSummary] { status.receivers.filter { $0.state == .lost } }
    private var isOn: Bool { status.services.machine && status.services.user }

    /// The lines.
    var text: String {
        let statistics = status.statistics
        let version = "locationd \(DisplayText.shown(statistics.version))"
        return line("\(version), running for \(ReceiverText.duration(statistics.uptime))", mark: mark, .title)
            + line("Location services: \(status.services.text)", isOn ? .plain : .warning)
            + line("This program: \(program)", status.authorization.decision == nil ? .plain : .hint)
            + line("Apps: \(apps)", status.prompts ?? 0 > 0 ? .warning : .plain) + counted
            + line(status.receivers.isEmpty ? "Receivers: none" : "Receivers:")
            + status.receivers.map(receiver).joined() + advice
    }

    private var mark: Mark {
        if !isOn { return .off }
        guard lost.count < status.receivers.count else { return .wrong }
        return lost.isEmpty ? .good : .waiting
    }

    /// Returns a text as lines that fit the window, with the mark before the first line.
    private func line(_ text: String, mark: Mark? = nil, _ style: TextRow.Style = .plain) -> String {
        var row = TextRow()
        if let mark, medium.columns != nil { row.append(mark.text(medium.capabilities), mark.style) }
        row.pad(to: margin)
        guard let columns = medium.columns else {
            row.append(text, style)
            return medium.line(row)
        }
        let parts = OutputMedium.wrapped(text, columns: columns - 2 * margin)
        return parts.enumerated().map { index, part in
            if index > 0 { row = TextRow(String(repeating: " ", count: 2 * margin)) }
            row.append(part, style)
            return medium.line(row)
        }.joined()
    }

    /// The identity of this program, shortened to one line of a window, and its access.
    private var program: String {
        let name = DisplayText.shown(status.app ?? "unknown")
        let room = medium.columns.map { max(20, $0 - 2 * margin - DisplayText.columns("This program: , \(access)")) }
        return "\(DisplayText.shortened(name, columns: room ?? .max)), \(access)"
    }

    /// This program's access, in words.
    private var access: String {
        let authorization = status.authorization
        let decided = authorization.decision ?? authorization.status
        let isReduced = decided.isAuthorized && authorization.accuracy == .reduced
        return DecisionText.words(decided) + (isReduced ? ", reduced accuracy" : "")
            + (authorization.decision == nil ? "" : " (off)")
    }

    private var apps: String {
        let statistics = status.statistics
        let open =
            "\(Self.count(statistics.connections, "connection")), \(Self.count(statistics.sessions, "stream"))"
        guard let prompts = status.prompts, prompts > 0 else { return open }
        let ask = prompts == 1 ? "1 app asks for the location" : "\(prompts) apps ask for the location"
        return "\(open); \(ask): run `\(command("prompts"))`"
    }

    private var counted: String {
        let statistics = status.statistics
        guard let fixes = statistics.fixes, let delivered = statistics.delivered, let refused = statistics.refused
        else { return "" }
        let counts = "\(Self.count(fixes, "fix", "fixes")), \(Self.count(delivered, "update")) sent"
        return line("Since the start: \(counts), \(refused) refused")
    }

    private func receiver(_ receiver: ReceiverSummary) -> String {
        let mark = ReceiverText.mark(receiver)
        let width = status.receivers.reduce(0) { max($0, DisplayText.columns(DisplayText.shown($1.name))) }
        var row = TextRow()
        row.pad(to: margin)
        if medium.columns != nil { row.append(mark.text(medium.capabilities), mark.style) }
        row.pad(to: margin + 2)
        let name = min(width, max(8, (medium.columns ?? .max) / 3))
        row.append(DisplayText.shown(receiver.name), width: name)
        row.append("  ")
        row.append(ReceiverText.state(receiver), mark.style)
        let accuracy = receiver.state == .running ? Decimal.accuracy(receiver.horizontalAccuracy) : ""
        if !accuracy.isEmpty { row.append(" " + accuracy) }
        if ReceiverText.isDelivering(receiver) { row.append(", in use") }
        let reason = ReceiverText.reason(receiver)
        let colon = receiver.state == .searching ? ", " : ": "
        if !reason.isEmpty { row.append(colon + reason, mark == .wrong ? .warning : .hint) }
        return medium.line(medium.columns.map(row.cut) ?? row)
    }

    /// The advice if services are off, or a receiver is missing or lost.
    private var advice: String {
        // The desktop's own switch is mentioned beside the state.
        if !isOn, status.services.desktop != false {
            let who = status.services.machine ? "" : ", run by root,"
            return medium.lines("-> `\(command("enable"))`\(who) turns location services on.", indentation: 3)
        }
        if status.receivers.isEmpty {
            return medium.lines("-> `sudo locationctl setup` looks for a receiver at the serial ports.", indentation: 3)
        }
        guard let first = lost.first else { return "" }
        let subject =
            lost.count == 1 ? "\(DisplayText.shown(first.name)) is lost" : "\(lost.count) receivers are lost"
        return medium.lines("-> \(subject): `\(command("doctor"))` says what to do.", indentation: 3)
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }
}
