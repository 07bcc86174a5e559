@testable import Receivers

/// The serial line of a receiver that sends a burst of sentences again and again, level by level, as a wire carries it.
/// Times are in seconds.
struct LineModel {
    let settings: SerialSettings
    /// From the beginning of one burst to that of the next.
    var period = 1.0
    /// When the first burst begins.
    var phase = 0.0
    /// The bursts, which are sent in turn: true is high, as the line is while it is idle.
    private var bursts: [[Bool]]
    /// The bits of each burst at whose beginning the line falls from high to low.
    private var falls: [[Int]]

    init(_ settings: SerialSettings, bursts: [[UInt8]]) {
        self.settings = settings
        self.bursts = bursts.map { burst in burst.flatMap { Self.levels(of: $0, settings.framing) } }
        falls = self.bursts.map { levels in
            levels.indices.filter { !levels[$0] && ($0 == 0 || levels[$0 - 1]) }
        }
    }

    /// A receiver that tells what its line has room for.
    init(_ settings: SerialSettings) {
        let room = settings.bitsPerSecond / 13
        self.init(settings, bursts: Self.epochs.map { Self.sentences(of: $0, inBytes: room) })
    }

    /// What receivers send.
    static let epochs = Journey(count: 8).epochs

    /// The sentences of an epoch that fit: the last ones go first.
    private static func sentences(of epoch: [UInt8], inBytes room: Int) -> [UInt8] {
        guard epoch.count > room else { return epoch }
        let end = epoch.prefix(room).lastIndex(of: UInt8(ascii: "\n")) ?? epoch.startIndex
        return Array(epoch[...end])
    }

    /// A start bit, the data from the lowest bit on, parity, and stop bits.
    private static func levels(of byte: UInt8, _ framing: SerialSettings.Framing) -> [Bool] {
        let data = (0..<8).map { byte >> $0 & 1 == 1 }
        switch framing {
        case .eightN1: return [false] + data + [true]
        case .sevenN2: return [false] + data.prefix(7) + [true, true]
        case .eightE1: return [false] + data + [byte.nonzeroBitCount % 2 == 1, true]
        }
    }

    func isHigh(at time: Double) -> Bool {
        guard time >= phase else { return true }
        let index = Int((time - phase) / period)
        let bit = Int((time - phase - Double(index) * period) * Double(settings.bitsPerSecond))
        let burst = bursts[index % bursts.count]
        return bit < burst.count ? burst[bit] : true
    }

    /// When the line falls from high to low for the first time after `time`, if that is before `limit`.
    func falls(after time: Double, before limit: Double) -> Double? {
        let bitsPerSecond = Double(settings.bitsPerSecond)
        var index = max(0, Int((time - phase) / period))
        while true {
            let start = phase + Double(index) * period
            guard start < limit else { return nil }
            let falls = falls[index % falls.count]
            // The first that is later, by halving.
            var (low, high) = (0, falls.count)
            while low < high {
                let middle = (low + high) / 2
                if start + Double(falls[middle]) / bitsPerSecond > time { high = middle } else { low = middle + 1 }
            }
            if low < falls.count {
                let moment = start + Double(falls[low]) / bitsPerSecond
                return moment < limit ? moment : nil
            }
            index += 1
        }
    }
}

/// What a UART reads from a line with settings that need not be the line's.
struct LineListener {
    let line: LineModel
    /// Whether it understands the line with any settings, as USB's CDC-ACM does.
    var isAgnostic = false
    private var settings: SerialSettings
    private var time: Double

    init(_ line: LineModel, settings: SerialSettings, at time: Double) {
        self.line = line
        self.settings = settings
        self.time = time
    }

    /// Reads with other settings from `time` on.
    mutating func use(_ settings: SerialSettings, at time: Double) {
        self.settings = settings
        self.time = max(self.time, time)
    }

    /// The next byte that was read before `limit`, and when. A byte with a wrong parity or stop bit is read as 0.
    mutating func next(before limit: Double) -> (byte: UInt8, time: Double)? {
        let settings = isAgnostic ? line.settings : settings
        let bitTime = 1 / Double(settings.bitsPerSecond)
        let bits = settings.framing == .sevenN2 ? 7 : 8
        let length = Double(settings.framing == .eightE1 ? 10 : bits + 1) + 0.5
        guard let start = line.falls(after: time, before: limit - length * bitTime) else {
            time = max(time, limit - 12 * bitTime)
            return nil
        }
        var byte: UInt8 = 0
        for bit in 0..<bits where line.isHigh(at: start + (Double(bit) + 1.5) * bitTime) { byte |= 1 << bit }
        if settings.framing == .eightE1 {
            let parity = line.isHigh(at: start + 9.5 * bitTime)
            if parity != (byte.nonzeroBitCount % 2 == 1) { byte = 0 }
        }
        let end = start + length * bitTime
        if !line.isHigh(at: end) { byte = 0 }
        time = end
        return (byte, end)
    }
}
