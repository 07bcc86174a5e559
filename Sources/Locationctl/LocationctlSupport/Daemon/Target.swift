package import ArgumentParser

/// The option that selects the daemon, before or after the subcommand's name.
package struct Target: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the daemon's sockets (default: LOCATIOND_RUNTIME_DIRECTORY, else /run/locationd).",
            valueName: "dir"))
    package var runtimeDirectory: String?

    package init() {}
}
