/// What stands behind a `CLBackgroundActivitySession`, which invalidates it when it goes.
protocol BackgroundActivitySessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic>
}
