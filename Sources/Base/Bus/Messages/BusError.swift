/// An error in reply to a call. All names come from the D-Bus specification.
package struct BusError: Error, Equatable {
    /// The last part of the error's name.
    package enum Name: String {
        case accessDenied = "AccessDenied"
        case failed = "Failed"
        case invalidArguments = "InvalidArgs"
        case limitsExceeded = "LimitsExceeded"
        case unknownInterface = "UnknownInterface"
        case unknownMethod = "UnknownMethod"
        case unknownObject = "UnknownObject"
        case unknownProperty = "UnknownProperty"

        /// The name as it is sent.
        package var text: String { "org.freedesktop.DBus.Error." + rawValue }
    }

    package let name: Name
    /// The reason, for the author or the user of the calling program.
    package let message: String

    package init(_ name: Name, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The error for a call that the caller is not allowed to make, and for callers that cannot be identified.
    package static let accessDenied = BusError(.accessDenied, "Access denied")
    package static let unknownObject = BusError(.unknownObject, "There is no such object")
    package static let unknownInterface = BusError(.unknownInterface, "The object has no such interface")
    package static let unknownMethod = BusError(.unknownMethod, "The interface has no such method")
    package static let unknownProperty = BusError(.unknownProperty, "The interface has no such property")
    package static let readOnly = BusError(.invalidArguments, "The property is not writable")

    package static func invalidArguments(expected signature: String) -> BusError {
        BusError(.invalidArguments, "The arguments are not of the type '\(signature)'")
    }

    package static func limitExceeded(_ message: String) -> BusError { BusError(.limitsExceeded, message) }
}
