internal import NIOConcurrencyHelpers

/// Whether there is a compass, as far as is known: the daemon tells only those who ask it for headings.
final class AppHeadings: Sendable {
    private let isMissed = NIOLockedValueBox(false)

    /// A Boolean value indicating whether the last who asked for headings got any, or nobody has asked.
    var isAvailable: Bool { !isMissed.withLockedValue(\.self) }

    func found(_ isFound: Bool) {
        isMissed.withLockedValue { $0 = !isFound }
    }
}
