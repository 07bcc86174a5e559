internal import AuthorizationPolicy
internal import CLinux
internal import EventLoopSupport
internal import Glibc
internal import Linux
internal import NIOCore

/// The processes behind connections. They are watched while they have connections.
///
/// A connection has one process, or all processes that hold its socket, and ends with the last of them. One descriptor
/// serves all connections of a process: ten thousand streams of one process need ten thousand descriptors, not twice as
/// many. Confined to the event loop.
final class ConnectedProcesses {
    /// Called on the loop when a process may have ended.
    var onEnded: (() -> Void)?
    /// Called when all processes of a connection have ended.
    var onConnectionEnded: ((ObjectIdentifier) -> Void)?
    /// Called when a process no longer has connections, and its id may pass to another process.
    var onForgotten: ((pid_t) -> Void)?

    private let watch: PeerWatch
    private var entries: [pid_t: Entry] = [:]
    /// The processes of the connections that are known by their sockets.
    private var holders: [ObjectIdentifier: [pid_t]] = [:]

    private struct Entry {
        let process: ProcessDescriptor
        let uid: UInt32
        var executable: String?
        /// The time when the process started, in clock ticks since the machine's start, or `nil` if it is unknown.
        var startTicks: UInt64?
        /// With these, the end of a process costs as much as its own connections, not a search through all of them.
        var connections: Set<ObjectIdentifier> = []
    }

    init(poller: DescriptorPoller) throws(SystemCallError) {
        watch = try PeerWatch(poller: poller)
        watch.onEnded = { [unowned self] in onEnded?() }
    }

    /// Stops watching.
    func stop() { watch.stop() }

    // MARK: Connections

    /// Records the process behind a connection, and begins to watch it.
    ///
    /// - Returns: The process, by the descriptor that all its connections share.
    func add(_ process: ProcessDescriptor, _ pid: pid_t, of client: any Client) throws -> ProcessDescriptor {
        // Attack: processes of pid namespaces that the daemon cannot see into all have the id 0, and the second one
        // would get the identity of the first.
        guard pid > 0 else { throw SystemCallError("getsockopt(SO_PEERCRED)", ESRCH) }
        // Two processes that are alive and have the same id are the same process.
        if let known = entries[pid], !known.process.isAlive { end(pid) }
        if entries[pid] == nil {
            try watch.add(pidfd: process.descriptor, id: UInt64(UInt32(bitPattern: pid)))
            entries[pid] = Entry(process: process, uid: client.uid)
        }
        let id = ObjectIdentifier(client)
        entries[pid]?.connections.insert(id)
        if case .socket = client.evidence { holders[id, default: []].append(pid) }
        return entries[pid]?.process ?? process
    }

    /// Handles the end of a client's connection. A process without connections is not watched, and its descriptor is
    /// closed.
    func remove(_ client: any Client) {
        let id = ObjectIdentifier(client)
        for pid in holders.removeValue(forKey: id) ?? [client.pid]
        // Its id may be another process's by now.
        where entries[pid]?.connections.remove(id) != nil && entries[pid]?.connections.isEmpty == true {
            forget(pid)
        }
    }

    /// Returns the ids of the processes behind a connection.
    func ids(of client: any Client) -> [pid_t] {
        switch client.evidence {
        case .process: entries[client.pid] == nil ? [] : [client.pid]
        case .socket: holders[ObjectIdentifier(client)] ?? []
        }
    }

    /// Returns whether a condition holds for each process behind a connection. `false` if none is known.
    func areAll(of client: any Client, _ condition: (ProcessDescriptor, pid_t) -> Bool) -> Bool {
        func holds(_ pid: pid_t) -> Bool { entries[pid].map { condition($0.process, pid) } ?? false }
        switch client.evidence {
        case .process: return holds(client.pid)
        case .socket:
            let ids = holders[ObjectIdentifier(client)] ?? []
            return !ids.isEmpty && ids.allSatisfy(holds)
        }
    }

    /// Returns whether a process behind a connection is alive.
    func isAnyRunning(_ client: any Client) -> Bool {
        switch client.evidence {
        case .process: entries[client.pid]?.process.isAlive == true
        case .socket: holders[ObjectIdentifier(client)]?.contains { entries[$0]?.process.isAlive == true } == true
        }
    }

    // MARK: Processes

    /// Returns the process with that id, while it has connections.
    func process(_ pid: pid_t) -> ProcessDescriptor? { entries[pid]?.process }

    /// Returns the user of the first connection of the process with that id.
    func uid(_ pid: pid_t) -> UInt32? { entries[pid]?.uid }

    /// Returns the file that the process with that id ran when it last connected.
    func executable(_ pid: pid_t) -> String? { entries[pid]?.executable }

    /// Records the file that a process runs, and the time when it started.
    func set(executable: String?, startTicks: UInt64?, of pid: pid_t) {
        entries[pid]?.executable = executable
        entries[pid]?.startTicks = startTicks
    }

    /// Returns the processes with those ids whose start is known.
    func starts(of ids: [pid_t]) -> [ProcessStart] {
        ids.compactMap { pid in entries[pid]?.startTicks.map { ProcessStart(pid: pid, ticks: $0) } }
    }

    /// Handles the end of the processes that have ended since the last call.
    func endProcesses() {
        for pid in watch.reap() { end(pid_t(truncatingIfNeeded: pid)) }
    }

    /// Handles the end of a process. Connections end if it was their last one.
    func end(_ pid: pid_t) {
        let connections = entries[pid]?.connections ?? []
        for id in connections { holders[id]?.removeAll { $0 == pid } }
        for id in connections where holders[id]?.isEmpty ?? true { onConnectionEnded?(id) }
        forget(pid)
    }

    private func forget(_ pid: pid_t) {
        entries[pid] = nil
        onForgotten?(pid)
    }
}
