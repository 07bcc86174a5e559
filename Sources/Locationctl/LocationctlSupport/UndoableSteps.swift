package import Glibc
internal import NIOConcurrencyHelpers

/// Steps that change the machine. If one of them fails, or the user interrupts, the steps so far are undone.
package final class UndoableSteps {
    /// The actions that undo the steps so far, in the order of the steps.
    private var undoing: [() async throws -> Void] = []
    private let isInterrupted = NIOLockedValueBox(false)

    package init() {}

    /// Carries out the steps. If one fails or the user interrupts, undoes the steps so far.
    package func run(_ steps: () async throws -> Void) async throws {
        let signals = await TrappedSignals.stream(of: [SIGINT, SIGTERM, SIGHUP])
        let watch = Task { [isInterrupted] in for await _ in signals { isInterrupted.withLockedValue { $0 = true } } }
        defer { watch.cancel() }
        do {
            try await steps()
        } catch {
            for step in undoing.reversed() {
                do { try await step() } catch {
                    let message = (error as? Failure)?.message ?? "\(error)"
                    Terminal.writeError("locationctl: what was done could not be undone: \(message)\n")
                }
            }
            throw error
        }
    }

    /// Throws if the user has interrupted.
    package func checkInterruption() throws(Failure) {
        if isInterrupted.withLockedValue({ $0 }) { throw Failure(.failed, "interrupted: what was done is undone") }
    }

    /// Adds an action that undoes the next step.
    package func undo(by action: @escaping () async throws -> Void) { undoing.append(action) }

    /// Writes a file. Makes its folder, with the mode given whatever the umask is, if it does not exist.
    package func write(
        _ text: String, to name: String, in folder: String, mode: mode_t = 0o644, folderMode: mode_t = 0o755
    ) throws(Failure) {
        if mkdir(folder, folderMode) == 0 {
            chmod(folder, folderMode)
            undoing.append { rmdir(folder) }
        } else if errno != EEXIST {
            throw Failure(.failed, "cannot create \(folder): \(String(cString: strerror(errno)))")
        }
        let file = "\(folder)/\(name)"
        let former = try? SmallFile.read(file)
        try AtomicFile.write(text, to: file, mode: mode)
        undoing.append {
            if let former { return try AtomicFile.write(former, to: file, mode: mode) }
            guard unlink(file) == 0 || errno == ENOENT else {
                throw Failure(.failed, "cannot remove \(file): \(String(cString: strerror(errno)))")
            }
        }
        try Terminal.writeOutput("\(file) was written.\n")
        try checkInterruption()
    }

    /// Enables and starts a unit. Returns whether it was enabled before.
    @discardableResult
    package func enable(_ unit: String) throws(Failure) -> Bool {
        let wasEnabled = ChildProcess.run("systemctl", ["is-enabled", "--quiet", unit])?.status == 0
        if !wasEnabled {
            undoing.append { _ = ChildProcess.run("systemctl", ["disable", "--now", unit]) }
        }
        try Self.systemctl("enable", "--now", unit)
        try checkInterruption()
        return wasEnabled
    }

    /// Runs systemctl(1), and throws an error with its reason if that fails.
    package static func systemctl(_ arguments: String...) throws(Failure) {
        let result = ChildProcess.run("systemctl", arguments)
        guard let result, result.status == 0 else {
            let reason = result?.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw Failure(.failed, "`systemctl \(arguments.joined(separator: " "))` failed\(reason)")
        }
    }
}
