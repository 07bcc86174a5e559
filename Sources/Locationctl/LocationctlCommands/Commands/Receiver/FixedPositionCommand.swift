internal import ArgumentParser
internal import Devices
internal import LocationctlSupport

struct FixedPositionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fixed-position", abstract: "States the position of a machine that does not move.",
        discussion: """
            The position counts as a receiver, after all others: it gives way to any that has a fix. It is written to \
            conf.d/place.toml beside the daemon's configuration, which root and members of the group locationd can \
            read. Without a position, prints the one that is stated.
            """)

    @Argument(
        help: ArgumentHelp(
            "LATITUDE,LONGITUDE[,ALTITUDE][~ACCURACY] in degrees (WGS 84) and metres above mean sea level.",
            valueName: "position"),
        transform: { try FixedPlace(parsing: $0.drop(while: \.isWhitespace)) })
    var position: FixedPlace?
    @Flag(help: "No longer state a position.")
    var clear = false
    @Option(help: ArgumentHelp("The folder of the daemon's configuration.", valueName: "dir"))
    var configDirectory = "/etc/locationd"

    func validate() throws {
        if clear, position != nil { throw ValidationError("write a position or --clear, not both") }
    }

    func run() throws {
        let file = FixedPositionFile(folder: configDirectory + "/conf.d")
        if let position {
            try file.write(position)
            Terminal.writeError("The position is in \(Terminal.printable(file.path)). \(Self.advice)")
        } else if clear {
            let existed = try file.remove()
            Terminal.writeError(existed ? "The position is removed. \(Self.advice)" : "No position was stated.\n")
        } else {
            try Terminal.writeOutput(try file.read().map { "\($0)\n" } ?? "")
        }
    }

    private static let advice = "`systemctl reload locationd`, or SIGHUP, has the daemon read that.\n"
}
