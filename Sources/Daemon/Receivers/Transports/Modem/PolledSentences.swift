import NIOCore

/// The sentences that ModemManager has stored of a modem, requested repeatedly. Determines which are new, and when to
/// ask again.
///
/// ModemManager keeps the last sentence of each type, in no order, with line ends that may be doubled. It may be asked
/// while the receiver sends, so that some sentences are of the next epoch already.
struct PolledSentences {
    /// The response to an answer.
    struct Step: Equatable {
        /// The sentences to pass on, those with a time first, each with CR LF. Empty if there is nothing new.
        var sentences: [UInt8] = []
        /// The delay before the next request.
        var delay: TimeAmount
    }

    /// The maximum length of an answer that is read, in bytes: 200 sentences of the standard's length.
    static let maximumLength = 16384
    /// The delay until the receiver may have begun to send the rest of an epoch.
    private static let gap = TimeAmount.milliseconds(150)
    /// The maximum number of answers in a row that are held back because they may mix two epochs. Some types of
    /// sentences are not sent every second.
    private static let maximumMixed = 3
    /// The number of answers in a row without anything new that ends the close waiting for the receiver.
    private static let maximumOld = 4

    /// The interval between fixes in seconds.
    var interval = 1.0
    private var last: [UInt8] = []
    private var mixed = 0
    private var old = 0

    /// Handles an answer.
    mutating func receive(_ text: String) -> Step {
        let lines = Self.lines(text)
        let sentences = lines.flatMap { $0 + [UInt8(ascii: "\r"), UInt8(ascii: "\n")] }
        let times = Set(lines.compactMap(Self.time))
        if sentences == last {
            old += 1
            if old <= Self.maximumOld { return Step(delay: .milliseconds(200)) }
            old = 0
            // Sentences without a time do not change while there is no fix, but they show that the receiver is alive.
            return Step(sentences: times.isEmpty ? sentences : [], delay: .milliseconds(200))
        }
        if times.count > 1, mixed < Self.maximumMixed {
            mixed += 1
            return Step(delay: Self.gap)
        }
        (last, mixed, old) = (sentences, 0, 0)
        return Step(sentences: sentences, delay: .milliseconds(Int64(max(interval, 1) * 1000) - 100))
    }

    /// Returns the sentences in an answer: those with a time first, then the others, both in the order of their bytes,
    /// so that the order is the same each second.
    private static func lines(_ text: String) -> [[UInt8]] {
        let lines = text.utf8.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.map(Array.init)
        let keyed = lines.filter { $0.first == UInt8(ascii: "$") }.map { (time: time(of: $0), line: $0) }
        return keyed.sorted { first, second in
            if (first.time == nil) != (second.time == nil) { return first.time != nil }
            if let one = first.time, let other = second.time, one != other {
                return one.lexicographicallyPrecedes(other)
            }
            return first.line.lexicographicallyPrecedes(second.line)
        }.map(\.line)
    }

    private static func time(of sentence: [UInt8]) -> [UInt8]? {
        guard sentence.count > 6 else { return nil }
        let fields = sentence.split(separator: UInt8(ascii: ","), maxSplits: 6, omittingEmptySubsequences: false)
        let position: Int
        switch String(decoding: fields[0].dropFirst(3), as: UTF8.self) {
        case "GGA", "RMC", "GNS", "GST", "ZDA": position = 1
        case "GLL": position = 5
        default: return nil
        }
        guard fields.count > position, !fields[position].isEmpty else { return nil }
        return Array(fields[position])
    }
}
