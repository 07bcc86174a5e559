internal import LocationProtocol

/// The fixes per second of each receiver, from the number of its fixes in successive lists.
struct FixRates: Equatable {
    /// The period for counting fixes, in seconds.
    private static let span = 10.0

    private struct Count: Equatable {
        var time: Double
        var fixes: Int
    }

    private var counts: [String: [Count]] = [:]

    /// Adds a list of the receivers.
    mutating func add(_ receivers: [ReceiverSummary], at time: Double) {
        var next: [String: [Count]] = [:]
        for receiver in receivers where receiver.state == .running {
            guard let fixes = receiver.fixes else { continue }
            // A restarted daemon counts from 0.
            var known = (counts[receiver.name] ?? []).filter { $0.fixes <= fixes }
            known.append(Count(time: time, fixes: fixes))
            while known.count > 2, time - known[1].time >= Self.span { known.removeFirst() }
            next[receiver.name] = known
        }
        counts = next
    }

    /// Returns the fixes per second of a receiver, or `nil` if it has not been observed for two seconds.
    func rate(of receiver: String) -> Double? {
        guard let known = counts[receiver], let first = known.first, let last = known.last,
            last.time - first.time >= 2
        else { return nil }
        return Double(last.fixes - first.fixes) / (last.time - first.time)
    }
}
