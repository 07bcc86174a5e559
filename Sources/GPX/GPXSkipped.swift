/// Counts of the parts of a GPX file that were skipped as unreadable.
package struct GPXSkipped: Sendable, Equatable {
    /// Points whose latitude or longitude is missing, not a number or out of range. Some apps mark pauses with a
    /// latitude of 100.
    package var points: UInt64 = 0
    /// Elevations, speeds and numbers of satellites that are not numbers or out of range, and empty times.
    package var values: UInt64 = 0
    /// The first of these points and values, for messages.
    package var first: GPXFailure?

    /// Creates counts of nothing.
    package init() {}
}
