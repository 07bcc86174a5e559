package import ArgumentParser
package import Logging

/// The options of every service.
package struct ServiceOptions: ParsableArguments {
    /// The least important messages to log, or `nil` for the level of the configuration.
    @Option(
        help: ArgumentHelp(
            "The least important messages to log: trace, debug, info, notice, warning, error or critical.",
            valueName: "level"),
        transform: { try OneOf<Logger.Level>.logLevel.value(of: $0) })
    package var logLevel: Logger.Level?

    /// A Boolean value indicating whether the configuration is only read.
    @Flag(help: "Read the configuration, report mistakes in it, and exit.")
    package var check = false

    package init() {}
}
