internal import LocationModel

/// One location on its way to everybody who may have it.
///
/// An object: a front encodes it once for all who get the same.
package final class Publication {
    let location: Location
    /// Full for a receiver's fix, reduced for a location of the reducer's.
    let accuracy: AccuracyAuthorization

    init(_ location: Location, accuracy: AccuracyAuthorization = .full) {
        self.location = location
        self.accuracy = accuracy
    }
}
