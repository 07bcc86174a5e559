import NMEA
import Positioning

/// The fixes of an NMEA file, one after the other, in constant memory.
struct Recording: ~Copyable {
    enum Step {
        /// The next fix.
        case fix(Fix)
        /// Some bytes were read and held none.
        case nothingYet
        /// The file is at its end.
        case end
    }

    private let file: InputFile
    private let receiver: String
    /// What is read from the file at a time, and by `next()` without finding a fix.
    private var block = [UInt8](repeating: 0, count: 16384)
    private var count = 0
    private var offset = 0
    private(set) var decoder = NMEADecoder()

    init(path: String, receiver: String) throws(ReceiverFailure) {
        file = try InputFile(path: path)
        self.receiver = receiver
    }

    /// Reads as far as the next fix. The decoder's satellites are then those of that fix.
    mutating func next() throws(ReceiverFailure) -> Step {
        if offset == count {
            count = try file.read(into: &block)
            offset = 0
        }
        let isAtEnd = count == 0
        while let event = isAtEnd ? decoder.flush() : decodeNext() {
            if case .epoch(let epoch) = event, let fix = Fix(epoch, receiver: receiver) { return .fix(fix) }
        }
        return isAtEnd ? .end : .nothingYet
    }

    private mutating func decodeNext() -> Event? {
        let block = block
        return decoder.next(in: block.span.extracting(first: count).bytes, at: &offset)
    }
}
