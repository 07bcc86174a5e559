import Glibc

/// The listening sockets that a service manager passed to this process (socket activation, sd_listen_fds(3)).
public struct ListenDescriptors: Sendable, Hashable {
    /// A listening socket.
    public struct Entry: Sendable, Hashable {
        /// The descriptor of the bound and listening socket, owned by whichever part serves it.
        public let descriptor: CInt
        /// The name from FileDescriptorName= of the socket unit, by default the unit's name. It is `unknown` if the
        /// service manager passed no names.
        public let name: String
    }

    /// An environment variable with a value that the protocol does not allow.
    public struct Malformed: Error, Hashable {
        /// The name of the variable, such as `LISTEN_FDS`.
        public let variable: String
        /// The value of the variable.
        public let value: String
    }

    /// The sockets in the order of the socket units. Empty if none was passed to this process.
    public let entries: [Entry]

    /// Reads LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES, and sets FD_CLOEXEC on each descriptor.
    ///
    /// - Parameters:
    ///   - environment: The process's environment.
    ///   - processID: The ID of this process. There are no entries if LISTEN_PID names another process.
    public init(environment: [String: String], processID: Int32) throws(Malformed) {
        try self.init(environment: environment, processID: processID, first: 3)
    }

    /// Reads the variables. `first` is SD_LISTEN_FDS_START, except in tests.
    init(environment: [String: String], processID: Int32, first: CInt) throws(Malformed) {
        guard let pid = environment["LISTEN_PID"], let listen = environment["LISTEN_FDS"] else {
            entries = []
            return
        }
        guard let owner = Int32(pid), owner > 0 else { throw Malformed(variable: "LISTEN_PID", value: pid) }
        guard owner == processID else {
            entries = []
            return
        }
        guard let count = CInt(listen), 0...1024 ~= count else {
            throw Malformed(variable: "LISTEN_FDS", value: listen)
        }
        var names = Array(repeating: "unknown", count: Int(count))
        if let listed = environment["LISTEN_FDNAMES"] {
            names = listed.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            if count == 0, listed.isEmpty { names = [] }
            guard names.count == Int(count) else { throw Malformed(variable: "LISTEN_FDNAMES", value: listed) }
        }
        for descriptor in first..<first + count {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw Malformed(variable: "LISTEN_FDS", value: listen)
            }
        }
        entries = zip(first..., names).map { Entry(descriptor: $0, name: $1) }
    }
}
