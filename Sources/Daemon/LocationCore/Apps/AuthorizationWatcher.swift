package import LocationModel

/// Calls back each time the authorization of an app changes.
package final class AuthorizationWatcher {
    private let onChange: (Authorization) -> Void
    private var last: Authorization

    /// - Parameter authorization: The app's current authorization.
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
