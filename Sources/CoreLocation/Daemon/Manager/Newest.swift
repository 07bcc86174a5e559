internal import LocationClient
internal import NIOConcurrencyHelpers

/// The newest location and heading of a manager. May be used from any thread.
final class Newest: Sendable {
    private struct Values {
        var location: CLLocation?
        var heading: Heading?
    }

    private let values = NIOLockedValueBox(Values())

    var location: CLLocation? {
        get { values.withLockedValue(\.location) }
        set { values.withLockedValue { $0.location = newValue } }
    }

    var heading: Heading? {
        get { values.withLockedValue(\.heading) }
        set { values.withLockedValue { $0.heading = newValue } }
    }
}
