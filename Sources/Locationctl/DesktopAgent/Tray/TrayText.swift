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
        if !state.isConnected { return "locationd is not running" }
        switch count {
        case 0: return state.isOn == false ? "Location services are off" : "No app uses the location"
        case 1: return "This app uses the location:"
        default: return "\(count) apps use the location:"
        }
    }

    /// The text of the tooltip. Hosts interpret markup in it.
    var toolTip: String {
        let active = state.apps.filter(\.isActive)
        guard !active.isEmpty else { return headline }
        let names = active.prefix(Self.namesInToolTip).map { Self.name($0.name) }
        let others = active.count - names.count
        let list = names.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
        return ForeignText.escapedForMarkup(list + (active.count == 1 ? " uses" : " use") + " the location")
    }

    /// Returns the label of an app's submenu.
    static func label(_ app: TrayState.App) -> String {
        name(app.name) + (app.isInBackground ? " (in background)" : "")
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
