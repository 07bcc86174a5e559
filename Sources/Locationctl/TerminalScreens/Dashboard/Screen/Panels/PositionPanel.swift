internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// This machine's position as delivered to this program, and its accuracy and motion in the last minutes.
enum PositionPanel {
    /// The minimum width of the labels, with the space after them.
    private static let leastLabelWidth = 9
    private static let valueWidth = 10

    /// The labels of the rows.
    private struct Labels {
        // Translators: Label of the accuracy of the position. At most 12 columns.
        let accuracy = translated("Accuracy")
        // Translators: Label of the speed. At most 12 columns.
        let speed = translated("Speed")
        // Translators: Label of the direction of motion. At most 12 columns.
        let course = translated("Course")
        // Translators: Label of the altitude. At most 12 columns.
        let altitude = translated("Altitude")

        /// The width of the labels, with the space after them.
        var width: Int {
            [accuracy, speed, course, altitude].map { DisplayText.columns($0) + 1 }.reduce(
                PositionPanel.leastLabelWidth, max)
        }
    }

    static func rows(_ context: ScreenContext, width: Int, rows: Int) -> [TextRow] {
        // Translators: Title of a panel.
        let name = translated("POSITION")
        // Translators: The time that small pictures beside the figures show.
        let title = context.title(name, [(translated("last 5 min"), .hint)], width: width)
        guard let location = context.state.location else {
            let text = TextRow.wrapped(reason(context), width)
            return [title] + text.prefix(rows - 1)
        }
        let labels = Labels()
        let chart = Chart(context: context, width: width, labelWidth: labels.width)
        let speed = Decimal.text(location.speed, digits: 1, unit: " m/s")
        let lines = [
            place(location), origin(location, context, width: width),
            measure(labels.accuracy, distance(location.horizontalAccuracy), chart, \.horizontalAccuracy, 4),
            measure(labels.speed, speed, chart, \.speed, 2), course(labels.course, location, chart),
            measure(labels.altitude, distance(location.altitude), chart, \.altitude, 8),
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
        // Translators: The position is not shown. --no-position is an option.
        case .declined: return translated("Not shown, with --no-position.")
        // Translators: The position is not shown. --uid is an option.
        case .ofOtherUser: return translated("Not shown, with --uid: locationctl is not an app of that user.")
        case .printed:
            return translated(
                // Translators: The position is not shown.
                """
                Not shown on a screen that is printed once: a position needs a running receiver; see `locationctl get`.
                """)
        }
        if state.authorization?.servicesEnabled == false { return translated("Location services are off.") }
        switch state.authorization?.status {
        case nil: return ""
        case .notDetermined:
            return state.management == .open
                // Translators: The position is not shown. g and p are keys.
                ? translated("locationctl has no grant for it yet. Press g to ask for it, then p to answer.")
                // Translators: The position is not shown. g is a key.
                : translated("locationctl has no grant for it yet. Press g to ask for it.")
        // Translators: The position is not shown.
        case .restricted: return translated("The administrator's configuration forbids it to locationctl.")
        // Translators: The position is not shown. a is a key.
        case .denied: return translated("Denied to locationctl. Choose it below, and press a to allow it.")
        case .authorizedWhenInUse, .authorizedAlways: break
        }
        if let failure = state.subscriptionFailure { return DisplayText.shown(failure) }
        return event(state.positionEvent) ?? FixSearchText.sentence(state, at: context.time)
    }

    private static func event(_ event: UpdateEvent?) -> String? {
        switch event {
        case .receiverLost: translated("No receiver has a fix.")
        case .suspended: translated("Suspended: this program is in the background.")
        case .paused: translated("Paused: the device is stationary.")
        case .location, .resumed, .unsuspended, .receiverFound, .authorizationChanged, nil: nil
        }
    }

