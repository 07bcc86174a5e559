internal import NIOConcurrencyHelpers

/// The last known availability of a compass. The daemon reports it only to apps that request headings.
final class HeadingAvailability: Sendable {
    private let isMissed = NIOLockedValueBox(false)

    /// A Boolean value indicating whether the last subscription for headings received one rather than a failure.
    /// `true` before the first result.
    var isAvailable: Bool { !isMissed.withLockedValue(\.self) }

    func found(_ isFound: Bool) {
        isMissed.withLockedValue { $0 = !isFound }
    }
}
