internal import LocationModel

/// The publisher, as the package locationd-publish installs it.
struct PublisherFacts: Sendable, Equatable {
    /// A Boolean value indicating whether the program is installed.
    var isPackaged = false
    /// A Boolean value indicating whether there is a configuration.
    var isConfigured = false
    /// The error that the program reports about its configuration: empty if there is none, `nil` if it could not be
    /// checked.
    var configurationError: String?
    /// The status of its authorization, or `nil` if the daemon did not report it: it does so to root alone.
    var status: AuthorizationStatus?
}
