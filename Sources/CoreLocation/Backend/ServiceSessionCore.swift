/// The implementation of a `CLServiceSession`. The session invalidates it on deinit.
package protocol ServiceSessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLServiceSession.Diagnostic>
}
