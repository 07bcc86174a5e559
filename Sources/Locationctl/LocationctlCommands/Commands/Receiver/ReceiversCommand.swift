internal import ArgumentParser
internal import LocationProtocol
internal import LocationctlSupport
internal import MachineDoctor
internal import Varlink

struct ReceiversCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "receivers", abstract: "Shows the receivers and their states.",
        discussion: """
            A receiver is running while an app needs the location, resting between fixes that are far apart \
            (INTERVAL), and closed otherwise. While an app monitors regions and no app needs every fix, it always \
            rests for users other than root: its fixes would reveal how far away the regions are. BAUD is the baud \
            rate, with the framing unless it is 8N1, or "detecting" during baud-rate detection. * marks the receiver \
            whose fixes are used; WHY says why that one, or why a receiver was lost or has no location. On a terminal \
            it is below the receiver, whose dot is green with a fix, yellow while it waits for one, and red if it is \
            lost. JAMMING is what the receiver reports of interference at its antenna, if it does: none, warning or \
            critical, and the strength of a continuous wave beside the satellites' signals. All this says when the \
            machine goes under a roof, so it needs the permission to manage, as the satellites do.

            --settings shows who each receiver is, and the settings of its profile: the value that it had and gets back \
            (BEFORE), the value of the profile, the present value and the outcome.

            --discover lists the senders of NMEA 0183 that are announced in the local network; --accept has locationd \
            read one of them from then on, by its host and port. Both need the package locationd-nmea. An announcement \
            alone changes nothing.
            """)

    @Flag(help: "Keep running, and print again every second.")
    var follow = false
    @Flag(help: "Show who the receivers are, and the settings of their profiles.")
    var settings = false
    @Flag(help: "Show the senders that are announced in the local network, and which of them are accepted.")
    var discover = false
    @Option(
        help: ArgumentHelp(
            "Have locationd read the announced sender of that name, after a question.", valueName: "name"))
    var accept: String?
    @Flag(help: "With --accept: do not ask.")
    var yes = false
    @OptionGroup var list: ListOption
    @Option(help: ArgumentHelp("The folder of the daemon's configuration.", valueName: "dir"))
    var configDirectory = "/etc/locationd"
    @Option(help: .hidden) var systemRoot: String?
    @Option(help: .hidden) var nmeaProgram: String?
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        guard [follow || settings, discover, accept != nil].count(where: \.self) < 2 else {
            throw ValidationError("--follow or --settings, --discover and --accept do not go together")
        }
        guard !yes || accept != nil else { throw ValidationError("--yes answers the question of --accept") }
        guard !list.json || accept == nil else { throw ValidationError("--accept prints no JSON") }
    }

    func run(with daemon: DaemonConnection) async throws {
        var senders = NetworkSenders()
        if let nmeaProgram { senders.program.paths = [nmeaProgram] }
        if let accept {
            let options = SenderAcceptance.Options(
                folder: configDirectory, root: SystemRoot(systemRoot ?? ""), isConfirmed: yes)
            return try await SenderAcceptance(daemon, options).accept(accept, from: senders)
        }
        if discover {
            let found = try senders.discover()
            let accepted = AcceptedSenders(in: configDirectory + "/nmea")
            let rows = found.announcements.map {
                SenderText.Row(announcement: $0, accepted: accepted.instance(for: $0))
            }
            try list.write(rows) { SenderText.table(rows, on: $0) }
            return SenderText.report(found.remarks)
        }
        try await daemon.show(ListReceivers.self, .init(details: true), follow: follow) { reply in
            try list.write(reply.receivers) {
                if settings { return SettingsTable.text(reply.receivers, on: $0) }
                let reason = reply.beacons.map { "No beacon can be found: \(Terminal.printable($0))\n" } ?? ""
                return ReceiverTable.text(reply.receivers, on: $0) + reason
            }
        }
    }
}
