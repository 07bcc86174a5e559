internal import Glibc

/// The messages that Dispatch sends to syslog.
package enum DispatchLog {
    /// Has it send none. To be called before it starts its first thread.
    ///
    /// Attack: a user reads in the journal where others are. Dispatch logs that it may not change the priority of a
    /// thread, and the journal stores the command line with each message: of `locationctl`, the coordinates of a region
    /// or a simulation.
    package static func disable() { setenv("LIBDISPATCH_LOG", "NO", 1) }
}
