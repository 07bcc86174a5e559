/// What stands behind a `CLServiceSession`, which invalidates it when it goes.
protocol ServiceSessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLServiceSession.Diagnostic>
}
