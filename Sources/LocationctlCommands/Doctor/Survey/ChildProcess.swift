internal import FoundationEssentials
internal import Glibc

/// Programs that are run for their output.
enum ChildProcess {
    struct Result {
        var status: CInt
        var output: String
        var errors: String
    }

    /// POSIX_SPAWN_SETSID of spawn.h, a macro that Swift does not see.
    private static let newSession: CInt = 0x80

    /// Runs a program to its end and returns its output, or `nil` if the program cannot be started or was ended by a
    /// signal. A name without a slash is looked up in PATH.
    ///
    /// - Parameter user: A user with fewer rights as whom the program runs, for root alone; `nil` for the caller.
    ///   Attack: the program types commands into root's terminal, TIOCSTI of ioctl_tty(2). In a session of its own, it
    ///   has none.
    static func run(_ program: String, _ arguments: [String], as user: String? = nil) -> Result? {
        guard let user else { return spawn(program, arguments) }
        return spawn("runuser", ["-u", user, "--", program] + arguments, flags: newSession)
    }

    private static func spawn(_ program: String, _ arguments: [String], flags: CInt = 0) -> Result? {
        // Files rather than pipes: of two pipes, the one that is not being read can fill up.
        guard let output = temporaryFile(), let errors = temporaryFile() else { return nil }
        defer {
            close(output)
            close(errors)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, CShort(flags))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, program, &actions, &attributes, &words, environ) == 0 else { return nil }
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return nil } }
        guard status & 0x7f == 0 else { return nil }
        return Result(status: status >> 8 & 0xff, output: contents(output), errors: contents(errors))
    }

    /// Opens a file without a name, which disappears when the descriptor is closed.
    private static func temporaryFile() -> CInt? {
        var template = Array("/tmp/locationctl-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        return descriptor
    }

    private static func contents(_ descriptor: CInt) -> String {
        lseek(descriptor, 0, SEEK_SET)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
