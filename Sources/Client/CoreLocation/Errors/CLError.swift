import Foundation

/// A failure that is reported to a delegate or thrown by a call.
///
/// ```swift
/// do {
///     try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "navigation")
/// } catch CLError.promptDeclined {
///     print("was not prompted")
/// }
/// ```
///
/// A `CLError` can be cast to `NSError`, and an `NSError` with the domain ``kCLErrorDomain`` and one of the codes to
/// `CLError`. `catch CLError.denied` matches both.
public struct CLError: CustomNSError, Hashable, Error, CustomStringConvertible {
    /// The reason for the failure.
    public let code: Code
    private let info: UserInfo

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The reason for the failure.
    ///   - userInfo: Details of the failure, like the user info of an `NSError`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        info = UserInfo(values: userInfo)
    }

    /// The error domain, `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }

    /// The user info that was passed to the initializer.
    public var userInfo: [String: Any] { info.values }

    /// The user info of the error as an `NSError`. It includes the fault and, in the description, its remedy.
    public var errorUserInfo: [String: Any] {
        let texts: [String: Any] = [
            NSLocalizedDescriptionKey: code.explanation.text,
            // The text in the description of an `NSError`.
            NSLocalizedFailureReasonErrorKey: code.explanation.fault,
        ]
        return texts.merging(userInfo) { $1 }
    }

    /// A region that could be monitored instead of the failed one, or `nil` if there is none.
    public var alternateRegion: CLRegion? { userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }

    /// The fault and its remedy, or the text that was passed to the initializer in the user info.
    public var localizedDescription: String { (self as NSError).localizedDescription }

    /// The domain, the code and the localized description.
    public var description: String {
        "Error Domain=\(kCLErrorDomain) Code=\(errorCode) \"\(localizedDescription)\""
    }

    /// Returns whether the codes and the user infos are equal.
    public static func == (a: CLError, b: CLError) -> Bool {
        a.code == b.code && (a.userInfo as NSDictionary).isEqual(b.userInfo as NSDictionary)
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    /// The user info. It is immutable, and its values are of the kinds permitted in an `NSError`, which is passed
    /// between threads as well.
    private struct UserInfo: @unchecked Sendable {
        let values: [String: Any]
    }
}
