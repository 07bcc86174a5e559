extension Int {
    /// Returns the digits of a number that is not negative, padded with zeros to `count` digits.
    package func padded(to count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
    }
}
