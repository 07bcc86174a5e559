/// The backend that serves new managers, streams and sessions.
package enum Backend {
    /// The backend of the current task. It is task-local so that tests with different scripts can run at the same
    /// time.
    @TaskLocal package static var current: any LocationBackend = makeDaemonBackend()
}
