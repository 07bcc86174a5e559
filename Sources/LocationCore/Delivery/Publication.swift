internal import LocationModel

/// One location on its way to every app that may have it.
///
/// A class, so that a front can encode it once for all who get the same location.
package final class Publication {
    let location: Location
    /// Full for a fix, reduced for a location of the reducer.
    let accuracy: AccuracyAuthorization

    init(_ location: Location, accuracy: AccuracyAuthorization = .full) {
        self.location = location
        self.accuracy = accuracy
    }
}
