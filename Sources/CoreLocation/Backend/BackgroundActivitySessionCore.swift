/// The implementation of a `CLBackgroundActivitySession`. The session invalidates it on deinit.
package protocol BackgroundActivitySessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic>
}
