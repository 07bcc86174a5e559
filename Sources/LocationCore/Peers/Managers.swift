internal import AuthorizationPolicy
internal import Glibc
internal import Linux
internal import LocationModel
internal import Logging
internal import NIOCore

/// Who is connected to the management socket.
///
/// The socket's mode says who may connect; this says which of their programs. Attack: an app in a sandbox of a user who
/// may manage was given the socket's folder, and grants itself the location. So a sandboxed program is refused, and one
/// that cannot be told from such. Root is not asked: it can do all of that without this socket.
package final class Managers {
    /// Connections of one user.
    static let connectionsPerUser = 32

    private let lookups: PeerLookups
    private let quota: ConnectionQuota
    private let log: Logger
    private var refusals = RefusalLog()
    /// Takes back what was asked about a client.
    private var pending: [ObjectIdentifier: () -> Void] = [:]

    init(lookups: PeerLookups, room: ConnectionRoom, log: Logger) {
        self.lookups = lookups
        quota = ConnectionQuota(in: room)
        self.log = log
    }

    /// Finds out whether a client may manage. `body` is called with `nil`, or with why it is refused, unless the client is
    /// closed before; within this call for root. Throws where it is refused at once.
    ///
    /// The front takes no call up before, and calls ``closed(_:)`` when the connection is closed: in each case, once.
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
            // Holds the client: no other one has its identifier.
            guard self.pending.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
            switch facts {
            case .success(let facts) where facts.identity.strength == .sandboxed:
                body(self.refusal(of: client, "it is sandboxed"))
            case .success: body(nil)
            case .failure(let refusal): body(self.refusal(of: client, refusal.description))
            }
        }
    }

    /// A client's connection is closed.
    package func closed(_ client: any Client) {
        quota.leave(client.uid)
        pending.removeValue(forKey: ObjectIdentifier(client))?()
    }

    /// Looks nobody up any more.
    func stop() { lookups.stop() }

    private func refusal(of client: any Client, _ reason: String) -> AdmissionRefusal {
        refusals.report("to the management socket: \(reason)", client, to: log)
        return .permissionDenied
    }
}
