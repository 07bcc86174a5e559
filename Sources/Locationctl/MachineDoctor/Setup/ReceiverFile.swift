internal import AuthorizationPolicy
internal import Devices
internal import Glibc
package import LocationctlSupport

/// The configuration file for a receiver from `locationctl setup` or another command.
package struct ReceiverFile {
    private let name: String
    private let heading: String
    private let configuration: String
    private var folder: String { configuration + "/conf.d" }
    private var path: String { "\(folder)/\(name)" }
    /// The sources in the other configuration files.
    private let others: ConfiguredSources
    /// The text of the file before it was written; `nil` if there was no file.
    private let previous: String?
    private var hasWritten = false
    private var hasMadeFolder = false

    /// The source in the file, or `nil` if there is no such file or the command did not write it.
    let current: String?

    /// Reads the present files.
    ///
    /// - Parameters:
    ///   - folder: The folder of the daemon's configuration.
    ///   - root: The folder of the machine's files, including the files of other packages.
    ///   - name: The name of the file.
    ///   - heading: The first words of the file: a comment that identifies the command's own file.
    package init(
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
    package func check() throws(Failure) {
        do {
            try AtomicFile.check(access(folder, F_OK) == 0 ? path : folder)
        } catch {
            throw Failure(.failed, error.message + (geteuid() == 0 ? "" : ": use sudo"))
        }
        // A file from another author is not replaced.
        guard access(path, F_OK) != 0 || previous?.hasPrefix(heading) == true else {
            throw Failure(.failed, "\(path) was not written by this command: give it another name, then run this again")
        }
    }

    /// Writes the file, unless another file names the receiver already. Returns the file that names it.
    ///
    /// - Parameter isAsked: `true` for a receiver that is asked who it is.
    package mutating func write(
        _ source: String, isAsked: Bool = false
    ) throws(Failure) -> (path: String, isOther: Bool) {
        if let other = others.file(of: source) { return (other, true) }
        if mkdir(folder, 0o755) == 0 {
            hasMadeFolder = true
        } else if errno != EEXIST {
            throw Failure(.failed, "cannot create \(folder): \(String(cString: strerror(errno)))")
        }
        hasWritten = true
        try AtomicFile.write(text(source) + (isAsked ? "profile = \"auto\"\n" : ""), to: path)
        return (path, false)
    }

    /// Undoes `write(_:)`. Returns whether that had written anything.
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
        // A named receiver turns off the search for others, unless the configuration says otherwise.
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
