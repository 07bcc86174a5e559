internal import Devices
internal import Glibc
internal import LocationctlSupport
internal import NIOCore

/// The configuration file of `locationctl fixed-position`, which has the machine's position.
///
/// Attack: a program without a grant reads the position from the file. So only root and the daemon's group can read it.
struct FixedPositionFile {
    private static let daemonsGroup = "locationd"
    private static let start = "source = \"fixed:"

    private let folder: String
    /// The path of the file.
    var path: String { folder + "/place.toml" }

    init(folder: String) {
        self.folder = folder
    }

    func write(_ position: FixedPlace) throws(Failure) {
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw failure("create", folder) }
        let text = "# By `locationctl fixed-position`.\n[[receiver]]\n\(Self.start)\(position)\"\n"
        try AtomicFile.write(text, to: path, mode: 0o640, group: getgrnam(Self.daemonsGroup)?.pointee.gr_gid)
    }

    /// Removes the file. Returns whether there was one.
    func remove() throws(Failure) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw failure("remove", path) }
        return false
    }

    /// Returns the stated position, or `nil` if none is stated.
    func read() throws(Failure) -> FixedPlace? {
        var status = stat()
        guard stat(path, &status) == 0 || errno != ENOENT else { return nil }
        let text = try ChunkedInput(path: path).next().map { String(buffer: $0) } ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix(Self.start) && line.hasSuffix("\"") {
            if let position = try? FixedPlace(parsing: line.dropFirst(Self.start.count).dropLast()) { return position }
        }
        throw Failure(
            .failed, "\(path) states no position: write one with locationctl fixed-position, or edit the file")
    }

    private func failure(_ what: String, _ path: String) -> Failure {
        Failure(.failed, "cannot \(what) \(path): \(String(cString: strerror(errno)))")
    }
}
