import CLinux
import Glibc

/// The Unix socket where a program passes on a receiver's data. Its system calls may block for as long as a file system
/// takes.
enum ReceiverSocket {
    /// Connects to the socket at `path`, without waiting for room in its backlog. Returns a descriptor that does not
    /// block, or the reason why the socket is not read.
    ///
    /// - Parameter owner: The user, besides root and the user of this process, who may own the socket and the program.
    static func connect(to path: String, owner: UInt32?) -> Result<CInt, ReceiverFailure> {
        do throws(ReceiverFailure) {
            let trusted = Set([0, geteuid(), owner].compactMap(\.self))
            let place = try open(path, trusted: trusted)
            defer { close(place) }
            // Connects to the socket that was checked, whatever is at the path by now.
            let connection = place_connect(place)
            guard connection >= 0 else { throw .connecting(to: path, error: -connection) }
            do throws(ReceiverFailure) {
                try checkPeer(of: connection, path, trusted: trusted)
            } catch {
                close(connection)
                throw error
            }
            return .success(connection)
        } catch {
            return .failure(error)
        }
    }

    /// Returns a descriptor of the socket's file, which refers to it whatever happens to the path afterwards.
    private static func open(_ path: String, trusted: Set<UInt32>) throws(ReceiverFailure) -> CInt {
        // The administrator has named the path, so links in it, such as /var/run, are followed.
        let place = path_open_following(path)
        guard place >= 0 else { throw .connecting(to: path, error: -place) }
        do throws(ReceiverFailure) {
            var status = stat()
            guard fstat(place, &status) == 0 else { throw .connecting(to: path, error: errno) }
            guard status.st_mode & S_IFMT == S_IFSOCK else {
                throw ReceiverFailure(.unusable, "\(path) is not a socket")
            }
            // Attack: in a folder that others may write to, a user puts a socket at the path, and moves the machine.
            guard trusted.contains(status.st_uid) else {
                throw .untrusted("\(path) belongs to user \(status.st_uid)", status.st_uid)
            }
            return place
        } catch {
            close(place)
            throw error
        }
    }

    /// Checks which user listens. Attack: the file is root's, but only because its owner was changed after another user
    /// had bound it.
    private static func checkPeer(
        of connection: CInt, _ path: String, trusted: Set<UInt32>
    ) throws(ReceiverFailure) {
        var peer = peer_credentials()
        let error = peer_credentials(connection, &peer)
        guard error == 0 else { throw .connecting(to: path, error: error) }
        guard trusted.contains(peer.uid) else { throw .untrusted("user \(peer.uid) listens at \(path)", peer.uid) }
    }
}

extension ReceiverFailure {
    fileprivate static func untrusted(_ what: String, _ uid: UInt32) -> ReceiverFailure {
        ReceiverFailure(
            .notPermitted,
            """
            \(what), who could state any place: if that is the receiver's program, set owner = \(uid) for this receiver
            """)
    }

    /// Returns the message for missing permissions. connect(2) needs write permission.
    static func socketNotPermitted(_ path: String, access: DeviceAccess?) -> String {
        guard let access else {
            return "not permitted to connect to \(path): the directories above it keep locationd's user out"
        }
        if access.groupMayWrite, access.group != "root" {
            return """
                not permitted to connect to \(path): add the user that locationd runs as to the group \(access.group) \
                (\(access))
                """
        }
        return """
            not permitted to connect to \(path): have the program that listens there give the socket to a group that \
            locationd's user is in (\(access))
            """
    }

    /// Returns the failure for a socket that could not be connected to. Its message says what to do.
    static func connecting(to path: String, error: CInt) -> ReceiverFailure {
        switch error {
        case ENOENT, ENOTDIR:
            ReceiverFailure(.missing, "\(path) is not there: is the program running that listens there?")
        case ECONNREFUSED:
            ReceiverFailure(.unreachable, "no program listens at \(path): start the one that should")
        case EAGAIN:
            ReceiverFailure(.busy, "too many connections wait at \(path): is the program stuck that listens there?")
        case EACCES, EPERM:
            ReceiverFailure(.notPermitted, socketNotPermitted(path, access: DeviceAccess(path: path)))
        case EPROTOTYPE:
            ReceiverFailure(.unusable, "\(path) is not a stream socket: have the program listen on one")
        default:
            ReceiverFailure(.unusable, "cannot connect to \(path): \(String(cString: strerror(error)))")
        }
    }
}
