import Foundation

/// What failed, as a delegate is told it or a call throws it.
///
/// ```swift
/// do {
///     try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "navigation")
/// } catch CLError.promptDeclined {
///     print("was not asked")
/// }
/// ```
///
/// On Linux a cast does not turn an `NSError` into a `CLError`, nor `as?` a `CLError` into an `NSError`; `as NSError`
/// does, and `catch CLError.denied` finds both.
public struct CLError: CustomNSError, Hashable, Error {
    /// What failed.
    public let code: Code
    private let info: UserInfo

    /// - Parameters:
    ///   - code: what failed.
    ///   - userInfo: as of an `NSError`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        info = UserInfo(values: userInfo)
    }

    /// `kCLErrorDomain`.
    public static var errorDomain: String { kCLErrorDomain }

    /// The code's raw value.
    public var errorCode: Int { code.rawValue }

    /// As given to the initializer.
    public var userInfo: [String: Any] { info.values }

    /// The user info that the error has as an `NSError`: with the description that Apple's has.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: "The operation couldn’t be completed. (\(kCLErrorDomain) error \(errorCode).)"]
            .merging(userInfo) { $1 }
    }

    /// A region that could be monitored instead of the one that failed.
    public var alternateRegion: CLRegion? { userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }

    /// As an `NSError`'s.
    public var localizedDescription: String { (self as NSError).localizedDescription }

    /// Returns whether code and user info are equal.
    public static func == (a: CLError, b: CLError) -> Bool {
        a.code == b.code && (a.userInfo as NSDictionary).isEqual(b.userInfo as NSDictionary)
    }

    /// Of the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    /// Not changed once it is made; its values are those that an `NSError` may hold, which is sent between threads too.
    private struct UserInfo: @unchecked Sendable {
        let values: [String: Any]
    }
}
