internal import AuthorizationPolicy
package import EventLoopSupport
internal import Glibc
internal import Linux
internal import LocationModel
internal import Logging
internal import NIOCore

/// The clients that are connected to the management socket.
///
/// Any user may connect. This class determines which of a user's programs may manage, and which of their calls have to
/// be authorized.
///
/// Attack: a sandboxed app of a user who may manage was given the socket's folder, and grants itself the location. So a
/// program that is, or may be, in a sandbox or a container of any kind is refused before the authority is asked. Root
/// is not checked, because it can do all of that without this socket.
package final class Managers {
    /// The maximum number of connections of one user.
    static let connectionsPerUser = 32

    /// The standing of a client that is admitted.
    private enum Standing {
        /// The client may manage: it is root, the daemon's own user, or in the group of the socket.
        case manager
        /// Each call of the client, which is this process, has to be authorized.
        case other(ProcessDescriptor)
    }

    /// The turns of the connections on the event loop, separate from the apps': a user whose apps use up the user's
    /// share can still revoke their grants.
    package let turns: TurnScheduler
    private let lookups: PeerLookups
    private let quota: ConnectionQuota
    private let log: Logger
    private let questions: ManagementQuestions
    private var refusals = RefusalLog()
    /// The functions that withdraw the look-ups under way, by client.
    private var pending: [ObjectIdentifier: () -> Void] = [:]
    /// The clients that are admitted.
    private var standings: [ObjectIdentifier: Standing] = [:]

    /// Decides about clients whose user is not in the group of the socket. With `nil`, they are refused.
    package var authority: (any ManagementAuthority)? {
        get { questions.authority }
        set { questions.authority = newValue }
    }

    /// - Parameter questionTimeout: The timeout for the authority's answer to a question.
    init(
        lookups: PeerLookups, sharedLimit: SharedConnectionLimit,
        questionTimeout: TimeAmount = ManagementQuestions.timeout, on loop: any EventLoop, log: Logger
    ) {
        self.lookups = lookups
        let quota = ConnectionQuota(within: sharedLimit)
        self.quota = quota
        turns = TurnScheduler(on: loop) { quota.owner(of: $0) }
        questions = ManagementQuestions(lookups: lookups, timeout: questionTimeout, on: loop)
        self.log = log
    }

    /// Returns whether a new connection of a user is handled at all. The front asks this before it sets anything up.
    package func mayConnect(_ uid: UInt32) -> Bool {
        guard !quota.admits(uid, limit: Self.connectionsPerUser, at: turns.eventLoop.now.seconds) else { return true }
        refusals.report("to the management socket: \(Peers.connectsTooOften)", uid: uid, to: log)
        return false
    }

    /// Determines whether a client may call. `body` is called with `nil`, or with the reason for a refusal, unless
    /// the client is closed first. For root, it is called before this function returns. Throws if the client is
    /// refused at once.
    ///
    /// The front handles no call before that. It calls ``closed(_:)`` once when the connection is closed, in any
    /// case.
    ///
    /// - Parameter isMember: `true` if the client's process is in the group of the socket.
    package func admit(
        _ client: any Client, isMember: Bool, _ body: @escaping (AdmissionRefusal?) -> Void
    ) throws(AdmissionRefusal) {
        try quota.enter(client, limit: client.uid == 0 ? .max : Self.connectionsPerUser)
        let id = ObjectIdentifier(client)
        if client.uid == 0 {
            standings[id] = .manager
            return body(nil)
        }
        let process: ProcessDescriptor
        do throws(IdentityRefusal) { process = try client.openProcess() } catch {
            throw refusal(of: client, error.description)
        }
        let lookup = lookups.facts(of: process, uid: client.uid, wantsLogin: false, wantsConfinement: true)
        pending[id] = lookup.withdraw
        lookup.result.assumeIsolated().whenSuccess { facts in
            // This closure retains the client, so no other client can have its identifier.
            guard self.pending.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
            switch facts {
            case .success(let facts) where facts.isConfined || facts.identity.strength == .sandboxed:
                body(self.refusal(of: client, "it is in a sandbox or a container"))
            case .success:
                // The daemon's own user owns the database.
                let isManager = isMember || client.uid == geteuid()
                self.standings[ObjectIdentifier(client)] = isManager ? .manager : .other(process)
                body(nil)
            case .failure(let refusal): body(self.refusal(of: client, refusal.description))
            }
        }
    }

    /// Returns whether a client may manage without being authorized for each call.
    package func isManager(_ client: any Client) -> Bool {
        if case .manager = standings[ObjectIdentifier(client)] { true } else { false }
    }

    /// Determines whether a client may make a call that needs a permission. `body` is called once, with `nil` or the
    /// reason for a refusal, unless the client is closed first. For managers, it is called before this function
    /// returns.
    ///
    /// - Parameter mayAskUser: `true` if the user may be asked to authenticate.
    package func authorize(
        _ permission: ManagementPermission, for client: any Client, mayAskUser: Bool = true,
        _ body: @escaping (ManagementRefusal?) -> Void
    ) {
        switch standings[ObjectIdentifier(client)] {
        case .manager: body(nil)
        case .other(let process):
            questions.ask(
                permission, for: client, process, countedFor: quota.owner(of: client.uid), mayAskUser: mayAskUser, body)
        case nil: body(.refused)
        }
    }

    /// Handles the end of a client's connection.
    package func closed(_ client: any Client) {
        quota.leave(client.uid)
        standings[ObjectIdentifier(client)] = nil
        questions.withdraw(client)
        pending.removeValue(forKey: ObjectIdentifier(client))?()
    }

    /// Ends all look-ups and questions.
    func stop() {
        questions.stop()
        lookups.stop()
    }

    private func refusal(of client: any Client, _ reason: String) -> AdmissionRefusal {
        refusals.report("to the management socket: \(reason)", client, to: log)
        return .permissionDenied
    }
}
