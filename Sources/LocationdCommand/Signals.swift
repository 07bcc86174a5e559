internal import Glibc

/// The signals that steer the daemon, waited for on the main thread.
///
/// Not by Dispatch, which Swift's task pool and the lifecycle library stand on: once it has made a worker thread it wakes
/// up each second for ever, and a daemon that nobody asks for anything must not.
struct Signals {
    private var set = sigset_t()

    /// Keeps the signals for ``next()``. To be called before any thread is made: each inherits what is blocked.
    init(_ numbers: CInt...) {
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the next one, sigwait(3).
    mutating func next() -> CInt {
        var number: CInt = 0
        while sigwait(&set, &number) != 0 {}
        return number
    }
}
