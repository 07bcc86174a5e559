internal import Glibc

/// The messages that Dispatch sends to syslog.
package enum DispatchLog {
    /// Turns them off. To be called before Dispatch starts its first thread.
    ///
    /// Attack: a user reads in the journal where others are. Dispatch logs that it may not change the priority of a
    /// thread, and the journal stores the command line with each message: of `locationctl`, the coordinates of a region
    /// or a simulation.
    package static func disable() { setenv("LIBDISPATCH_LOG", "NO", 1) }
}
