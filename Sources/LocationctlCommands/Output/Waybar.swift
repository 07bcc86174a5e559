internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// What a status bar shows of the apps that use the location, as waybar's custom modules read it (waybar-custom(5)):
/// `return-type` json. Both texts are Pango markup, and names may hold what is markup there.
struct Waybar: Codable, Equatable {
    /// Who uses the location now; empty where nobody does, which hides the module.
    var text: String
    /// A line for each app, also of those that did in the last 24 hours.
    var tooltip: String
    /// For the style sheet: `background` where an app uses it while it is not in use, else `active`, else `idle`.
    var `class`: String

    /// Columns of one name.
    private static let nameWidth = 30

    init(_ apps: [IndicatorEntry]) {
        let active = apps.filter(\.active)
        text = active.first.map { Self.name($0) + (active.count > 1 ? " +\(active.count - 1)" : "") } ?? ""
        tooltip = apps.map { app in
            let when = app.active ? "now" : app.lastUse.minute + " UTC"
            return Self.name(app) + ": " + when + (app.background ? ", in background" : "")
                + (app.accuracy == .reduced ? ", reduced accuracy" : "")
        }.joined(separator: "\n")
        `class` = active.contains(where: \.background) ? "background" : active.isEmpty ? "idle" : "active"
    }

    private static func name(_ app: IndicatorEntry) -> String {
        Markup.escaped(DisplayText.shortened(DisplayText.shown(app.displayName ?? app.app), columns: nameWidth))
    }
}

/// Text for what reads markup: Pango, and the bodies of desktop notifications.
enum Markup {
    /// The text with nothing in it that is markup.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
    }
}
