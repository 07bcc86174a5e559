package import LocationModel

/// Is told what an app may have, whenever that has changed.
package final class AuthorizationWatcher {
    private let onChange: (Authorization) -> Void
    private var last: Authorization

    /// - Parameter authorization: What the app may have now.
    package init(_ authorization: Authorization, onChange: @escaping (Authorization) -> Void) {
        last = authorization
        self.onChange = onChange
    }

    func report(_ authorization: Authorization) {
        guard authorization != last else { return }
        last = authorization
        onChange(authorization)
    }
}
