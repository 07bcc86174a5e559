internal import ForeignText
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The tray's texts. All text that an app chose is made harmless here.
struct TrayText {
    /// The maximum width of a name, in columns.
    private static let nameWidth = 40
    /// The maximum width of an identity, in columns.
    private static let identityWidth = 60
    /// The number of names in the tooltip.
    private static let namesInToolTip = 3

    private let state: TrayState

    init(_ state: TrayState) { self.state = state }

    /// The first line of the menu.
    var headline: String {
        let count = state.uses.count(where: \.active)
        if !state.isConnected { return translated("locationd is not running") }
        guard count == 0 else {
            return translated(
                "This app uses the location:", plural: "{count} apps use the location:", count: count)
        }
        return state.isOn == false ? translated("Location services are off") : translated("No app uses the location")
    }

    /// The text of the tooltip. Hosts interpret markup in it.
    var toolTip: String {
        let active = state.apps.filter(\.isActive)
        guard !active.isEmpty else { return headline }
        let names = active.prefix(Self.namesInToolTip).map { Self.name($0.name) }
        let others = active.count - names.count
        // Translators: Between the parts of a list: "Maps, Tracker", "while in use, until tomorrow".
        let places: KeyValuePairs = ["apps": names.joined(separator: translated(", "))]
        let text =
            others > 0
            ? translated(
                // Translators: "A, B, C and 2 more use the location": the count is that of the other apps.
                "{apps} and {count} more use the location", plural: "{apps} and {count} more use the location",
                count: others, places)
            : translated(
                // Translators: "A, B use the location": the list has up to three apps.
                "{apps} uses the location", plural: "{apps} use the location", count: active.count, places)
        return ForeignText.escapedForMarkup(text)
    }

    /// Returns the label of an app's submenu.
    static func label(_ app: TrayState.App) -> String {
        // Translators: The app has the location while the user does not use it.
        app.isInBackground ? translated("{app} (in background)", ["app": name(app.name)]) : name(app.name)
    }

    /// Returns the identity of an app, which the app cannot choose, unlike its name.
    static func identity(_ key: AppKey) -> String {
        DisplayText.shortened(DisplayText.shown(key.app.description), columns: identityWidth)
    }

    /// Returns an app's access as a sentence.
    static func access(_ app: AppSummary) -> String {
        let words = DecisionText.level(app)
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func name(_ name: String) -> String {
        DisplayText.shortened(DisplayText.shown(name), columns: nameWidth)
    }
}
