import CTestSupport
import Foundation
import NIOConcurrencyHelpers

/// Held while a program is started. Until its execve(2) it has copies of all of this process's descriptors.
private let start = NIOLock()

/// Closes a descriptor while no program that is being started has a copy of it. So when this function returns, the
/// kernel has finished closing the last descriptor of a socket.
package func closeEverywhere(_ descriptor: CInt, _ close: (CInt) -> Void = { _ = Glibc.close($0) }) {
    start.withLock { close(descriptor) }
}

/// The destination of one of a program's standard streams.
enum StandardStream {
    case nothing
    /// A new file for the program's output.
    case file(String)
    case descriptor(CInt)
}

/// Starts a program with posix_spawn(3) and returns its process id.
///
/// The program inherits only its three standard streams, and no blocked or ignored signals: the tests' threads block
/// signals, and SIGTERM would not end a program that inherits this. It leads a process group of its own.
func spawn(
    _ executable: String, _ arguments: [String], environment: [String: String], streams: [StandardStream]
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip(CInt(0)..., streams) {
        switch stream {
        case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
    }
    spawn_close_from(&actions, CInt(streams.count))

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var process: pid_t = 0
    let failure = withStrings([executable] + arguments) { arguments in
        withStrings(environment.map { "\($0)=\($1)" }) { environment in
            start.withLock { posix_spawn(&process, executable, &actions, &attributes, arguments, environment) }
        }
    }
    guard failure == 0 else { throw Overdue(what: "\(executable) to start: \(POSIXError(number: failure))") }
    return process
}

/// Calls `body` with the strings as a C array that ends with a null pointer.
private func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
