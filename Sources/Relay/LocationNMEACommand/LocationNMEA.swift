internal import ArgumentParser
internal import LocationModel
internal import ServiceSupport

/// The command of the program: NMEA 0183 from the network to the daemon, and from the daemon to one program.
struct LocationNMEA: ParsableCommand {
    static let name = "locationd-nmea"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Passes NMEA 0183 from the network on to locationd, and locations as NMEA 0183 to one program.",
        version: Version.text,
        subcommands: [ReceiveCommand.self, ServeCommand.self, DiscoverCommand.self])
}

/// The program `locationd-nmea`.
public enum LocationNMEAProgram {
    /// Runs the program with the process's arguments until SIGTERM, and exits with its exit status.
    public static func main() { ServiceProgram.run(LocationNMEA.self) }
}
