internal import AuthorizationPolicy
internal import Glibc
internal import LocationModel

/// Determines the presence of apps, from login sessions and the apps' own declarations.
final class Presences {
    private let isInActiveSession: (any Client) -> Bool
    private let processes: (any Client) -> [pid_t]

    /// - Parameters:
    ///   - isInActiveSession: Returns whether a client's processes belong to a user who is at the machine.
    ///   - processes: Returns the ids of a client's processes.
    init(
        isInActiveSession: @escaping (any Client) -> Bool,
        processes: @escaping (any Client) -> [pid_t] = { [$0.pid] }
    ) {
        self.isInActiveSession = isInActiveSession
        self.processes = processes
    }

    /// Returns the presence of the app's processes behind a connection.
    func presence(of app: ConnectedApp, _ client: any Client) -> Presence {
        Presence(
            of: app.key.app, isInActiveSession: isInActiveSession(client),
            hasDeclaredBackground: app.hasDeclarations && processes(client).contains(where: app.saysInBackground))
    }
}
