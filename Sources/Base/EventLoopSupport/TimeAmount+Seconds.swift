package import NIOCore

extension NIODeadline {
    /// The time in seconds, by CLOCK_MONOTONIC, which cannot be set.
    package var seconds: Double { Double(uptimeNanoseconds) / 1e9 }
}

extension TimeAmount {
    /// The longest time that `clamping(seconds:)` returns, in seconds: a hundred years.
    package static let longestSeconds = 100 * 365.0 * 86_400

    /// Returns `seconds`, which may have a fraction, limited to a hundred years in either direction. NaN becomes zero.
    ///
    /// Attack: a caller requests 1e300 seconds. `Int64(_:)` of a Double outside its range ends the process.
    package static func clamping(seconds: Double) -> TimeAmount {
        guard !seconds.isNaN else { return .zero }
        return .nanoseconds(Int64((min(longestSeconds, max(-longestSeconds, seconds)) * 1e9).rounded(.up)))
    }
}
