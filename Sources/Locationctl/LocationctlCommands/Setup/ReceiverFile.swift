internal import AuthorizationPolicy
internal import Devices
internal import Glibc

/// The configuration file for the receiver that `locationctl setup`, or another command, names.
struct ReceiverFile {
    private let name: String
    private let heading: String
    private let configuration: String
    private var folder: String { configuration + "/conf.d" }
    private var path: String { "\(folder)/\(name)" }
    /// The sources that the other files of the configuration name.
    private let others: ConfiguredSources
    /// The text of the file before it was written; `nil` if there was no file.
    private let previous: String?
    private var hasWritten = false
    private var hasMadeFolder = false

    /// The source that the file names, or `nil` if there is no such file, or none that the command has written.
    let current: String?

    /// Reads what is there.
    ///
    /// - Parameters:
    ///   - folder: The folder of the daemon's configuration.
    ///   - root: The folder of the machine's files, for those of other packages.
    ///   - name: The name of the file.
    ///   - heading: Its first words, a comment that tells the command its own file.
    init(
        folder: String, _ root: SystemRoot, name: String = "10-receiver.toml",
        heading: String = "# By `locationctl setup`"
    ) {
        self.name = name
        self.heading = heading
        configuration = folder
        others = Survey.configuredSources(root, folder: folder) { $0 != name }
        previous = try? SmallFile.read("\(folder)/conf.d/\(name)")
        var own = ConfiguredSources()
        own.add(previous ?? "", file: "")
        current = own.receivers.first?.description
    }

    /// Throws if the file cannot be written, before the user is asked anything.
    func check() throws(Failure) {
        do {
            try AtomicFile.check(access(folder, F_OK) == 0 ? path : folder)
        } catch {
            throw Failure(.failed, error.message + (geteuid() == 0 ? "" : ": use sudo"))
        }
        // A file that somebody else has written is not replaced.
        guard access(path, F_OK) != 0 || previous?.hasPrefix(heading) == true else {
            throw Failure(.failed, "\(path) was not written by this command: give it another name, then run this again")
        }
    }

    /// Writes the file, unless another file names the receiver already. Returns the file that names it.
    mutating func write(_ source: String) throws(Failure) -> (path: String, isOther: Bool) {
        if let other = others.file(of: source) { return (other, true) }
        if mkdir(folder, 0o755) == 0 {
            hasMadeFolder = true
        } else if errno != EEXIST {
            throw Failure(.failed, "cannot create \(folder): \(String(cString: strerror(errno)))")
        }
        hasWritten = true
        try AtomicFile.write(text(source), to: path)
        return (path, false)
    }

    /// Makes the configuration as it was before `write(_:)`. Returns whether that had written anything.
    func restore() throws(Failure) -> Bool {
        guard hasWritten else { return false }
        if let previous {
            try AtomicFile.write(previous, to: path)
        } else if unlink(path) < 0, errno != ENOENT {
            throw Failure(.failed, "cannot remove \(path): \(String(cString: strerror(errno)))")
        }
        if hasMadeFolder { rmdir(folder) }
        return true
    }

    private func text(_ source: String) -> String {
        // A receiver that is named turns the search for others off, unless the configuration says otherwise.
        let discovery =
            others.statesDiscovery || !others.receivers.allSatisfy(\.isFixedPlace)
            ? "" : "# Receivers that are plugged in are found besides it.\ndiscover = true\n"
        return """
            \(heading), which replaces this file when it is run again.
            \(discovery)[[receiver]]
            source = \(TOMLSpelling.text(source))

            """
    }
}
