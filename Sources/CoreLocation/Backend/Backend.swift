/// The backend that new managers, streams and sessions are made with.
enum Backend {
    /// Local to a task, so that tests with different scripts run at the same time.
    @TaskLocal static var current: any LocationBackend = DaemonBackend()
}
