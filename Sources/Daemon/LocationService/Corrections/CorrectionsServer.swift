internal import EventLoopSupport
internal import Glibc
internal import Linux
internal import LocationCore
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import RTCM
internal import Receivers

/// The socket where `locationd-ntrip` writes corrections: checks the user at the other end, says whether corrections
/// are needed, and passes frames on to the receivers that take them. Confined to the event loop.
///
/// Attack: corrections move the position by as much as they say. So only users who could replace the receiver, or whom
/// the administrator has named, may write them.
final class CorrectionsServer {
    private static let backlog: CInt = 16
    private static let maximumConnections = 4
    /// The time between two looks at the receivers while an app waits for one that says who it is.
    private static let lookInterval = TimeAmount.seconds(2)

    /// A Boolean value indicating whether the daemon has opened the socket itself.
    private(set) var hasOwn = false
    /// The number of connections.
    var connectionCount: Int { connections.count }

    private let core: Core
    private let settings: CorrectionsSettings
    private let path: String
    private let sockets: StreamSockets
    private let log: Logger
    private let timer: LoopTimer
    private var listener: StreamListener?
    private var own: ListeningSocket?
    private var connections: [ObjectIdentifier: CorrectionsConnection] = [:]
    private var observation: Changes.Observation?
    /// The refused users, each of whom is logged once.
    private var refused: Set<UInt32> = []

    /// Creates the server. Opens nothing.
    init(
        _ core: Core, _ settings: CorrectionsSettings, runtimeDirectory: String, in sockets: StreamSockets, log: Logger
    ) {
        (self.core, self.settings, self.sockets, self.log) = (core, settings, sockets, log)
        path = CorrectionsSocket.path(in: runtimeDirectory)
        timer = LoopTimer(on: sockets.eventLoop)
    }

    /// Listens on the service manager's socket, or on one of its own. Logs a socket that cannot be opened.
    func listen(_ inherited: CInt?) {
        guard let descriptor = inherited ?? openOwn() else { return }
        listener = StreamListener(
            descriptor, backlog: inherited == nil ? Self.backlog : nil, in: sockets
        ) { [unowned self] in accepted($0) }
        observation = core.changes.observe([.subscriptions, .receivers, .activity]) { [weak self] in self?.update() }
    }

    /// Stops listening, and closes every connection.
    func close() {
        observation?.end()
        timer.cancel()
        listener?.close()
        listener = nil
        own?.unlinkFile()
        for connection in connections.values { connection.close() }
    }

    private func openOwn() -> CInt? {
        do throws(SystemCallError) {
            // Everybody may connect if a user is named, and is then identified.
            let socket = try ListeningSocket(
                path: path, mode: settings.user == nil ? 0o600 : 0o666, backlog: Self.backlog)
            (own, hasOwn) = (socket, true)
            log.info("listening on \(path) for corrections")
            return socket.descriptor
        } catch {
            log.error("cannot receive corrections on \(path): \(error)")
            return nil
        }
    }

    private func accepted(_ descriptor: CInt) {
        let socket = StreamSocket(descriptor, in: sockets)
        guard let user = try? Peer(socket: descriptor).uid, isTrusted(user) else { return }
        guard connections.count < Self.maximumConnections else { return }
        let connection = CorrectionsConnection(socket, of: self)
        connections[ObjectIdentifier(connection)] = connection
        connection.start()
        core.changes.report(.connections)
    }

    private func isTrusted(_ user: UInt32) -> Bool {
        if [0, geteuid(), settings.user].contains(user) { return true }
        if refused.count < 16, refused.insert(user).inserted {
            log.warning(
                "user \(user) may not write corrections: name the user of locationd-ntrip in [corrections] user")
        }
        return false
    }

    // MARK: The need

    private var receivers: [Receiver] { core.receivers.members.map(\.receiver) }

    private var isWanted: Bool {
        core.peers.connected.contains { $0.subscriptions.contains(where: \.wantsCorrections) }
    }

    /// Reports the need to each connection.
    func update() {
        let (receivers, isWanted) = (receivers, isWanted)
        var isWaiting = false
        for connection in connections.values {
            guard let chosen = connection.receivers else { continue }
            if let refusal = chosen.refusal(among: receivers) {
                connection.report(.refused(refusal))
            } else {
                let isNeeded = isWanted && !chosen.writers(among: receivers).isEmpty
                connection.report(isNeeded ? .needed : .unneeded)
                isWaiting = isWaiting || !isNeeded
            }
        }
        // A receiver says who it is some time after its port was opened, without a change of the core's state.
        guard isWanted, isWaiting else { return timer.cancel() }
        if !timer.isSet { timer.set(in: Self.lookInterval) { [unowned self] in update() } }
    }

    // MARK: Called by a connection

    func received(_ frame: RTCMFrame, _ bytes: Span<UInt8>, for chosen: CorrectionReceivers) {
        for writer in chosen.writers(among: receivers) { writer.write(frame, bytes) }
    }

    func note(_ fault: String) { log.error("corrections are refused: \(fault)") }

    func closed(_ connection: CorrectionsConnection) {
        connections[ObjectIdentifier(connection)] = nil
        core.changes.report(.connections)
    }
}
