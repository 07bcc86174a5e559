import CBench
import Glibc

/// A process under measurement, as seen through proc(5). The process is terminated on deinit.
final class ChildProcess {
    let pid: pid_t
    private var hasEnded = false

    /// Runs a program with its output in a file.
    init(_ arguments: [String], log: String) throws {
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        pid = child_run(&pointers, log)
        guard pid > 0 else { throw Failure("fork", errno: -pid) }
    }

    init(pid: pid_t) throws {
        guard pid > 0 else { throw Failure("fork", errno: -pid) }
        self.pid = pid
    }

    deinit { end() }

    /// Terminates the process and waits for its end.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        kill(pid, SIGTERM)
        let deadline = monotonicNow() + 5_000_000_000
        while waitpid(pid, nil, WNOHANG) == 0 {
            if monotonicNow() > deadline { kill(pid, SIGKILL) }
            usleep(1000)
        }
    }

    /// A Boolean value indicating whether the process is still running.
    var isRunning: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo == 0
    }

    /// Returns the private memory of the process (RssAnon), in kB.
    func privateMemory() throws -> Int {
        try number("RssAnon:", in: contents("/proc/\(pid)/status"))
    }

    /// Returns how often each thread of the process has gone to sleep, which is about how often it was woken.
    func sleeps() throws -> [String: Int] {
        guard let tasks = opendir("/proc/\(pid)/task") else { throw Failure("opendir", errno: errno) }
        defer { closedir(tasks) }
        var sleeps: [String: Int] = [:]
        while let entry = readdir(tasks) {
            let thread = entry.name
            guard !thread.hasPrefix(".") else { continue }
            sleeps[thread] = try number(
                "voluntary_ctxt_switches:", in: contents("/proc/\(pid)/task/\(thread)/status"))
        }
        return sleeps
    }

    /// Returns how often the threads of the process were woken since `before`. A thread that has ended counts as
    /// woken once.
    func wakeUps(since before: [String: Int]) throws -> Int {
        let now = try sleeps()
        let ended = before.keys.filter { now[$0] == nil }.count
        return now.reduce(ended) { $0 + $1.value - before[$1.key, default: 0] }
    }

    private func number(_ key: String, in status: String) throws -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        guard let value = line?.split(whereSeparator: { " \t:".contains($0) }).dropFirst().first.flatMap({ Int($0) })
        else { throw Failure("no \(key) of process \(pid)") }
        return value
    }
}
