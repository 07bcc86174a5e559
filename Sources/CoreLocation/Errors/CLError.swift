import Foundation

/// A failure that is reported to a delegate or thrown by a call.
///
/// ```swift
/// do {
///     try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "navigation")
/// } catch CLError.promptDeclined {
///     print("was not asked")
/// }
/// ```
///
/// On Linux, a cast does not turn an `NSError` into a `CLError`, and `as?` does not turn a `CLError` into an
/// `NSError`. `as NSError` does the latter, and `catch CLError.denied` matches both.
public struct CLError: CustomNSError, Hashable, Error {
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

    /// The user info of the error as an `NSError`, which includes the same description as Apple's.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: "The operation couldn’t be completed. (\(kCLErrorDomain) error \(errorCode).)"]
            .merging(userInfo) { $1 }
    }

    /// A region that could be monitored instead of the one that failed, or `nil` if there is none.
    public var alternateRegion: CLRegion? { userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }

    /// The description of the error as an `NSError`.
    public var localizedDescription: String { (self as NSError).localizedDescription }

    /// Returns whether the codes and the user infos are equal.
    public static func == (a: CLError, b: CLError) -> Bool {
        a.code == b.code && (a.userInfo as NSDictionary).isEqual(b.userInfo as NSDictionary)
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    /// The user info. It is immutable, and its values are those that an `NSError` may hold, which is passed between
    /// threads as well.
    private struct UserInfo: @unchecked Sendable {
        let values: [String: Any]
    }
}
