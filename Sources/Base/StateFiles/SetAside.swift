internal import Glibc

/// Renames the database and its accompanying files to unused names. Returns the new name of the main file.
package func setAside(database path: String, suffix: String) throws(DirectoryFailure) -> String {
    let parts = ["", "-wal", "-shm"]
    var aside = path + suffix
    var number = 1
    // A machine without a battery-backed clock has the same time at each start.
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

/// Deletes the files that ``setAside(database:suffix:)`` has made from a database with these suffixes, and numbered
/// ones.
package func removeSetAside(database path: String, suffixes: [String]) throws(DirectoryFailure) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    let prefixes = suffixes.map { (parts.last.map(String.init) ?? "") + $0 }
    guard let names = fileNames(in: folder.isEmpty ? "." : folder) else {
        throw DirectoryFailure("reading the folder \(folder)", errno)
    }
    for name in names where prefixes.contains(where: { name.utf8.starts(with: $0.utf8) }) {
        let path = (folder.isEmpty ? "" : folder + "/") + name
        guard unlink(path) == 0 || errno == ENOENT else { throw DirectoryFailure("deleting \(path)", errno) }
    }
}
