/// The time for a receiver's first fix, in UTC.
public struct AssistedTime: Sendable, Equatable {
    /// The year, such as 2026.
    public var year: Int
    /// 1...12.
    public var month: Int
    /// 1...31.
    public var day: Int
    /// 0...23.
    public var hour: Int
    /// 0...59.
    public var minute: Int
    /// 0...60.
    public var second: Int
    /// The greatest error, in seconds.
    public var accuracy: Int

    /// Creates a time.
    public init(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, accuracy: Int
    ) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second, self.accuracy) = (hour, minute, second, accuracy)
    }

    var fields: [Int] { [year, month, day, hour, minute, second] }
}
