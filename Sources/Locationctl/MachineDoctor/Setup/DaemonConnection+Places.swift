internal import Glibc
internal import LocationProtocol
package import LocationctlSupport
internal import Varlink

extension DaemonConnection {
    private static let heading = "# By `locationctl setup --places` or `--no-places`, which replaces this file."

    /// Has the daemon remember places, or not: writes a file beside its configuration, and has the daemon read it.
    ///
    /// - Parameter folder: The folder of the daemon's configuration.
    package func rememberPlaces(_ isWanted: Bool, folder: String) async throws {
        let path = "\(folder)/conf.d/20-places.toml"
        if mkdir("\(folder)/conf.d", 0o755) < 0, errno != EEXIST {
            let reason = String(cString: strerror(errno)) + (geteuid() == 0 ? "" : ": use sudo")
            throw Failure(.failed, "cannot create \(folder)/conf.d: \(reason)")
        }
        guard (try? SmallFile.read(path))?.hasPrefix(Self.heading) ?? true else {
            throw Failure(.failed, "\(path) was not written by this command: give it another name, then run this again")
        }
        try AtomicFile.write("\(Self.heading)\n[surroundings]\nplaces = \(isWanted)\n", to: path)
        try await reload()
        let refusal = Failure(
            .failed,
            "\(path) was written, but locationd does not follow it: another file below \(folder) may say otherwise, or "
                + "`sudo locationctl doctor` says what is wrong")
        try await within(Self.reloadTimeout, orThrow: refusal) {
            while try await (call(GetRememberedPlaces.self, Nothing()).count != nil) != isWanted {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}
