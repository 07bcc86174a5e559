internal import ArgumentParser
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

struct PlacesCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "places",
        abstract: "Shows how many places the machine remembers by the networks around them.",
        discussion: """
            Where no receiver has a fix, apps get the place that the machine remembers, marked as remembered. \
            `locationctl setup --places` turns that on, and `--no-places` off. Only root may use this command.
            """)

    @Flag(help: "Forget all places.")
    var clear = false
    @Flag(help: "With --clear: forget only the places that the machine may be at now.")
    var here = false
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        guard clear || !here else { throw ValidationError("--here needs --clear") }
    }

    func run(with daemon: DaemonConnection) async throws {
        guard clear else {
            let reply = try await daemon.call(GetRememberedPlaces.self, Nothing())
            return try output.write(reply) { Self.text(reply) }
        }
        let reply = try await daemon.call(ForgetRememberedPlaces.self, .init(here: here ? true : nil))
        try output.write(reply) {
            let places = Self.places(reply.count)
            return here && reply.count == 0
                ? "No place is remembered by the networks around the machine.\n"
                : "\(places) \(reply.count == 1 ? "was" : "were") forgotten.\n"
        }
    }

    /// Returns the text about the remembered places.
    static func text(_ reply: GetRememberedPlaces.Reply) -> String {
        guard let count = reply.count else {
            return "No places are remembered. `sudo locationctl setup --places` turns that on.\n"
        }
        guard let day = reply.lastUse else { return "No place is remembered yet.\n" }
        return "\(places(count)) \(count == 1 ? "is" : "are") remembered. The last use was on \(day).\n"
    }

    private static func places(_ count: Int) -> String { count == 1 ? "1 place" : "\(count) places" }
}
