internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import Varlink

struct SatellitesCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "satellites", abstract: "Shows the satellites that the receivers see.",
        discussion: "Shows the latest data from the receivers. This command does not start a receiver.")

    @Flag(help: "Keep running, and print again every second.")
    var follow = false
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.show(ListSatellites.self, Nothing(), follow: follow, show)
    }

    private func show(_ reply: ListSatellites.Reply) throws {
        try output.write(reply.receivers) {
            var table = Table("RECEIVER", "SYSTEM", "NUMBER", "ELEVATION", "AZIMUTH", "SIGNAL", "USED")
            for receiver in reply.receivers {
                for satellite in receiver.satellites {
                    table.add(
                        receiver.receiver, satellite.constellation?.rawValue ?? "", "\(satellite.number)",
                        Decimal.text(satellite.elevation, digits: 0, unit: "°"),
                        Decimal.text(satellite.azimuth, digits: 0, unit: "°"),
                        Decimal.text(satellite.signalStrength, digits: 0, unit: " dB-Hz"), satellite.used ? "yes" : "")
                }
            }
            return table.text(
                nothing: "No receiver has reported satellites yet. Run `locationctl watch` to start the receivers.")
        }
    }
}
