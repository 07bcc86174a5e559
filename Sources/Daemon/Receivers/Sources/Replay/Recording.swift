import FileFormats
import LocationModel
import NMEA

/// The fixes and headings of an NMEA file, read in sequence with constant memory.
///
/// A recording without any date, from a receiver that sends none, is dated as if it began about when it is opened. A
/// recording without times is dated as if the receiver had sent a position each second.
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

    /// The number of bytes per read, and the maximum that `next()` reads without finding anything.
    private static let blockSize = 16384

    private var path: String
    private var receiver: String
    /// The time of the last epoch of a recording without a date, or of its opening; `nil` if the recording has a date.
    private var undatedTime: Timestamp?
    /// The open file, or `nil` while suspended.
    private var file: InputFile?
    /// The position in the file at the end of `block`.
    private var position: Int64 = 0
    private var block: [UInt8] = []
    private var count = 0
    private var offset = 0
    /// The decoder of the text, and its output while the recording's bytes are not plain text.
    private var text = TextDecoder(acceptsGPX: false)
    private var decoded: [UInt8] = []
    private var size: Int64 = 0
    private(set) var decoder = NMEADecoder()

    /// The number of bytes at the beginning that contain a date if the recording has any.
    private static let datedLength = 1 << 18

    /// Opens a recording at `now`.
    init(path: String, receiver: String, now: Timestamp) throws(ReceiverFailure) {
        self.path = path
        self.receiver = receiver
        undatedTime = try Self.hasDate(path) ? nil : now
        try resume()
    }

    /// Adds the receiver's own last reports.
    func addReports(to status: inout SourceStatus) { status.addReports(of: decoder) }

    /// Returns whether the beginning of a recording contains a date.
    private static func hasDate(_ path: String) throws(ReceiverFailure) -> Bool {
        let file = try InputFile.open(path)
        var block = [UInt8](repeating: 0, count: datedLength)
        var decoder = NMEADecoder()
        var text = TextDecoder(acceptsGPX: false)
        let count = try file.read(into: &block)
        // A file of another format is refused when it is played.
        guard let beginning = try? text.decode(block.span.extracting(first: count)) else { return true }
        var offset = 0
        while let event = decoder.next(in: beginning.span.bytes, at: &offset) ?? decoder.flush() {
            if case .epoch(let epoch) = event, epoch.millisecondsSince1970 != nil { return true }
        }
        return false
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
        block = []
        // Decoded text is kept, because the file is not read again.
        guard decoded.isEmpty else { return }
        position -= Int64(count - offset)
        count = 0
        offset = 0
    }

    /// The share of the file that has been read, 0...1.
    var progress: Double { size > 0 ? min(1, Double(position - Int64(count - offset)) / Double(size)) : 1 }

    /// Reads up to the next fix or heading. Afterwards, the decoder's satellites are those of that time.
    mutating func next() throws(ReceiverFailure) -> Step {
        var isAtEnd = false
        if offset == count { isAtEnd = try !readOn() }
        while let event = isAtEnd ? decoder.flush() : decodeNext() {
            switch event {
            case .epoch(let epoch):
                guard let fix = self.fix(epoch) else { break }
                return .fix(fix, variation: epoch.magneticVariation)
            case .heading(let heading): return .heading(heading)
            }
        }
        return isAtEnd ? .end : .nothingYet
    }

    /// Reads the next block. Returns `false` at the end of the file.
    private mutating func readOn() throws(ReceiverFailure) -> Bool {
        let read = try file?.read(into: &block) ?? 0
        position += Int64(read)
        (count, offset) = (read, 0)
        decoded = []
        if text.isVerbatim { return read > 0 }
        do throws(ForeignFormat) {
            var text = text
            decoded = read > 0 ? try text.decode(block.span.extracting(first: read)) : try text.finish()
            self.text = text
        } catch {
            throw ReceiverFailure(.unusable, "cannot play \(path): \(error)")
        }
        count = decoded.count
        return read > 0 || count > 0
    }

    private mutating func fix(_ epoch: Epoch) -> Fix? {
        if let fix = Fix(epoch, receiver: receiver) { return fix }
        guard let last = undatedTime else { return nil }
        let time =
            epoch.timeOfDay.map { UndatedEpochs.nearest($0, to: last) }
            ?? Timestamp(millisecondsSince1970: last.millisecondsSince1970 + 1000)
        undatedTime = time
        return Fix(epoch, at: time, epoch.timeOfDay == nil ? .arrival : .nearestDay, receiver: receiver)
    }

    private mutating func decodeNext() -> Event? {
        let bytes = decoded.isEmpty ? block : decoded
        return decoder.next(in: bytes.span.extracting(first: count).bytes, at: &offset)
    }
}
