internal import GRDB
internal import StateFiles

/// The reason why the queue cannot be used. The description names the file and the remedy.
enum QueueFailure: Error, CustomStringConvertible {
    /// The contents were encrypted with another secret, or not at all, or need a secret that is missing.
    case otherKey(path: String, isEncrypted: Bool, hasSecret: Bool)
    /// The file was made by a newer version of this program: it is left alone.
    case otherVersion(path: String, version: Int)
    /// SQLite refused to open, read or write the file.
    case database(path: String, DatabaseError)
    /// The damaged file cannot be moved out of the way.
    case notSetAside(path: String, reason: String)
    /// Something else failed.
    case other(path: String, reason: String)

    init(_ error: any Error, path: String) {
        self =
            switch error {
            case let error as QueueFailure: error
            case let error as DatabaseError: .database(path: path, error)
            case let error as DirectoryFailure: .notSetAside(path: path, reason: error.description)
            default: .other(path: path, reason: "\(error)")
            }
    }

    /// A Boolean value indicating whether the file is damaged.
    var isDamage: Bool {
        guard case .database(_, let error) = self else { return false }
        return switch error.resultCode.primaryResultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR: true
        default: false
        }
    }

    var description: String {
        switch self {
        case .otherVersion(let path, let version):
            return "the queue \(path) has version \(version), which this version of locationd-publish does not know: "
                + "install the version that made it, or move the file away to begin with an empty queue"
        case .otherKey(path: let path, isEncrypted: true, hasSecret: true):
            return "the queue \(path) is encrypted under another key"
        case .otherKey(path: let path, isEncrypted: true, hasSecret: false):
            return
                "the queue \(path) is encrypted and there is no credential locationd-publish.queue-key: put it back, "
                + "or move the file away to begin a queue in the clear"
        case .otherKey(path: let path, isEncrypted: false, hasSecret: _):
            return "the queue \(path) is not encrypted, and there is a credential locationd-publish.queue-key"
        case .notSetAside(let path, let reason):
            return "the queue \(path) cannot be used or set aside (\(reason)): move it away"
        case .other(let path, let reason): return "the queue \(path) cannot be used: \(reason)"
        case .database(let path, let error):
            let remedy =
                switch error.resultCode.primaryResultCode {
                case .SQLITE_FULL: "free space on the disk"
                case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: "free space on the disk"
                case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: "end the process that has locked it"
                case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
                    "let the user that locationd-publish runs as write it and its folder"
                default: "check the disk"
                }
            // Without the statement's arguments, which contain locations.
            return "the queue \(path) cannot be used (\(error.message ?? error.resultCode.description)): \(remedy)"
        }
    }
}
