internal import FoundationEssentials
package import Glibc

/// Other programs that this one runs.
package enum ChildProcess {
    package struct Result {
        package var status: CInt
        package var output: String
        package var errors: String
    }

    /// POSIX_SPAWN_SETSID of spawn.h, a macro that Swift does not see.
    private static let newSession: CInt = 0x80

    /// Runs a program to its end and returns its output, or `nil` if it cannot be started or a signal ended it. A name
    /// without a slash is looked up in PATH.
    ///
    /// - Parameter user: The less privileged user to run the program as, which only root can do; `nil` for the caller.
    ///   Attack: the program types commands into root's terminal, TIOCSTI of ioctl_tty(2). So it gets a session of its
    ///   own, without a terminal.
    package static func run(_ program: String, _ arguments: [String], as user: String? = nil) -> Result? {
        guard let user else { return spawn(program, arguments) }
        return spawn("runuser", ["-u", user, "--", program] + arguments, flags: newSession)
    }

    private static func spawn(_ program: String, _ arguments: [String], flags: CInt = 0) -> Result? {
        // Files rather than pipes: while one of two pipes is being read, the other can fill up.
        guard let output = temporaryFile(), let errors = temporaryFile() else { return nil }
        defer {
            close(output)
            close(errors)
        }
        let descriptors: KeyValuePairs = [STDOUT_FILENO: output, STDERR_FILENO: errors]
        guard let pid = start([program] + arguments, inheritsInput: false, descriptors, flags: flags) else {
            return nil
        }
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return nil } }
        guard status & 0x7f == 0 else { return nil }
        return Result(status: status >> 8 & 0xff, output: contents(output), errors: contents(errors))
    }

    /// Starts a program, and returns its process, or `nil` if it cannot be started. A name without a slash is looked up
    /// in PATH.
    ///
    /// - Parameters:
    ///   - inheritsInput: A Boolean value indicating whether the program has the caller's standard input, instead of
    ///     /dev/null.
    ///   - descriptors: The program's other descriptors, in the order they are duplicated: the new number and the
    ///     original descriptor.
    ///   - flags: The flags of posix_spawnattr_setflags(3). With the flags for signals, no signal is blocked or
    ///     ignored.
    package static func start(
        _ command: [String], inheritsInput: Bool, _ descriptors: KeyValuePairs<CInt, CInt>, flags: CInt = 0
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if !inheritsInput { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0) }
        for (number, original) in descriptors { posix_spawn_file_actions_adddup2(&actions, original, number) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, CShort(flags))
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        return posix_spawnp(&process, command[0], &actions, &attributes, &words, environ) == 0 ? process : nil
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
