import Foundation

/// An app extension that handles location pushes. Linux has no service that sends them: nothing calls these methods,
/// and source code that has such an extension compiles.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
    /// Handles a push that requests the location. Never called on Linux.
    ///
    /// Has a default implementation, because an extension may implement an `async` method without `completion` instead.
    ///
    /// - Parameters:
    ///   - payload: The contents of the push.
    ///   - completion: A closure that the extension calls when it has handled the push.
    func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void)

    /// Handles the expiry of the extension's time for a push. Never called on Linux.
    func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
    /// Calls `completion`.
    public func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping () -> Void) {
        completion()
    }

    /// Does nothing.
    public func serviceExtensionWillTerminate() {}
}
