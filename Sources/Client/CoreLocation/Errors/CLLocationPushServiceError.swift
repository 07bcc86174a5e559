import Foundation

/// The error domain of a `CLLocationPushServiceError` that is used as an `NSError`.
public let CLLocationPushServiceErrorDomain: String = "CLLocationPushServiceErrorDomain"

/// A failure of pushes that request the location. Linux has no service for them.
public struct CLLocationPushServiceError: CustomNSError, Hashable, Error {
    /// The reason for a failure.
    @nonexhaustive
    public enum Code: Int, Sendable {
        /// The reason is unknown.
        case unknown = 0
        /// The app has no extension that handles location pushes.
        case missingPushExtension = 1
        /// The app has no push server environment.
        case missingPushServerEnvironment = 2
        /// The app lacks the entitlement.
        case missingEntitlement = 3
        /// The platform does not support location pushes.
        case unsupportedPlatform = 4

        /// Returns whether `error` has the domain of this type and this code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == errorDomain && error.code == code.rawValue
        }
    }

    /// The reason for the failure.
    public let code: Code

    /// Creates an error with a code.
    public init(_ code: Code) {
        self.code = code
    }

    /// The error domain, `CLLocationPushServiceErrorDomain`.
    public static var errorDomain: String { CLLocationPushServiceErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }

    /// The error as an `NSError`.
    public var _nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }

    /// Creates the error that an `NSError` represents.
    ///
    /// - Parameter error: An error with the domain ``CLLocationPushServiceErrorDomain`` and one of the codes of
    ///   ``Code``. The program ends if it has another domain or code.
    public init(_nsError error: NSError) {
        guard error.domain == Self.errorDomain, let code = Code(rawValue: error.code) else {
            preconditionFailure("pushes have no error with the domain \(error.domain) and code \(error.code)")
        }
        self.code = code
    }

    /// The code ``Code/unknown``: the reason is unknown.
    public static var unknown: Code { .unknown }
    /// The code ``Code/missingPushExtension``: the app has no extension that handles location pushes.
    public static var missingPushExtension: Code { .missingPushExtension }
    /// The code ``Code/missingPushServerEnvironment``: the app has no push server environment.
    public static var missingPushServerEnvironment: Code { .missingPushServerEnvironment }
    /// The code ``Code/missingEntitlement``: the app lacks the entitlement.
    public static var missingEntitlement: Code { .missingEntitlement }
    /// The code ``Code/unsupportedPlatform``: the platform does not support location pushes.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
}
