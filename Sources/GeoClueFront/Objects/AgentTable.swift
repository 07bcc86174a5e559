internal import Bytewise
internal import LocationModel
internal import SystemBus

/// The agents of the desktops: shells that have a switch for location services.
///
/// An agent whose MaxAccuracyLevel is 0 turns location services off for its user, until the level is another one, or
/// the agent has left the bus and none has returned in time. Nothing is stored. An agent that does not answer changes
/// nothing.
///
/// Attack: an app without a sandbox registers as a shell, to turn on again what the shell has turned off. So an agent
/// does not replace another one of its user: a single 0 is enough.
struct AgentTable {
    /// The ids that GeoClue's configuration in Debian 12 lists.
    static let allowedIDs = [
        "geoclue-demo-agent", "gnome-shell", "io.elementary.desktop.agent-geoclue2", "sm.puri.Phosh", "lipstick",
    ]
    /// The maximum number of agents of one user.
    ///
    /// Attack: agents never answer. The bus counts the calls to them while they live, and allows the daemon 128 at a
    /// time (max_replies_per_connection). Then it could call no other agent, and the switches of other users would
    /// have no effect. So a user has few agents, and each has one call at a time, however long it takes to answer.
    static let maximumCountPerUser = 4

    private struct Agent {
        let app: AppKey
        /// The last MaxAccuracyLevel that the agent answered with, or `nil` if it has not answered.
        var maximumLevel: UInt32?
        /// A Boolean value indicating whether a call of the agent is unanswered.
        var isAsked = true
        /// A Boolean value indicating whether the level has changed since that call.
        var hasChanged = false
    }

    private var agents: [ConnectionID: Agent] = [:]
    /// The users for whom a desktop has turned location services off.
    private var offUsers: Set<UInt32> = []
    /// The apps of agents that have left while they turned services off, and have not returned.
    private var awaited: Set<AppKey> = []

    /// Registers the caller as an agent.
    mutating func add(_ id: String, _ caller: CallingApp) -> [Action] {
        guard Self.allowedIDs.contains(where: id.isBytewiseEqual), caller.app.app.strength != .sandboxed else {
            return [.fail(BusError(.accessDenied, "ID not allowed to act as agent"))]
        }
        if agents[caller.connection] != nil { return [.reply([])] }
        guard agents.values.count(where: { $0.app.uid == caller.app.uid }) < Self.maximumCountPerUser else {
            return [.fail(.limitExceeded("A user has at most \(Self.maximumCountPerUser) agents"))]
        }
        agents[caller.connection] = Agent(app: caller.app)
        return [.reply([]), .queryAgent(caller.connection)]
    }

    /// Returns whether a connection is registered as an agent.
    func contains(_ connection: ConnectionID) -> Bool { agents[connection] != nil }

    /// Handles an agent's signal that its properties have changed, and reads its level.
    ///
    /// Attack: an agent sends the signal without end. It is not called again before it has answered.
    mutating func changed(_ connection: ConnectionID) -> [Action] {
        guard let agent = agents[connection] else { return [] }
        if agent.isAsked {
            agents[connection]?.hasChanged = true
            return []
        }
        agents[connection]?.isAsked = true
        return [.queryAgent(connection)]
    }

    /// Handles an agent's answer. `level` is `nil` if the agent answered with an error, or could not be called.
    mutating func answered(_ connection: ConnectionID, _ level: UInt32?) -> [Action] {
        guard var agent = agents[connection] else { return [] }
        agent.maximumLevel = level ?? agent.maximumLevel
        agent.isAsked = agent.hasChanged
        agent.hasChanged = false
        agents[connection] = agent
        if level != nil { awaited.remove(agent.app) }
        return updateSwitch(of: agent.app.uid) + (agent.isAsked ? [.queryAgent(connection)] : [])
    }

    /// Forgets the agent of a connection that is closed. Services that are off stay off until ``didNotReturn(of:)``.
    ///
    /// Attack: an app waits until the bus or the shell starts again, and gets the location before the shell is back, or
    /// calls itself a shell that has returned. So the agent that returns has to be the same app.
    mutating func remove(_ connection: ConnectionID) -> [Action] {
        guard let agent = agents.removeValue(forKey: connection), agent.maximumLevel == 0 else { return [] }
        awaited.insert(agent.app)
        return [.awaitAgent(uid: agent.app.uid)]
    }

    /// Forgets all agents, because the bus was lost.
    mutating func disconnected() {
        awaited.formUnion(agents.values.lazy.filter { $0.maximumLevel == 0 }.map(\.app))
        agents = [:]
    }

    /// Starts waiting for the agents that the bus had when it was lost.
    func connected() -> [Action] { Set(awaited.map(\.uid)).sorted().map { .awaitAgent(uid: $0) } }

    /// Turns services on again for a user, unless an agent has returned.
    mutating func didNotReturn(of uid: UInt32) -> [Action] {
        awaited = awaited.filter { $0.uid != uid }
        return updateSwitch(of: uid)
    }

    private mutating func updateSwitch(of uid: UInt32) -> [Action] {
        let isOff =
            awaited.contains { $0.uid == uid }
            || agents.values.contains { $0.app.uid == uid && $0.maximumLevel == 0 }
        guard isOff != offUsers.contains(uid) else { return [] }
        if isOff { offUsers.insert(uid) } else { offUsers.remove(uid) }
        return [.setDesktopSwitch(isOn: !isOff, uid: uid)]
    }
}
