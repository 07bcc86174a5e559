internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

struct VisitsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits", abstract: "Shows the places where visits were recorded for apps that monitor visits.",
        discussion: """
            Covers the last 30 days, the most visited places first. Visits are recorded for apps that may always have \
            the location.
            """)

    @Flag(help: "Delete the recorded places, and the events and locations that are kept for apps.")
    var clear = false
    @Option(
        help: ArgumentHelp(
            "With --clear: delete instead all that this app has registered and that is kept for it; its grant stays.",
            valueName: "app"))
    var app: String?
    @OptionGroup var user: UserOption
    @OptionGroup var list: TimedListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        guard app == nil || clear else { throw ValidationError("--app needs --clear") }
    }

    func run(with daemon: DaemonConnection) async throws {
        if let app { return try await clear(app, daemon) }
        let uid = user.resolved
        var cleared = "The recorded places were deleted."
        if clear {
            _ = try await daemon.call(ClearPlaces.self, .init(uid: uid))
            switch PublisherQueue().clear() {
            case .absent: break
            case .cleared: cleared += " The queue of locationd-publish was cleared too."
            case .notPermitted:
                cleared += " To clear the queue of locationd-publish too: sudo locationctl visits --clear"
            case .failed(let reason):
                throw Failure(.failed, "the places were deleted, but the queue of locationd-publish was not: \(reason)")
            }
        }
        let places = clear ? [] : try await daemon.list(ListPlaces.self, UserScope(uid: uid)).places
        try list.write(places) { Self.text(places, on: $0, nothing: clear ? cleared : Self.nothing) }
    }

    static let nothing =
        "No visits have been recorded. They are recorded only while an app with always monitors visits."

    /// Returns the table of the places.
    static func text(_ places: [Place], on medium: OutputMedium, nothing: String = nothing) -> String {
        let heading = medium.time.heading("LAST VISIT", places.map(\.lastVisit))
        var table = Table("LATITUDE", "LONGITUDE", .init("VISITS", sacrifice: 1), .init(heading))
        for place in places {
            table.add(
                Decimal.text(place.latitude, digits: 5, unit: "°"),
                Decimal.text(place.longitude, digits: 5, unit: "°"), "\(place.visits)",
                medium.time.minute(place.lastVisit))
        }
        return table.text(on: medium, nothing: nothing)
    }

    private func clear(_ text: String, _ daemon: DaemonConnection) async throws {
        let named = try await daemon.app(named: text, of: user, for: .kept).app
        _ = try await daemon.call(ClearPlaces.self, .init(app: named.identity, uid: user.resolved))
        try list.write([] as [Place]) { _ in
            "What \(Terminal.printable(named.identity)) had registered, and what was kept for it, was deleted.\n"
        }
        named.writeRemark()
    }
}
