/// The waiting calls of one connection. They wait until it is identified, or until its user's turn.
///
/// They are handled in order of arrival. Clients rely on it: they set properties and start without waiting for the
/// replies.
struct CallQueue<Call> {
    /// The maximum number of waiting calls. A client sends about five at once.
    static var maximumCount: Int { 64 }
    /// The maximum size of the waiting calls, in bytes.
    static var maximumSize: Int { 32_768 }

    private var calls: [(call: Call, size: Int)] = []
    private var size = 0

    var isEmpty: Bool { calls.isEmpty }

    /// Appends a call of `size` bytes. Returns `false`, and drops it, if too many wait.
    mutating func append(_ call: Call, size: Int) -> Bool {
        guard calls.count < Self.maximumCount, self.size + size <= Self.maximumSize else { return false }
        calls.append((call, size))
        self.size += size
        return true
    }

    /// Removes and returns the call that has waited longest, or `nil` if none waits.
    mutating func popFirst() -> Call? {
        guard !calls.isEmpty else { return nil }
        let first = calls.removeFirst()
        size -= first.size
        return first.call
    }

    /// Removes and returns all calls.
    mutating func removeAll() -> [Call] {
        defer { (calls, size) = ([], 0) }
        return calls.map(\.call)
    }
}
