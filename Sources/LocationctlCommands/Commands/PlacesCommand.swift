internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol

struct PlacesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "Shows the places where apps that monitor visits saw stays.",
        discussion: "Those of the last 30 days, the most visited first.")

    @Flag(help: "Forget them.")
    var clear = false
    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        let scope = UserScope(uid: user.resolved)
        if clear { _ = try await daemon.call(ClearPlaces.self, scope) }
        let places = clear ? [] : try await daemon.list(ListPlaces.self, scope).places
        try output.write(places) {
            var table = Table("LATITUDE", "LONGITUDE", "VISITS", "LAST VISIT (UTC)")
            for place in places {
                table.add(
                    Decimal.text(place.latitude, digits: 5, unit: "°"),
                    Decimal.text(place.longitude, digits: 5, unit: "°"), "\(place.visits)", place.lastVisit.minute)
            }
            return table.text(nothing: clear ? "The places are forgotten." : "No app that monitors visits saw a stay.")
        }
    }
}
