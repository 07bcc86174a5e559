internal import Glibc

/// What SQLite's journal says about itself (sqlite.org/fileformat2.html, section 4).
///
/// Attack, or accident: SQLite reads the journal up to the first frame that is not sound, and takes the rest for something
/// that was never finished. Where a revocation was in that rest, the grant is there again. After a power cut this is right
/// for the last transaction, which nobody was told to be kept; for one before it, it is not: that one was on the disk when
/// the next began.
enum WriteAheadLog {
    /// Fails with `Store.Refusal.damage` where transactions that were finished cannot be read any more, or where the journal
    /// has lost its database, which SQLite would delete it for.
    static func check(_ path: String) throws(Store.Refusal) {
        guard let file = fopen(path + "-wal", "re") else { return }
        defer { fclose(file) }
        guard let header = read(32, of: file) else { return }
        if (Store.size(path) ?? 0) == 0 { throw .damage("the file is not there or empty, and its journal is not") }
        // Room that was made, and lost its content with the power: nothing was finished in it.
        if header.allSatisfy({ $0 == 0 }) { return }
        let magic = word(header, 0, bigEndian: true)
        let pageSize = Int(word(header, 8, bigEndian: true))
        let isBigEndian = magic == 0x377f_0683
        guard isBigEndian || magic == 0x377f_0682, (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0
        else { throw .damage("the journal has no header") }
        var sum = Checksum(isBigEndian: isBigEndian)
        sum.add(header[0..<24])
        guard sum.matches(header, at: 24) else { throw .damage("the journal's header is damaged") }

        var isSound = true
        var lostCommits = 0
        while let frame = read(24 + pageSize, of: file) {
            // Others are left from before the journal was begun anew.
            let isOfThisTurn = frame[8..<16] == header[16..<24]
            if isSound {
                sum.add(frame[0..<8])
                sum.add(frame[24...])
                isSound = isOfThisTurn && sum.matches(frame, at: 16)
            }
            if !isSound, isOfThisTurn, word(frame, 4, bigEndian: true) != 0 { lostCommits += 1 }
        }
        if lostCommits > 1 { throw .damage("the journal is damaged") }
    }

    /// That many bytes; `nil` where there are not as many left.
    private static func read(_ count: Int, of file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = fread(buffer.baseAddress, 1, count, file)
        }
        return bytes.count == count ? bytes : nil
    }

    fileprivate static func word(_ bytes: [UInt8], _ offset: Int, bigEndian: Bool) -> UInt32 {
        let word = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return bigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }

    /// SQLite's sum over pairs of words, in the order of bytes that the header names.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
        }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            let bytes = bytes.span.bytes
            for offset in stride(from: 0, to: bytes.byteCount, by: 8) {
                let words = bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD2<UInt32>.self)
                let (x, y) = isBigEndian ? (UInt32(bigEndian: words.x), UInt32(bigEndian: words.y)) : (words.x, words.y)
                first = first &+ x &+ second
                second = second &+ y &+ first
            }
        }

        /// Returns whether it is the one that is written there.
        func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
            first == WriteAheadLog.word(bytes, offset, bigEndian: true)
                && second == WriteAheadLog.word(bytes, offset + 4, bigEndian: true)
        }
    }
}
