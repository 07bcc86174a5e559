internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// This machine's position as delivered to this program, and its accuracy and motion in the last minutes.
enum PositionPanel {
    private static let labelWidth = 9
    private static let valueWidth = 10

    static func rows(_ context: ScreenContext, width: Int, rows: Int) -> [TextRow] {
        let title = context.title("POSITION", [("last 5 min", .hint)], width: width)
        guard let location = context.state.location else {
            let text = TextRow.wrapped(reason(context), width)
            return [title] + text.prefix(rows - 1)
        }
        let lines = [
            place(location), origin(location, context, width: width),
            measure("Accuracy", distance(location.horizontalAccuracy), context, width: width, \.horizontalAccuracy, 4),
            measure("Speed", Decimal.text(location.speed, digits: 1, unit: " m/s"), context, width: width, \.speed, 2),
            course(location, context, width: width),
            measure("Altitude", distance(location.altitude), context, width: width, \.altitude, 8),
        ]
        guard context.state.isLocationOld else { return [title] + lines.prefix(rows - 1) }
        let dimmed = lines.enumerated().map { $0.offset == 1 ? $0.element : $0.element.styled(.hint) }
        return [title] + dimmed.prefix(rows - 1)
    }

    /// Returns the reason why there is no position.
    private static func reason(_ context: ScreenContext) -> String {
        let state = context.state
        guard state.isConnected else { return "" }
        switch state.positionDisplay {
        case .shown: break
        case .declined: return "Not shown, with --no-position."
        case .ofOtherUser: return "Not shown, with --uid: locationctl is not an app of that user."
        case .printed:
            return "Not shown on a screen that is printed once: a position needs a running receiver; see "
                + "`locationctl get`."
        }
        if state.authorization?.servicesEnabled == false { return "Location services are off." }
        switch state.authorization?.status {
        case nil: return ""
        case .notDetermined:
            let answer = state.management == .open ? ", then p to answer" : ""
            return "locationctl has no grant for it yet. Press g to ask for it\(answer)."
        case .restricted: return "The administrator's configuration forbids it to locationctl."
        case .denied: return "Denied to locationctl. Choose it below, and press a to allow it."
        case .authorizedWhenInUse, .authorizedAlways: break
        }
        if let failure = state.subscriptionFailure { return DisplayText.shown(failure) }
        return event(state.positionEvent) ?? FixSearchText.sentence(state, at: context.time)
    }

    private static func event(_ event: UpdateEvent?) -> String? {
        switch event {
        case .receiverLost: "No receiver has a fix."
        case .suspended: "Suspended: this program is in the background."
        case .paused: "Paused: the device is stationary."
        case .location, .resumed, .unsuspended, .receiverFound, .authorizationChanged, nil: nil
        }
    }

    private static func place(_ location: Location) -> TextRow {
        func degrees(_ value: Double, _ names: (String, String)) -> String {
            Decimal.degrees(abs(value), accuracy: location.horizontalAccuracy, unit: "° ")
                + (value < 0 ? names.1 : names.0)
        }
        return TextRow(
            degrees(location.latitude, ("N", "S")) + "  " + degrees(location.longitude, ("E", "W")), .title)
    }

    private static func origin(_ location: Location, _ context: ScreenContext, width: Int) -> TextRow {
        let event = event(context.state.positionEvent)
        if context.state.isLocationOld, let age = context.state.secondsWithoutLocation(at: context.time) {
            let text =
                "last fix \(context.zone.second(location.timestamp).suffix(8)), \(FixSearchText.duration(age)) ago"
            let reason = event.map { ": " + $0.prefix(1).lowercased() + $0.dropFirst() } ?? ""
            let isRoom = DisplayText.columns(text + reason) <= width
            return TextRow(DisplayText.shortened(isRoom ? text + reason : text, columns: width), .warning)
        }
        if let event { return TextRow(DisplayText.shortened(event, columns: width), .warning) }
        let zone = context.zone
        var text = zone.second(location.timestamp).suffix(8) + " " + zone.name(at: location.timestamp)
        if let receiver = location.receiver { text += ", " + DisplayText.shown(receiver) }
        if location.simulated, location.receiver != "simulated" { text += ", simulated" }
        if location.quality == .remembered { text += ", a remembered place" }
        if let doubts = location.doubts {
            text += ", suspect: " + doubts.reasons.map(\.rawValue).joined(separator: ", ")
        }
        let isDoubtful = location.simulated || location.doubts != nil
        return TextRow(DisplayText.shortened(String(text), columns: width), isDoubtful ? .warning : .hint)
    }

    private static func measure(
        _ label: String, _ text: String, _ context: ScreenContext, width: Int,
        _ value: (Location) -> Double?, _ leastRange: Double
    ) -> TextRow {
        var row = begin(label, text)
        let count = sparkWidth(width)
        let line = Sparkline(values: context.state.history.means(count, value), leastRange: leastRange)
        row.append(line.text(context.glyphs), .good)
        if let bounds = line.bounds, width >= rangeWidth {
            // A dash beside a minus sign would be misread.
            let separator = bounds.least < 0 ? " to " : "–"
            row.append(
                " " + Decimal.text(bounds.least, digits: 1) + separator + Decimal.text(bounds.greatest, digits: 1),
                .hint)
        }
        return row
    }

    private static func course(_ location: Location, _ context: ScreenContext, width: Int) -> TextRow {
        var row = begin("Course", Decimal.direction(location.course, digits: 0))
        let values = context.state.history.directions(sparkWidth(width), \.course)
        row.append(Sparkline.directions(values, context.glyphs), .good)
        return row
    }

    private static func begin(_ label: String, _ text: String) -> TextRow {
        var row = TextRow()
        row.append(label, width: labelWidth, .hint)
        row.append(text.isEmpty ? "-" : text, rightAlignedTo: valueWidth - 1)
        row.append("  ")
        return row
    }

    /// The minimum width for showing the range of the values.
    private static let rangeWidth = 46

    private static func sparkWidth(_ width: Int) -> Int {
        max(1, min(60, width - labelWidth - valueWidth - 1 - (width >= rangeWidth ? 16 : 0)))
    }

    /// Returns a distance in metres, or in kilometres if it is long.
    private static func distance(_ metres: Double?) -> String {
        guard let metres else { return "" }
        return abs(metres) < 9999.5
            ? Decimal.text(metres, digits: 1, unit: " m") : Decimal.text(metres / 1000, digits: 1, unit: " km")
    }
}
