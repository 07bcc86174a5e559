package import LocationModel

/// One location on its way to every app that may have it.
///
/// A class, so that a front can encode it once for all who get the same location.
package final class Publication {
    let location: Location
    /// Full for a fix, reduced for a location of the reducer.
    package let accuracy: AccuracyAuthorization
    /// The receiver's report on the epoch of the fix, or `nil` if nobody wants it.
    let report: ReceiverReport?

    init(_ location: Location, accuracy: AccuracyAuthorization = .full, report: ReceiverReport? = nil) {
        self.location = location
        self.accuracy = accuracy
        self.report = report
    }
}
