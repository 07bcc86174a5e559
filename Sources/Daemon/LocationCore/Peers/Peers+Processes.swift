internal import AuthorizationPolicy
internal import Glibc
internal import Linux
internal import LocationModel
internal import NIOCore
internal import PeerIdentity

/// The processes behind the connections.
extension Peers {
    /// Returns the ids of the processes behind a connection: the one that connected, or all that hold its socket. Empty
    /// if they are not known yet, or have ended.
    package func processes(of client: any Client) -> [Int32] { processes.ids(of: client) }

    /// Returns the id of the process that a connection is shown with, or `nil` if none is known.
    package func processID(of client: any Client) -> Int32? {
        client.pid > 0 ? client.pid : processes.ids(of: client).first
    }

    /// Returns whether a condition holds for each process behind a connection. `false` if none is known.
    func areAll(of client: any Client, _ condition: (ProcessDescriptor, pid_t) -> Bool) -> Bool {
        processes.areAll(of: client, condition)
    }

    /// Returns the processes behind an app's connections whose start is known.
    func processStarts(of app: AppKey) -> [ProcessStart] {
        guard let app = apps[app] else { return [] }
        return processes.starts(of: app.processes { processes.ids(of: $0) }.sorted())
    }

    /// Returns the file that the process with that id ran when it last connected, or `nil` if it could not be read.
    package func executable(_ pid: Int32) -> String? { processes.executable(pid) }

    /// Looks up the login of the process with that id, while it has connections.
    func loginOwner(_ pid: pid_t, _ answer: @escaping (Result<Login.Owner?, Login.Failure>) -> Void) {
        guard let process = processes.process(pid), let uid = processes.uid(pid) else {
            return answer(.failure(Login.Failure(errno: ESRCH)))
        }
        lookups.loginOwner(of: process, uid: uid).assumeIsolated().whenSuccess(answer)
    }

    /// Closes the connections of processes that have ended. To be called before anything is delivered.
    func closeConnectionsOfEndedProcesses() { processes.endProcesses() }

    /// Returns whether a process that made a connection, or holds its socket, is still running. If none is, the
    /// connections of these processes are closed.
    ///
    /// A connection whose process id is another process's by now was closed when that one connected, and gets no calls.
    package func isRunning(_ client: any Client) -> Bool {
        if processes.isAnyRunning(client) { return true }
        for pid in processes.ids(of: client) { processes.end(pid) }
        client.close()
        return false
    }
}
