internal import AuthorizationPolicy
internal import Glibc
internal import Linux
internal import LocationModel
internal import Logging
internal import NIOCore

/// The clients that are connected to the management socket.
///
/// The socket's mode determines which users may connect; this class determines which of their programs may. Attack: a
/// sandboxed app of a user who may manage was given the socket's folder, and grants itself the location. So a
/// sandboxed program is refused, and so is a program that cannot be distinguished from one. Root is not checked,
/// because it can do all of that without this socket.
package final class Managers {
    /// The maximum number of connections of one user.
    static let connectionsPerUser = 32

    private let lookups: PeerLookups
    private let quota: ConnectionQuota
    private let log: Logger
    private var refusals = RefusalLog()
    /// The functions that withdraw the look-ups under way, by client.
    private var pending: [ObjectIdentifier: () -> Void] = [:]

    init(lookups: PeerLookups, room: SharedConnectionLimit, log: Logger) {
        self.lookups = lookups
        quota = ConnectionQuota(in: room)
        self.log = log
    }

    /// Determines whether a client may manage. `body` is called with `nil`, or with the reason for a refusal, unless
    /// the client is closed first. For root, it is called before this function returns. Throws if the client is
    /// refused at once.
    ///
    /// The front handles no call before that. It calls ``closed(_:)`` once when the connection is closed, in any
    /// case.
    package func admit(
        _ client: any Client, _ body: @escaping (AdmissionRefusal?) -> Void
    ) throws(AdmissionRefusal) {
        try quota.enter(client, limit: client.uid == 0 ? .max : Self.connectionsPerUser)
        if client.uid == 0 { return body(nil) }
        let process: ProcessDescriptor
        do throws(IdentityRefusal) { process = try client.openProcess() } catch {
            throw refusal(of: client, error.description)
        }
        let lookup = lookups.facts(of: process, uid: client.uid, wantsLogin: false)
        pending[ObjectIdentifier(client)] = lookup.withdraw
        lookup.result.assumeIsolated().whenSuccess { facts in
            // This closure retains the client, so no other client can have its identifier.
            guard self.pending.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
            switch facts {
            case .success(let facts) where facts.identity.strength == .sandboxed:
                body(self.refusal(of: client, "it is sandboxed"))
            case .success: body(nil)
            case .failure(let refusal): body(self.refusal(of: client, refusal.description))
            }
        }
    }

    /// Handles the end of a client's connection.
    package func closed(_ client: any Client) {
        quota.leave(client.uid)
        pending.removeValue(forKey: ObjectIdentifier(client))?()
    }

    /// Ends all look-ups.
    func stop() { lookups.stop() }

    private func refusal(of client: any Client, _ reason: String) -> AdmissionRefusal {
        refusals.report("to the management socket: \(reason)", client, to: log)
        return .permissionDenied
    }
}
