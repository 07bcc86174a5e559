internal import CoreLocation
internal import Foundation
internal import LocationClient
internal import NIOConcurrencyHelpers

/// Messages on standard error for programs that receive no locations: one line for each cause and process.
///
/// They are for the user who started the program: its delegate often does not handle failures. No message contains a
/// location.
final class Diagnostics: Sendable {
    /// The cause of a message.
    enum Cause: Hashable, Sendable {
        /// The app uses locations, but is not authorized and has not requested authorization.
        case authorizationNotRequested
        /// There is no usage description for the requested level.
        case usageDescriptionMissing(AuthorizationLevel)
        /// No daemon answers at this socket.
        case daemonUnreachable(path: String)
        /// The daemon refuses further connections.
        case noConnectionLeft(ConnectionLimit)
        /// The user was not prompted for full accuracy, although the app has reduced accuracy.
        case purposeMissing(key: String)
        /// The process has another open monitor with this name.
        case monitorIsOpen(name: String)
    }

    /// A limit of the daemon on connections. The raw value is its name in the daemon's errors.
    enum ConnectionLimit: String, Sendable {
        case connectionsPerApp
        case connectionsPerUser
        case connections
    }

    private let write: @Sendable (_ line: String) -> Void
    private let reported = NIOLockedValueBox<Set<Cause>>([])

    /// Creates diagnostics that report each cause once.
    ///
    /// - Parameter write: A closure that writes a line, including its line feed. The default writes to standard error.
    init(write: @escaping @Sendable (_ line: String) -> Void = { StandardError.writeLine($0) }) {
        self.write = write
    }

    /// Writes the message for `cause`, unless it has been written before. May be called from any thread.
    func report(_ cause: Cause) {
        guard reported.withLockedValue({ $0.insert(cause).inserted }) else { return }
        write("CoreLocation: \(cause.message)\n")
    }

    /// Reports `error` if there is no daemon, or it refused a connection because of a limit. Ignores other errors.
    func reportFailure(_ error: LocationError?) {
        switch error {
        case .daemonUnreachable(let path, _): report(.daemonUnreachable(path: path))
        case .limitExceeded(let name):
            if let limit = ConnectionLimit(rawValue: name) { report(.noConnectionLeft(limit)) }
        default: break
        }
    }
}

extension Diagnostics.Cause {
    /// The message, without prefix and line feed: the fault, then the remedy.
    fileprivate var message: String {
        switch self {
        case .authorizationNotRequested:
            "this app is not authorized to use locations, and has not requested it: call "
                + "requestWhenInUseAuthorization(), or run `\(Self.grantCommand)` (`locationctl apps` shows the name "
                + "under which locationd knows the app)"
        case .usageDescriptionMissing(let level):
            "the user was not prompted: there is no \(UsageDescriptions.key(for: level)) in an Info.plist beside the "
                + "executable, nor a manifest of the app that has one: add it, or run `\(Self.grantCommand)`"
        case .daemonUnreachable(let path):
            "locationd does not answer at \(path), and there are no locations until it does: install it, start it with "
                + "`sudo systemctl start locationd`, or name the folder of another one in LOCATIOND_RUNTIME_DIRECTORY"
        case .noConnectionLeft(let limit): "locationd refuses further connections: \(limit.explanation)"
        case .purposeMissing(let key):
            "the user was not prompted for full accuracy: describe the purpose under the key '\(key)' in "
                + "[temporary-full-accuracy] of the app's manifest, and request it while the app is in use"
        case .monitorIsOpen(let name): "the monitor '\(name)' is open already; this one monitors nothing"
        }
    }

    /// The command that authorizes this program, unless a package or the desktop gives it another name.
    private static var grantCommand: String {
        commandToGrant(executable: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    }

    /// Returns the command that authorizes the program with this executable, the target of `/proc/self/exe`.
    ///
    /// It names no replaced executable, whose path has a suffix (proc(5)), nor a path that cannot be single-quoted in
    /// one line of shell.
    static func commandToGrant(executable path: String?) -> String {
        guard let path, !path.hasSuffix(" (deleted)"), !path.contains(where: { $0 == "'" || $0.isNewline }) else {
            return "locationctl grant APP"
        }
        return "locationctl grant 'exe:\(path)'"
    }
}

extension Diagnostics.ConnectionLimit {
    /// The limit that was reached, and how to raise it.
    fileprivate var explanation: String {
        switch self {
        case .connectionsPerApp:
            "this app has as many as one app may have, half of limits.connections-per-user. Stop updates that it does "
                + "not need, or \(Self.raising)"
        case .connectionsPerUser:
            "the apps of this user have as many as limits.connections-per-user allows. End some of them, or "
                + Self.raising
        case .connections:
            "the apps of all users have as many as locationd has file descriptors for. End some of them, or raise "
                + "LimitNOFILE= with `systemctl edit locationd` and run `systemctl restart locationd`"
        }
    }

    private static let raising =
        "raise that key in /etc/locationd/locationd.toml and run `systemctl reload locationd`"
}
