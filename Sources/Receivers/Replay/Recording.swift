import LocationModel
import NMEA

/// The fixes and headings of an NMEA file, read in sequence with constant memory.
struct Recording: ~Copyable {
    enum Step {
        /// The next fix, and the magnetic variation that came with it.
        case fix(Fix, variation: Double?)
        /// A heading, from some time between the fixes before and after it.
        case heading(NMEA.Heading)
        /// The current block was read to its end without result.
        case nothingYet
        /// The end of the file.
        case end
    }

    /// The number of bytes per read, and the limit of what `next()` reads without finding anything.
    private static let blockSize = 16384

    private var path: String
    private var receiver: String
    /// The open file, or `nil` while suspended.
    private var file: InputFile?
    /// The position in the file at the end of `block`.
    private var position: Int64 = 0
    private var block: [UInt8] = []
    private var count = 0
    private var offset = 0
    private var size: Int64 = 0
    private(set) var decoder = NMEADecoder()

    init(path: String, receiver: String) throws(ReceiverFailure) {
        self.path = path
        self.receiver = receiver
        try resume()
    }

    /// Opens the file at the position reached so far.
    mutating func resume() throws(ReceiverFailure) {
        let file = try InputFile.open(path, at: position)
        size = file.size
        self.file = consume file
        block = [UInt8](repeating: 0, count: Self.blockSize)
    }

    /// Closes the file. Reading can be resumed later.
    mutating func suspend() {
        file = nil
        position -= Int64(count - offset)
        block = []
        count = 0
        offset = 0
    }

    /// The share of the file that has been read, 0...1.
    var progress: Double { size > 0 ? min(1, Double(position - Int64(count - offset)) / Double(size)) : 1 }

    /// Reads up to the next fix or heading. The decoder's satellites are those of that time afterwards.
    mutating func next() throws(ReceiverFailure) -> Step {
        if offset == count {
            count = try file?.read(into: &block) ?? 0
            position += Int64(count)
            offset = 0
        }
        let isAtEnd = count == 0
        while let event = isAtEnd ? decoder.flush() : decodeNext() {
            switch event {
            case .epoch(let epoch):
                guard let fix = Fix(epoch, receiver: receiver) else { break }
                return .fix(fix, variation: epoch.magneticVariation)
            case .heading(let heading): return .heading(heading)
            case .acknowledgement: break
            }
        }
        return isAtEnd ? .end : .nothingYet
    }

    private mutating func decodeNext() -> Event? {
        let block = block
        return decoder.next(in: block.span.extracting(first: count).bytes, at: &offset)
    }
}
