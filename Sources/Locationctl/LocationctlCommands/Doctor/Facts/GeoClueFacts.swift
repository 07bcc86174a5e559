/// GeoClue's interface, as the package locationd-geoclue installs it.
struct GeoClueFacts: Sendable, Equatable {
    /// A Boolean value indicating whether the package's configuration is installed.
    var isPackaged = false
    /// The process that has GeoClue's name on the system bus, or `nil` if none has it, or the bus did not say.
    var owner: Owner?
    /// The unit that the bus starts for the first caller, or `nil` if it starts none.
    var activatedUnit: String?
    /// A Boolean value indicating whether a bus policy permits the user `locationd` to acquire the name.
    var isNamePermitted = false
    /// A Boolean value indicating whether a bus policy permits that user to read the switch of a desktop.
    var isAgentPermitted = false
    /// A Boolean value indicating whether Firefox is installed and no policy keeps it from asking a web service.
    var isFirefoxAskingWebService = false

    /// A process on the bus.
    struct Owner: Sendable, Equatable {
        var name: String
        var pid: Int
        var uid: UInt32
    }
}
