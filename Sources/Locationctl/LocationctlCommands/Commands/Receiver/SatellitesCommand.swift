internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

struct SatellitesCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "satellites", abstract: "Shows the satellites that the receivers see.",
        discussion: "Shows the latest data from the receivers. This command does not start a receiver.")

    @Flag(help: "Keep running, and print again every second.")
    var follow = false
    @OptionGroup var list: ListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.show(ListSatellites.self, Nothing(), follow: follow) { reply in
            try list.write(reply.receivers) { Self.text(reply.receivers, on: $0) }
        }
    }

    /// Returns the table of the satellites.
    static func text(_ receivers: [ReceiverSatellites], on medium: OutputMedium) -> String {
        var table = Table(
            .init("RECEIVER", sacrifice: 1, leastWidth: 10), "SYSTEM", "NUMBER", .init("ELEVATION", sacrifice: 3),
            .init("AZIMUTH", sacrifice: 2), "SIGNAL", "USED")
        for receiver in receivers {
            for satellite in receiver.satellites {
                table.add(
                    receiver.receiver, satellite.constellation?.rawValue ?? "", "\(satellite.number)",
                    Decimal.text(satellite.elevation, digits: 0, unit: "°"),
                    Decimal.text(satellite.azimuth, digits: 0, unit: "°"),
                    Decimal.text(satellite.signalStrength, digits: 0, unit: " dB-Hz"), satellite.used ? "yes" : "",
                    styles: ["USED": .good])
            }
        }
        return table.text(
            on: medium,
            nothing: "No receiver has reported satellites yet. Run `locationctl watch` to start the receivers.")
    }
}
