/// Why a client is turned away before any of its calls is taken up.
package enum AdmissionRefusal: Error, Equatable {
    /// It cannot be told which app it is, or what it is may not connect.
    case permissionDenied
    /// There are as many connections as may be; the name of that limit.
    case limitExceeded(String)
}
