@testable import Receivers

/// The electrical signal of a receiver that sends bursts of sentences periodically, bit by bit as on the wire. Times
/// are in seconds.
struct SignalModel {
    let settings: SerialSettings
    /// The time from the beginning of one burst to the next.
    var period = 1.0
    /// The beginning of the first burst.
    var phase = 0.0
    /// The bursts, which are sent in turn. `true` is high, the level of the idle wire.
    private var bursts: [[Bool]]
    /// The bits of each burst that begin with a fall of the signal from high to low.
    private var falls: [[Int]]

    init(_ settings: SerialSettings, bursts: [[UInt8]]) {
        self.settings = settings
        self.bursts = bursts.map { Self.levels(of: $0, settings.framing) }
        falls = self.bursts.map { levels in
            var falls: [Int] = []
            var wasHigh = true
            var index = 0
            while index < levels.count {
                if wasHigh, !levels[index] { falls.append(index) }
                wasHigh = levels[index]
                index += 1
            }
            return falls
        }
    }

    /// Creates a receiver that sends as much as fits into its baud rate.
    init(_ settings: SerialSettings) { self = Self.typical[settings] ?? Self.makeTypical(settings) }

    private static let typical = Dictionary(
        uniqueKeysWithValues: SerialSettings.all.map { ($0, makeTypical($0)) })

    private static func makeTypical(_ settings: SerialSettings) -> SignalModel {
        let room = settings.bitsPerSecond / 13
        return SignalModel(settings, bursts: epochs.map { sentences(of: $0, inBytes: room) })
    }

    /// Typical epochs of a receiver.
    static let epochs = Journey(count: 8).epochs

    /// Returns the sentences of an epoch that fit, without the last ones.
    private static func sentences(of epoch: [UInt8], inBytes room: Int) -> [UInt8] {
        guard epoch.count > room else { return epoch }
        let end = epoch.prefix(room).lastIndex(of: UInt8(ascii: "\n")) ?? epoch.startIndex
        return Array(epoch[...end])
    }

    /// Returns for each byte a start bit, the data from the lowest bit on, parity, and stop bits.
    private static func levels(of bytes: [UInt8], _ framing: SerialSettings.Framing) -> [Bool] {
        var levels: [Bool] = []
        levels.reserveCapacity(11 * bytes.count)
        let bits = framing == .sevenN2 ? 7 : 8
        for byte in bytes {
            levels.append(false)
            var bit = 0
            while bit < bits {
                levels.append(byte >> bit & 1 == 1)
                bit += 1
            }
            switch framing {
            case .eightN1: break
            case .sevenN2: levels.append(true)
            case .eightE1: levels.append(byte.nonzeroBitCount % 2 == 1)
            }
            levels.append(true)
        }
        return levels
    }

    /// Returns the levels of `count` bits of a byte whose start bit begins at `start`, sampled in the middle of each.
    /// Bit 0 is the one after the start bit; 1 is high.
    func levels(after start: Double, bitTime: Double, count: Int) -> UInt16 {
        let bitsPerSecond = Double(settings.bitsPerSecond)
        var levels: UInt16 = 0
        var index = -1
        var burst: [Bool] = []
        var bit = 0
        while bit < count {
            let time = start + (Double(bit) + 1.5) * bitTime - phase
            if Int(time / period) != index {
                index = Int(time / period)
                burst = bursts[index % bursts.count]
            }
            let place = Int((time - Double(index) * period) * bitsPerSecond)
            if place >= burst.count || burst[place] { levels |= 1 << UInt16(bit) }
            bit += 1
        }
        return levels
    }

    /// Returns the first time after `time` when the signal falls from high to low, or `nil` if that is not before
    /// `limit`.
    func falls(after time: Double, before limit: Double) -> Double? {
        let bitsPerSecond = Double(settings.bitsPerSecond)
        var index = max(0, Int((time - phase) / period))
        while true {
            let start = phase + Double(index) * period
            guard start < limit else { return nil }
            let falls = falls[index % falls.count]
            // Finds the first later one by bisection.
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

/// A UART that reads a signal, with settings that may differ from the sender's.
struct UARTModel {
    let line: SignalModel
    /// A Boolean value indicating whether the UART understands the signal with any settings, like USB's CDC-ACM.
    var isAgnostic = false
    private var settings: SerialSettings
    private var time: Double

    init(_ line: SignalModel, settings: SerialSettings, at time: Double) {
        self.line = line
        self.settings = settings
        self.time = time
    }

    /// Reads with other settings from `time` on.
    mutating func use(_ settings: SerialSettings, at time: Double) {
        self.settings = settings
        self.time = max(self.time, time)
    }

    /// Returns the next byte that is read before `limit`, and its time. A byte with a wrong parity or stop bit is
    /// read as 0.
    mutating func next(before limit: Double) -> (byte: UInt8, time: Double)? {
        let settings = isAgnostic ? line.settings : settings
        let bitTime = 1 / Double(settings.bitsPerSecond)
        let bits = settings.framing == .sevenN2 ? 7 : 8
        // With the parity and the first stop bit.
        let count = settings.framing == .eightE1 ? 10 : bits + 1
        let length = (Double(count) + 0.5) * bitTime
        guard let start = line.falls(after: time, before: limit - length) else {
            time = max(time, limit - 12 * bitTime)
            return nil
        }
        time = start + length
        let levels = line.levels(after: start, bitTime: bitTime, count: count)
        let byte = UInt8(truncatingIfNeeded: levels & (1 << bits - 1))
        let isStopped = levels >> UInt16(count - 1) == 1
        let isEven = settings.framing != .eightE1 || (levels & 0x1FF).nonzeroBitCount % 2 == 0
        return (isStopped && isEven ? byte : 0, time)
    }
}
