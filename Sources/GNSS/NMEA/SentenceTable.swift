// The supported sentences, each with the function that reads it. To add one from a receiver's manual:
//
// 1. Add a case to `Formatter` (the three letters after the talker, in ASCII codes) or, if the sentence is
//    proprietary, to `Proprietary` (all letters before the first comma).
// 2. Add a line to `read(_:_:)` or `readProprietary(_:_:_:)` that calls the function.
// 3. Write the function in the file of its family in Sentences/. Fields are counted as in the manuals: the address
//    is field 0. `sentence.decimal(3, bytes)`, `integer`, `letter` and `time` read a field, `latestPosition.read` four.
//    An empty or unreadable field yields `nil` or `.none`. The function returns
//    * `.nothing` if the sentence contributes nothing to an epoch (it may have changed other state of the decoder),
//    * `.part` if `joinUntimed` has joined it, if it has no time stamp and belongs to the epoch of its neighbours,
//    * `.part` if `joinPosition` has joined it, otherwise `Reading(join)`, if its kind opens epochs,
//    * `joinDated` if it has a time stamp and is only useful to an epoch that other sentences open,
//    * `.heading` if it contains one.
//    A new kind of sentence that may end a cycle needs a case of `EpochPart`, which has room for sixteen.
// 4. Add a line to the table of sentences in Tests/GNSS/NMEATests/SentenceTests.swift.

/// The supported NMEA 0183 sentence formatters.
enum Formatter: UInt32 {
    case rmc = 0x52_4D_43
    case gga = 0x47_47_41
    case gll = 0x47_4C_4C
    case gns = 0x47_4E_53
    case gsa = 0x47_53_41
    case gsv = 0x47_53_56
    case vtg = 0x56_54_47
    case zda = 0x5A_44_41
    case gst = 0x47_53_54
    case gbs = 0x47_42_53
    case dtm = 0x44_54_4D
    case txt = 0x54_58_54
    case hdt = 0x48_44_54
    case hdg = 0x48_44_47
    case hdm = 0x48_44_4D
    case ths = 0x54_48_53
    case rot = 0x52_4F_54
}

/// The supported proprietary sentences.
enum Proprietary: UInt64 {
    case pubx = 0x50_55_42_58
    case pgrme = 0x50_47_52_4D_45
    case pgrmz = 0x50_47_52_4D_5A
    case pgrmm = 0x50_47_52_4D_4D
    case pashr = 0x50_41_53_48_52
    case pairspf = 0x50_41_49_52_53_50_46
    case pqtmpl = 0x50_51_54_4D_50_4C
}

extension NMEADecoder {
    /// Reads a sentence with a correct checksum.
    @inline(__always)
    mutating func read(_ sentence: Sentence, _ bytes: RawSpan) -> Reading {
        let letters = sentence.address(bytes)
        if sentence.length(0) == 5,
            let formatter = Formatter(rawValue: UInt32(truncatingIfNeeded: letters.byteSwapped &>> 24) & 0xFF_FFFF)
        {
            let talker = Talker(code: UInt16(truncatingIfNeeded: letters))
            switch formatter {
            case .rmc: return readRMC(sentence, bytes, talker)
            case .gga: return readGGA(sentence, bytes, talker)
            case .gll: return readGLL(sentence, bytes, talker)
            case .gns: return readGNS(sentence, bytes, talker)
            case .gsa: return readGSA(sentence, bytes, talker)
            case .gsv: return readGSV(sentence, bytes, talker)
            case .vtg: return readVTG(sentence, bytes, talker)
            case .zda: return readZDA(sentence, bytes, talker)
            case .gst: return readGST(sentence, bytes, talker)
            case .gbs: return readGBS(sentence, bytes, talker)
            case .dtm: return readDTM(sentence, bytes, talker)
            case .txt: return readTXT(sentence, bytes, talker)
            case .hdt: return readHDT(sentence, bytes, talker)
            case .hdg: return readHDG(sentence, bytes, talker)
            case .hdm: return readHDM(sentence, bytes, talker)
            case .ths: return readTHS(sentence, bytes, talker)
            case .rot: return readROT(sentence, bytes, talker)
            }
        }
        return readProprietary(sentence, bytes, letters)
    }

    private mutating func readProprietary(
        _ sentence: Sentence, _ bytes: RawSpan, _ letters: UInt64
    ) -> Reading {
        let length = sentence.length(0)
        guard length > 0, length <= 8 else { return unsupported(sentence, bytes) }
        switch Proprietary(rawValue: letters.byteSwapped &>> UInt64(truncatingIfNeeded: 64 &- 8 &* length)) {
        case .pubx: return readPUBX(sentence, bytes)
        case .pgrme: return readPGRME(sentence, bytes)
        case .pgrmz: return readPGRMZ(sentence, bytes)
        case .pgrmm: return readPGRMM(sentence, bytes)
        case .pashr: return readPASHR(sentence, bytes)
        case .pairspf: return readAirohaJamming(sentence, bytes)
        case .pqtmpl: return readQuectelProtectionLevel(sentence, bytes)
        case nil: return unsupported(sentence, bytes)
        }
    }

    /// Returns the reading of a sentence of another kind. An address has three digits or upper-case letters at
    /// least (IEC 61162-1, 7.2.3); a few manufacturers use lower-case ones.
    ///
    /// At a wrong baud rate, random bytes have a correct checksum 44 times in 10^6 seconds, and could end the reading
    /// of a source that sends none.
    @inline(never)
    private func unsupported(_ sentence: Sentence, _ bytes: RawSpan) -> Reading {
        let address = sentence.field(0)
        for offset in address.start..<(address.start &+ address.length) {
            let letter = bytes.byte(at: offset) | 0x20
            let isLetter = letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
            guard isLetter || bytes.byte(at: offset) &- UInt8(ascii: "0") < 10 else { return .noise }
        }
        return address.length >= 3 ? .unknown : .noise
    }
}
