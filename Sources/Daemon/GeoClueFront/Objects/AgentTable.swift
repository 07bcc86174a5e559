internal import AuthorizationPolicy
internal import Bus
internal import Bytewise
internal import LocationModel

/// The agents of the desktops: shells that have a switch for location services.
///
/// An agent whose MaxAccuracyLevel is 0 turns location services off for its user. A level up to 5 (neighborhood) limits
/// its user's apps to reduced accuracy. The core remembers the limit until the same app, as an agent, has another
/// level: over restarts of the daemon, the bus and the shell, and over logouts. An agent that does not answer changes
/// nothing.
///
/// Attack: an app without a sandbox registers as a shell, to turn on again what the shell has turned off. So agents of
/// one user do not replace each other: a single 0 is enough.
///
/// Attack: an app waits until the daemon, the bus or the shell restarts, and gets the location before the shell is
/// back, or claims to be the returning shell. So the limit is remembered.
struct AgentTable {
    /// The IDs listed by GeoClue's configuration in Debian 12.
    static let allowedIDs = [
        "geoclue-demo-agent", "gnome-shell", "io.elementary.desktop.agent-geoclue2", "sm.puri.Phosh", "lipstick",
    ]
    /// The maximum number of agents of one user.
    ///
    /// Attack: agents never answer. The bus counts the pending calls to them as long as they live, and allows the
    /// daemon 128 at a time (max_replies_per_connection). After that, it could call no other agent, and the switches of
    /// other users would have no effect. So a user has few agents, and each has one call at a time, however long it
    /// takes to answer.
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
    /// Attack: an agent sends the signal without end. So it is not called again before it has answered.
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
        // The lowest level of all connections of the same app.
        let levels = agents.values.filter { $0.app == agent.app }.compactMap(\.maximumLevel)
        var actions: [Action] = []
        if let level = levels.min() {
            actions.append(.setDesktopLimit(DesktopLimit(level: level), agent: agent.app))
        }
        if agent.isAsked { actions.append(.queryAgent(connection)) }
        return actions
    }

    /// Forgets the agent of a closed connection. Its limit stays.
    mutating func remove(_ connection: ConnectionID) { agents[connection] = nil }
}

extension DesktopLimit {
    /// Creates the limit for a MaxAccuracyLevel, or `nil` for none: GClueAccuracyLevel in GeoClue's documentation. 0:
    /// none. 1: country. 4: city. 5: neighborhood. 6: street. 8: exact.
    init?(level: UInt32) {
        switch level {
        case 0: self = .off
        case 1...5: self = .reduced
        default: return nil
        }
    }
}
