internal import ForeignText
package import LocationModel
internal import LocationProtocol
internal import Varlink

/// The apps that use the location, for a custom module of the status bar Waybar with `return-type` json
/// (waybar-custom(5)). Both texts are Pango markup, so names are escaped.
package struct Waybar: Codable, Equatable {
    /// The apps that use the location now. If it is empty, Waybar hides the module.
    var text: String
    /// A line for each app, including those that used the location in the last 24 hours.
    var tooltip: String
    /// The class for the style sheet: `suspect` if a location that an app gets is doubtful, `background` if an app gets
    /// it in the background, otherwise `active` or `idle`.
    var `class`: String

    /// The maximum width of a name, in columns.
    private static let nameWidth = 30

    package init(_ apps: [IndicatorEntry], _ time: LocalTime) {
        let active = apps.filter(\.active)
        text = active.first.map { Self.name($0) + (active.count > 1 ? " +\(active.count - 1)" : "") } ?? ""
        tooltip = apps.map { app in
            let when = app.active ? "now" : time.minuteAndZone(app.lastUse)
            return Self.name(app) + ": " + when + (app.background ? ", in background" : "")
                + (app.accuracy == .reduced ? ", reduced accuracy" : "")
                + (app.doubts.map { ", " + ReceiverText.doubts($0) } ?? "")
        }.joined(separator: "\n")
        `class` =
            if active.contains(where: { $0.doubts != nil }) {
                "suspect"
            } else if active.contains(where: \.background) {
                "background"
            } else {
                active.isEmpty ? "idle" : "active"
            }
    }

    private static func name(_ app: IndicatorEntry) -> String {
        ForeignText.escapedForMarkup(
            DisplayText.shortened(DisplayText.shown(app.displayName ?? app.app), columns: nameWidth))
    }
}
