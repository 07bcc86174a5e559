package import NIOCore

extension TimeAmount {
    /// The longest time that `clamping(seconds:)` gives, in seconds: a hundred years.
    package static let longestSeconds = 100 * 365.0 * 86_400

    /// Returns a time in seconds, with fractions, as close to `seconds` as a time can be: at most a hundred years in either
    /// direction, and zero for NaN.
    ///
    /// Attack: a caller asks for 1e300 seconds. `Int64(_:)` of a Double that is out of its range ends the process.
    package static func clamping(seconds: Double) -> TimeAmount {
        guard !seconds.isNaN else { return .zero }
        return .nanoseconds(Int64((min(longestSeconds, max(-longestSeconds, seconds)) * 1e9).rounded(.up)))
    }
}
