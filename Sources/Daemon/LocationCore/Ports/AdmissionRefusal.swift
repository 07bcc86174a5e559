/// The reason why a client is refused before any of its calls is handled.
package enum AdmissionRefusal: Error, Equatable {
    /// The client's app cannot be identified, or may not connect.
    case permissionDenied
    /// The limit of this name is reached.
    case limitExceeded(String)
}
