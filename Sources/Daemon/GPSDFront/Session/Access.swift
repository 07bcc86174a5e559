internal import LocationModel

/// The access of a client, by the authorization of its app.
enum Access: Equatable {
    /// Nobody has decided. The client gets nothing until somebody does.
    case undecided
    /// The client gets nothing, and is told once what its user can do.
    case refused(Refusal)
    case granted(AccuracyAuthorization)

    /// The reason for a refusal.
    enum Refusal: Equatable {
        case denied
        /// The administrator's configuration rules the app out.
        case restricted
        /// Location services are off.
        case servicesOff
    }

    init(_ authorization: Authorization) {
        if !authorization.servicesEnabled {
            self = .refused(.servicesOff)
            return
        }
        switch authorization.status {
        case .notDetermined: self = .undecided
        case .restricted: self = .refused(.restricted)
        case .denied: self = .refused(.denied)
        case .authorizedWhenInUse, .authorizedAlways: self = .granted(authorization.accuracy)
        }
    }
}

extension Access.Refusal {
    /// Returns the message of the ERROR that the client is sent, which says what to run.
    func message(for app: AppIdentity) -> String {
        switch self {
        case .denied: "not authorized: locationctl grant \(Self.shellWord(app.description))"
        case .restricted: "not authorized: the administrator has ruled out \(app)"
        case .servicesOff: "not authorized: location services are off: locationctl enable"
        }
    }

    /// Returns a word as a shell reads it.
    private static func shellWord(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ":/._-+@".utf8.contains(byte)
            }
        }
        if isPlain { return word }
        // Attack: a program is stored under a path with a command in it, and its user pastes the line into a shell. A
        // combining mark after an apostrophe makes another Character of it, but not another byte for the shell.
        let quoted = word.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] }
        return "'" + String(decoding: quoted, as: UTF8.self) + "'"
    }
}