    /// Returns the time of the last fix, its age and, if there is one, the reason.
    private static func past(_ time: String, _ age: String, _ event: UpdateEvent?) -> String {
        let places: KeyValuePairs = ["time": time, "age": age]
        return switch event {
        case .receiverLost: translated("last fix {time}, {age} ago: no receiver has a fix.", places)
        case .suspended:
            translated("last fix {time}, {age} ago: suspended: this program is in the background.", places)
        case .paused: translated("last fix {time}, {age} ago: paused: the device is stationary.", places)
        case .location, .resumed, .unsuspended, .receiverFound, .authorizationChanged, nil:
            // Translators: The time of day of the last fix, and its age: "last fix 12:04:59, 12 s ago"
            translated("last fix {time}, {age} ago", places)
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
            let time = String(context.zone.second(location.timestamp).suffix(8))
            let texts = [context.state.positionEvent, nil].map { past(time, FixSearchText.duration(age), $0) }
            let text = DisplayText.columns(texts[0]) <= width ? texts[0] : texts[1]
            return TextRow(DisplayText.shortened(text, columns: width), .warning)
        }
        if let event { return TextRow(DisplayText.shortened(event, columns: width), .warning) }
        let zone = context.zone
        var parts = ["\(zone.second(location.timestamp).suffix(8)) \(zone.name(at: location.timestamp))"]
        if let receiver = location.receiver { parts.append(DisplayText.shown(receiver)) }
        // Translators: In a list about a location: no receiver has measured it.
        if location.simulated, location.receiver != "simulated" { parts.append(translated("simulated")) }
        // Translators: In a list about a location: the machine was there before, and its networks are there again.
        if location.quality == .remembered { parts.append(translated("a remembered place")) }
        if let doubts = location.doubts {
            let reasons = doubts.reasons.map(\.rawValue).joined(separator: ", ")
            // Translators: A location may be wrong. The reasons are parts of sentences, or English words.
            parts.append(translated("suspect: {reasons}", ["reasons": reasons]))
        }
        let text = parts.joined(separator: translated(", "))
        let isDoubtful = location.simulated || location.doubts != nil
        return TextRow(DisplayText.shortened(text, columns: width), isDoubtful ? .warning : .hint)
    }

    private static func measure(
        _ label: String, _ text: String, _ chart: Chart, _ value: (Location) -> Double?, _ leastRange: Double
    ) -> TextRow {
        var row = chart.begin(label, text)
        let values = chart.context.state.history.means(chart.sparkWidth, value)
        let line = Sparkline(values: values, leastRange: leastRange)
        row.append(line.text(chart.context.glyphs), .good)
        if let bounds = line.bounds, chart.hasRange { row.append(" " + range(bounds.least, bounds.greatest), .hint) }
        return row
    }

    private static func range(_ least: Double, _ greatest: Double) -> String {
        let (first, last) = (Decimal.text(least, digits: 1), Decimal.text(greatest, digits: 1))
        // Translators: The least and the greatest of some values, the first one negative.
        guard least >= 0 else { return translated("{least} to {greatest}", ["least": first, "greatest": last]) }
        return first + "–" + last
    }

    private static func course(_ label: String, _ location: Location, _ chart: Chart) -> TextRow {
        var row = chart.begin(label, Decimal.direction(location.course, digits: 0))
        let values = chart.context.state.history.directions(chart.sparkWidth, \.course)
        row.append(Sparkline.directions(values, chart.context.glyphs), .good)
        return row
    }

    /// The layout of the rows with a value and a small picture of its course.
    private struct Chart {
        let context: ScreenContext
        /// The width of the panel.
        let width: Int
        let labelWidth: Int

        /// A Boolean value indicating whether there is room for the range of the values.
        var hasRange: Bool { width >= 46 + labelWidth - PositionPanel.leastLabelWidth }

        var sparkWidth: Int {
            max(1, min(60, width - labelWidth - PositionPanel.valueWidth - 1 - (hasRange ? 16 : 0)))
        }

        func begin(_ label: String, _ text: String) -> TextRow {
            var row = TextRow()
            row.append(label, width: labelWidth, .hint)
            row.append(text.isEmpty ? "-" : text, rightAlignedTo: PositionPanel.valueWidth - 1)
            row.append("  ")
            return row
        }
    }

    /// Returns a distance in metres, or in kilometres if it is long.
    private static func distance(_ metres: Double?) -> String {
        guard let metres else { return "" }
        return abs(metres) < 9999.5
            ? Decimal.text(metres, digits: 1, unit: " m") : Decimal.text(metres / 1000, digits: 1, unit: " km")
    }
}
