import Foundation

extension CLError {
    /// Creates the error that an `NSError` represents, with its code and its user info.
    ///
    /// - Parameter error: An error with the domain ``kCLErrorDomain`` and one of the codes of ``Code``. The program
    ///   ends if it has another domain or code. A cast with `as?` checks this.
    public init(_nsError error: NSError) {
        guard let bridged = CLError(error) else {
            preconditionFailure("Core Location has no error with the domain \(error.domain) and code \(error.code)")
        }
        self = bridged
    }

    /// The error as an `NSError`, with ``errorUserInfo``.
    public var _nsError: NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }

    /// Creates the error that an `NSError` represents, or returns `nil` if its domain or code is different.
    ///
    /// The texts that each `NSError` of this code has are left out, so that an error cast to `NSError` and back is
    /// equal to the original.
    private init?(_ error: NSError) {
        guard error.domain == Self.errorDomain, let code = Code(rawValue: error.code) else { return nil }
        let texts = CLError(code).errorUserInfo
        self.init(
            code,
            userInfo: error.userInfo.filter { key, value in
                guard let text = texts[key] as? String else { return true }
                return value as? String != text
            })
    }
}

// Makes `as?`, `as!`, `is` and `catch let error as CLError` convert between `NSError` and `CLError`.
extension CLError: _ObjectiveCBridgeable {
    /// The class of the errors that can be cast to this type.
    public typealias _ObjectiveCType = NSError

    /// Returns the error as an `NSError`.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Sets `result` to the error that `source` represents. The program ends if its domain or code is different.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) {
        result = CLError(_nsError: source)
    }

    /// Sets `result` to the error that `source` represents, or to `nil` if its domain or code is different. Returns
    /// whether there is a result.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) -> Bool {
        result = CLError(source)
        return result != nil
    }

    /// Returns the error that `source` represents. The program ends if there is none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CLError {
        guard let source else { preconditionFailure("Core Location has no error without an NSError") }
        return CLError(_nsError: source)
    }
}
