package import LocationModel
internal import Positioning
package import Receivers

/// One location on its way to every app that may have it and, for apps with full accuracy, the receiver's report on its
/// epoch.
///
/// Attack: satellites, dilutions and sentences reveal the place as the location does. An app with reduced accuracy, or
/// without a grant, that read any of them would need no location. So a front gets a publication only as ``Counted``,
/// and a reduced one has no report.
///
/// A class, so that a front can encode it once for all its recipients.
package final class Publication {
    fileprivate let fix: Fix
    /// The part of the location that most subscriptions decide by.
    let position: TimedPosition
    /// Full for a fix, reduced for a location of the reducer.
    let accuracy: AccuracyAuthorization
    /// The receiver's report on the epoch of the fix, or `nil` if no subscription wants it.
    let report: ReceiverUpdate?

    /// Creates the publication of a fix, with full accuracy.
    init(_ fix: Fix, report: ReceiverUpdate? = nil) {
        self.fix = fix
        position = TimedPosition(fix.location)
        self.report = report
        accuracy = .full
    }

    /// Creates the publication of a remembered place, for apps with full accuracy.
    ///
    /// - Parameter isProvisional: A Boolean value indicating whether a receiver may still find a fix.
    init(remembered location: Location, isProvisional: Bool) {
        fix = Fix(location: location, dating: .arrival)
        position = TimedPosition(location, isProvisional: isProvisional)
        report = nil
        accuracy = .full
    }

    /// Creates the publication of a location of the reducer.
    init(reduced location: Location) {
        fix = Fix(location: location)
        position = TimedPosition(location)
        report = nil
        accuracy = .reduced
    }

    var location: Location { fix.location }
}

extension Counted<Publication> {
    /// The location for the app.
    package var location: Location { value.fix.location }
    /// The fix with the location. Reading the location from there does not copy it.
    package var fix: Fix { value.fix }
    /// The accuracy of the location.
    package var accuracy: AccuracyAuthorization { value.accuracy }
    /// The receiver's report on the same epoch, or `nil` if there is none or no subscription wants it.
    package var report: ReceiverUpdate? { value.report }
}
