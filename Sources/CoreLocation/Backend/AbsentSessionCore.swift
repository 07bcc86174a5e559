/// A session on a machine without a location service.
final class AbsentSessionCore: ServiceSessionCore, BackgroundActivitySessionCore {
    func invalidate() {}
    func diagnostics() -> any EventSource<CLServiceSession.Diagnostic> { EmptySource() }
    func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic> { EmptySource() }
}
