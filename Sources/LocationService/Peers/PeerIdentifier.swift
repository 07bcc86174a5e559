internal import Authorization
internal import Glibc
internal import Varlink

/// Finds out which app a connected process is.
protocol PeerIdentifying {
    /// The identity of the process, which has the id `pid` as long as it is alive.
    func identify(_ process: ProcessDescriptor, pid: pid_t, uid: uid_t) throws(IdentityRefusal) -> AppIdentity
}

/// Reads identities from proc(5).
struct ProcPeerIdentifier: PeerIdentifying {
    func identify(_ process: ProcessDescriptor, pid: pid_t, uid: uid_t) throws(IdentityRefusal) -> AppIdentity {
        guard let cgroup = Self.contents("/proc/\(pid)/cgroup") else { throw .processGone }
        let evidence = ProcessEvidence(
            uid: uid, cgroup: cgroup, executable: Self.target(ofLink: "/proc/\(pid)/exe"),
            flatpakInfo: Self.contents("/proc/\(pid)/root/.flatpak-info"))
        // Attack: the peer exits and its id is given to another app's process before /proc is read. The pidfd is bound
        // to the process itself: while that is alive, its id is nobody else's, and what was read is its own.
        guard process.isAlive else { throw .processGone }
        return try AppIdentity.of(evidence)
    }

    /// The contents of a small file; `nil` where it cannot be read, or is larger than 64 KiB.
    private static func contents(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while bytes.count <= 65_536 {
            let (chunk, count) = readChunk(file)
            if count < 0 { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            bytes += chunk
        }
        return nil
    }

    private static func readChunk(_ file: CInt) -> ([UInt8], Int) {
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
            repeat { count = read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        return (chunk, count)
    }

    static func target(ofLink path: String) -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 4097) { buffer, initialized in
            initialized = max(0, readlink(path, buffer.baseAddress!, buffer.count))
        }
        return bytes.isEmpty || bytes.count > 4096 ? nil : String(validating: bytes, as: UTF8.self)
    }
}
