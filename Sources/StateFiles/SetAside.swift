internal import Glibc

/// Renames the database and its accompanying files to unused names. Returns the new name of the main file.
package func setAside(database path: String, suffix: String) throws(DirectoryFailure) -> String {
    let parts = ["", "-wal", "-shm"]
    var aside = path + suffix
    var number = 1
    // The clock of a machine without a battery has the same time at each start.
    while parts.contains(where: { access(aside + $0, F_OK) == 0 }) {
        number += 1
        aside = "\(path)\(suffix)-\(number)"
    }
    for part in parts where access(path + part, F_OK) == 0 {
        guard rename(path + part, aside + part) == 0 else {
            throw DirectoryFailure("renaming \(path + part)", errno)
        }
    }
    return aside
}
