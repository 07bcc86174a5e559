package import Foundation

extension POSIXError {
    /// The error for the current errno.
    package static var last: POSIXError { POSIXError(number: errno) }

    /// Creates the error for an errno.
    init(number: CInt) { self.init(POSIXErrorCode(rawValue: number) ?? .EIO) }
}
