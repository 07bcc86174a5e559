internal import Glibc

/// The signals that control the daemon, received on the main thread.
///
/// This uses neither Dispatch nor Swift's task pool, which depends on it: once Dispatch has created a worker thread, it
/// wakes up every second until the process ends. An idle daemon must not do that.
package struct Signals {
    private var set = sigset_t()

    /// Blocks the signals, which ``next()`` receives. To be called before any thread is created, because a thread
    /// inherits the set of blocked signals.
    package init(_ numbers: CInt...) {
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the next signal, as in sigwait(3), and returns its number.
    package mutating func next() -> CInt {
        var number: CInt = 0
        while sigwait(&set, &number) != 0 {}
        return number
    }
}
