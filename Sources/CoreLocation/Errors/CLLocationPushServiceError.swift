import Foundation

/// Why there are no pushes that ask for the location. On Linux there is no such service.
public struct CLLocationPushServiceError: CustomNSError, Hashable, Error {
    /// Why there are none.
    @nonexhaustive
    public enum Code: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// The app has no extension for them.
        case missingPushExtension = 1
        /// The app is in no environment of a push server.
        case missingPushServerEnvironment = 2
        /// The app lacks the entitlement.
        case missingEntitlement = 3
        /// The platform has none.
        case unsupportedPlatform = 4

        /// Returns whether `error` is of this code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == errorDomain && error.code == code.rawValue
        }
    }

    /// Why there are none.
    public let code: Code

    /// An error of that code.
    public init(_ code: Code) {
        self.code = code
    }

    /// `CLLocationPushServiceErrorDomain`.
    public static var errorDomain: String { "CLLocationPushServiceErrorDomain" }

    /// The code's raw value.
    public var errorCode: Int { code.rawValue }

    /// Unknown.
    public static var unknown: Code { .unknown }
    /// The app has no extension for them.
    public static var missingPushExtension: Code { .missingPushExtension }
    /// The app is in no environment of a push server.
    public static var missingPushServerEnvironment: Code { .missingPushServerEnvironment }
    /// The app lacks the entitlement.
    public static var missingEntitlement: Code { .missingEntitlement }
    /// The platform has none.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
}
