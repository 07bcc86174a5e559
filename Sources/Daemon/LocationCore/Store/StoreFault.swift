internal import GRDB

/// The fault of a database, which determines what happens to the file.
enum StoreFault {
    /// The content is bad. The file is set aside, and a new one takes its place.
    case damaged
    /// The file was made by a newer version of the schema.
    case newer
    /// Another process has locked the file.
    case locked
    /// The disk is full.
    case full
    /// A permission is missing, or the file system is mounted read-only.
    case forbidden
    /// The disk has failed, or anything else has.
    case other

    init(_ error: any Error) {
        switch error {
        case Store.Refusal.damage: self = .damaged
        case Store.Refusal.newer: self = .newer
        case let error as DatabaseError:
            self =
                switch error.resultCode.primaryResultCode {
                case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR: .damaged
                case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: .locked
                // SQLite reports a lack of room for its shared-memory file as a failing disk.
                case .SQLITE_FULL: .full
                case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .full
                case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: .forbidden
                default: .other
                }
        default: self = .other
        }
    }

    /// Returns the problem with a file that is left alone, and what to do about it.
    func notice(_ path: String, _ error: any Error) -> String {
        let problem = "the database \(path) cannot be opened (\(error)), so nothing is granted"
        return switch self {
        case .newer:
            "the database \(path) was made by a newer version of locationd, so nothing is granted and nothing written: "
                + "install that version again, or move the file away to start with a new one"
        case .locked: "\(problem): end the process that has locked it, then start locationd again"
        case .full: "\(problem): free space on the disk, then start locationd again"
        case .forbidden:
            "\(problem): let the user that locationd runs as read and write it and its folder, then start locationd again"
        case .damaged, .other: "\(problem): fix that, then start locationd again"
        }
    }

    /// Returns the problem with a file that can only be read, and what to do about it.
    func readOnlyNotice(_ path: String, _ error: any Error) -> String {
        let problem =
            "the database \(path) can be read but not written (\(error)), so new decisions are lost on restart"
        return switch self {
        case .locked: "\(problem): end the process that has locked it"
        case .full: "\(problem): free space on the disk"
        default: "\(problem): let the user that locationd runs as write it and its folder, then start locationd again"
        }
    }
}
