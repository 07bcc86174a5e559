internal import LocationModel

/// An error in reply to a call. GeoClue has none of its own: all are names of the D-Bus specification.
struct BusError: Error, Equatable {
    /// The last part of the error's name.
    enum Name: String {
        case accessDenied = "AccessDenied"
        case failed = "Failed"
        case invalidArguments = "InvalidArgs"
        case limitsExceeded = "LimitsExceeded"
        case unknownInterface = "UnknownInterface"
        case unknownMethod = "UnknownMethod"
        case unknownObject = "UnknownObject"
        case unknownProperty = "UnknownProperty"

        /// The name as it is sent.
        var text: String { "org.freedesktop.DBus.Error." + rawValue }
    }

    let name: Name
    /// The reason, for whoever wrote or runs the app.
    let message: String

    init(_ name: Name, _ message: String) {
        self.name = name
        self.message = message
    }

    /// The error for everything that a caller may not do, and for callers that cannot be identified.
    static let accessDenied = BusError(.accessDenied, "Access denied")
    static let unknownObject = BusError(.unknownObject, "There is no such object")
    static let unknownInterface = BusError(.unknownInterface, "The object has no such interface")
    static let unknownMethod = BusError(.unknownMethod, "The interface has no such method")
    static let unknownProperty = BusError(.unknownProperty, "The interface has no such property")
    static let readOnly = BusError(.invalidArguments, "The property is not writable")

    static func invalidArguments(expected signature: String) -> BusError {
        BusError(.invalidArguments, "The arguments are not of the type '\(signature)'")
    }

    static func limitExceeded(_ message: String) -> BusError { BusError(.limitsExceeded, message) }
}

extension BusError {
    /// Returns the error with which Start refuses an app that may not have the location, or `nil` if it may, or the
    /// user has not decided yet.
    init?(refusing authorization: Authorization, to label: String, uid: UInt32) {
        guard authorization.servicesEnabled else {
            self.init(.accessDenied, "Geolocation disabled for UID \(uid)")
            return
        }
        switch authorization.status {
        case .denied: self.init(.accessDenied, "'\(label)' disallowed for UID \(uid)")
        case .restricted: self.init(.accessDenied, "'\(label)' disallowed by configuration for UID \(uid)")
        case .notDetermined, .authorizedWhenInUse, .authorizedAlways: return nil
        }
    }
}
