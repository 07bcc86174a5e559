internal import AuthorizationPolicy
public import Linux
public import LocationModel

/// The holders of several sockets, in a message: each process once, and for each socket the processes that hold it.
public struct HoldersReply: Equatable, Sendable {
    /// The outcome for one socket: see ``SocketHolders/Outcome``.
    enum Outcome: Equatable {
        /// The positions of the holders among the processes.
        case found([Int])
        case refused(IdentityRefusal)
        case postponed
    }

    /// The apps that the processes are. Their descriptors come with the message, in this order.
    public let apps: [AppIdentity]
    let outcomes: [Outcome]

    /// Returns the reply for the outcomes of a search, and the processes whose descriptors accompany it.
    static func of(_ outcomes: [SocketHolders.Outcome]) -> (HoldersReply, [ProcessDescriptor]) {
        var (apps, processes): ([AppIdentity], [ProcessDescriptor]) = ([], [])
        let parts = outcomes.map { outcome -> Outcome in
            switch outcome {
            case .refused(let refusal): return .refused(refusal)
            case .postponed: return .postponed
            case .found(let holders):
                return .found(
                    holders.processes.map { process in
                        if let known = processes.firstIndex(where: { $0 === process }) { return known }
                        apps.append(holders.app)
                        processes.append(process)
                        return processes.count - 1
                    })
            }
        }
        return (HoldersReply(apps: apps, outcomes: parts), processes)
    }

    /// Returns the outcomes, with the processes whose descriptors came with the message. Returns `nil` if their number
    /// is not the number of apps in the message.
    public func outcomes(_ processes: [ProcessDescriptor]) -> [SocketHolders.Outcome]? {
        guard processes.count == apps.count else { return nil }
        return outcomes.map { outcome in
            switch outcome {
            case .refused(let refusal): .refused(refusal)
            case .postponed: .postponed
            case .found(let holders):
                .found(SocketHolders(app: apps[holders[0]], processes: holders.map { processes[$0] }))
            }
        }
    }
}

extension HoldersReply {
    /// The text: a word for each socket, then a line for each app. The name of an app contains no line break.
    var text: String {
        let words = outcomes.map { outcome in
            switch outcome {
            case .found(let holders): holders.map(String.init).joined(separator: ",")
            case .refused(let refusal): refusal.rawValue
            case .postponed: "postponed"
            }
        }
        return ([words.joined(separator: " ")] + apps.map(\.description)).joined(separator: "\n")
    }

    /// Parses the text. Returns `nil` if it is malformed, or if the first socket is postponed: it would be requested
    /// again without end.
    init?(_ text: some Collection<UInt8>) {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let apps = lines.dropFirst().compactMap { line in
            String(validating: line, as: UTF8.self).flatMap(AppIdentity.init)
        }
        guard apps.count == lines.count - 1, apps.count <= SocketHolders.maximumCount else { return nil }
        let words = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let outcomes = words.compactMap { Self.outcome($0, apps) }
        guard outcomes.count == words.count, outcomes.first != .postponed else { return nil }
        self.init(apps: apps, outcomes: outcomes)
    }

    private static func outcome(_ word: some Collection<UInt8>, _ apps: [AppIdentity]) -> Outcome? {
        guard let text = String(validating: word, as: UTF8.self) else { return nil }
        if text == "postponed" { return .postponed }
        if let refusal = IdentityRefusal(rawValue: text) { return .refused(refusal) }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let holders = words.compactMap { Int($0) }.filter(apps.indices.contains)
        guard holders.count == words.count, Set(holders).count == words.count,
            Set(holders.map { apps[$0] }).count == 1
        else { return nil }
        return .found(holders)
    }
}
