internal import Glibc

/// The machine's secret. It hides the borders of the cells of reduced positions, and is the key of row checksums.
package enum Secret {
    /// The length of the secret, in bytes.
    package static let length = 32

    /// The reason why there is no secret.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Reads the secret at `path`, or draws one if neither it nor `database` exists yet.
    ///
    /// Attack: a second secret would be a second grid, and the cells of two grids intersect in less than a cell. So a
    /// secret that cannot be read or is lost is never drawn again: no app gets anything until an administrator has
    /// intervened.
    package static func load(_ path: String, of database: String) throws(Failure) -> [UInt8] {
        if access(path, F_OK) != 0, errno == ENOENT {
            guard access(database, F_OK) != 0, errno == ENOENT else {
                throw Failure(
                    description: """
                        \(path) is missing, which \(database) was used with: put it back from a backup, or remove both \
                        if no app ever had the location with reduced accuracy, and start locationd again
                        """)
            }
            try draw(path)
        }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw failure(path, "cannot be read") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: length + 1)
        let count = read(file, &bytes, bytes.count)
        guard count == length else {
            throw Failure(
                description: """
                    \(path) is not \(length) bytes long: put it back from a backup, or remove it if no app ever had \
                    the location with reduced accuracy (each app has to be granted again then), and start locationd \
                    again
                    """)
        }
        return Array(bytes.prefix(length))
    }

    /// Writes a new secret to the disk, whole or not at all.
    private static func draw(_ path: String) throws(Failure) {
        // From getrandom(2).
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        // A power cut that undid this could make the next start draw another secret.
        do { try replaceFile(path, with: bytes) } catch {
            throw Failure(description: "\(error): fix that, then start locationd again")
        }
    }

    private static func failure(_ path: String, _ what: String) -> Failure {
        let reason = String(cString: strerror(errno))
        return Failure(description: "\(path) \(what) (\(reason)): fix that, then start locationd again")
    }
}
