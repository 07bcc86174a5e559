internal import LocationModel

/// Finds receivers that report different places at the same time.
///
/// Attack: a transmitter draws a receiver away, as slowly as a vehicle moves. A second receiver, with another antenna
/// or for other satellites, does not follow it, or not in the same way.
struct ReceiverAgreement {
    /// The number of contradicting comparisons in a row that change the judgement about two receivers.
    static let settlingComparisons = 5
    /// The greatest age of the other receiver's fix in a comparison, in seconds.
    static let greatestAge = 3.0
    /// The time without a fix after which a receiver is removed, in seconds.
    static let memory = 30.0
    /// The speed of a receiver that does not report one, in metres per second.
    private static let assumedSpeed = 100.0

    private struct Fix {
        let receiver: Int
        var place: Movement.Place
        var time: Double
    }

    private struct Pair {
        let first: Int
        let second: Int
        var isAtOdds = false
        /// The number of comparisons in a row that contradict the judgement.
        var contradictions = 0

        func contains(_ receiver: Int) -> Bool { first == receiver || second == receiver }
    }

    private var fixes: [Fix] = []
    private var pairs: [Pair] = []

    /// Returns whether a receiver disagrees with another one.
    func isAtOdds(_ receiver: Int) -> Bool { pairs.contains { $0.isAtOdds && $0.contains(receiver) } }

    /// Compares the place of a fix with the last places of other receivers.
    mutating func compare(_ place: Movement.Place, of receiver: Int, at now: Double) {
        for old in fixes where old.receiver != receiver {
            let age = now - old.time
            guard age <= Self.memory else {
                forget(old.receiver)
                continue
            }
            if age <= Self.greatestAge { record(isApart(place, old.place, seconds: age + 1), receiver, old.receiver) }
        }
        if let index = fixes.firstIndex(where: { $0.receiver == receiver }) {
            (fixes[index].place, fixes[index].time) = (place, now)
        } else {
            fixes.append(Fix(receiver: receiver, place: place, time: now))
        }
    }

    /// Removes a receiver.
    mutating func forget(_ receiver: Int) {
        fixes.removeAll { $0.receiver == receiver }
        pairs.removeAll { $0.contains(receiver) }
    }

    private func isApart(_ a: Movement.Place, _ b: Movement.Place, seconds: Double) -> Bool {
        let speed = max(a.speed ?? Self.assumedSpeed, b.speed ?? Self.assumedSpeed)
        return a.isFarther(than: Movement.errors(a, b) + speed * seconds, from: b)
    }

    private mutating func record(_ isApart: Bool, _ a: Int, _ b: Int) {
        let index =
            pairs.firstIndex { $0.contains(a) && $0.contains(b) }
            ?? {
                pairs.append(Pair(first: a, second: b))
                return pairs.count - 1
            }()
        guard pairs[index].isAtOdds != isApart else {
            pairs[index].contradictions = 0
            return
        }
        pairs[index].contradictions += 1
        guard pairs[index].contradictions >= Self.settlingComparisons else { return }
        (pairs[index].isAtOdds, pairs[index].contradictions) = (isApart, 0)
    }
}
