internal import LocationModel

/// The access of a client, according to its app's authorization.
enum Access: Equatable {
    /// No decision has been made. The client receives nothing until then.
    case undecided
    /// The client receives nothing but one message that says how its user can change that.
    case refused(Refusal)
    case granted(AccuracyAuthorization)

    /// The reason for a refusal.
    enum Refusal: Equatable {
        case denied
        /// The administrator's configuration restricts the app.
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
    /// Returns the message of the ERROR for the client, which says what to run.
    func message(for app: AppIdentity) -> String {
        switch self {
        case .denied: "not authorized: locationctl grant \(Self.shellWord(app.description))"
        case .restricted: "not authorized: the administrator has ruled out \(app)"
        case .servicesOff: "not authorized: location services are off: locationctl enable"
        }
    }

    /// Returns the word, quoted for a shell if necessary.
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
        // combining mark after an apostrophe makes both one Character, but for the shell the apostrophe is still the
        // same byte.
        let quoted = word.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] }
        return "'" + String(decoding: quoted, as: UTF8.self) + "'"
    }
}
