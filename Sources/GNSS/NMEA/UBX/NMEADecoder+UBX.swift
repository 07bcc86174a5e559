// The frames between sentences. To add one from a receiver's manual, add a case to `UBXMessage` and a function that
// reads it. The function is called only with frames of at least `minimumLength` bytes.

/// The supported frames: class and identifier.
enum UBXMessage: UInt16 {
    case geodeticPosition = 0x01_02
    case status = 0x01_03
    case dilutions = 0x01_04
    case solution = 0x01_06
    case navigationPosition = 0x01_07
    case velocity = 0x01_12
    case precisePosition = 0x01_14
    case gpsTime = 0x01_20
    case utc = 0x01_21
    case channels = 0x01_30
    case satellites = 0x01_35
    case relativePosition = 0x01_3C
    case protectionLevel = 0x01_62
    case rtcmInput = 0x02_32
    case correctionInput = 0x02_34
    case hardware = 0x0A_09
    case radioFrequency = 0x0A_38
    case fusionStatus = 0x10_10
    case signalSecurity = 0x27_09
    case messageAuthentication = 0x27_0A

    /// The length of the shortest payload of any version, in bytes.
    var minimumLength: Int {
        switch self {
        case .geodeticPosition: 28
        case .status: 16
        case .dilutions: 18
        case .solution: 52
        case .velocity, .precisePosition: 36
        case .gpsTime: 16
        case .utc: 20
        case .channels: 8
        case .navigationPosition: 84
        case .satellites: 8
        case .hardware: 60
        case .radioFrequency: 4
        case .signalSecurity: 4
        case .relativePosition: 40
        case .protectionLevel: 52
        case .rtcmInput: 8
        case .correctionInput: 12
        case .fusionStatus: 16
        case .messageAuthentication: 20
        }
    }
}

extension NMEADecoder {
    /// The outcome of looking for a frame.
    enum FrameSearch {
        /// Bytes were read, or the pending epoch was ended before they are read. There may be an event.
        case read(Event?)
        /// The input ends before the frame.
        case waits
    }

    /// Reads the frame at `offset`, the place of a 0xB5, or the log at the place of a `#`. Skips this byte if neither
    /// begins there.
    @inline(never)
    mutating func nextFrame(_ bytes: RawSpan, _ offset: inout Int) -> FrameSearch {
        switch UBXFrame.scan(bytes, from: offset) {
        case .intact(let frame):
            let (event, isRead) = read(frame, bytes)
            if isRead { offset = frame.end }
            return .read(event)
        case .log(let log):
            offset = log.end
            return .read(read(log, bytes))
        case .broken:
            counts.checksumErrors &+= 1
        case .absent:
            break
        case .cutOff(let needed):
            frames.begin(bytes, from: offset, needed: needed)
            offset = bytes.byteCount
            return .waits
        }
        counts.bytesSkipped &+= 1
        nextMark = 0
        offset &+= 1
        return .read(nil)
    }

    /// Continues with the kept part of earlier input, and with the frame that it cut off.
    @inline(never)
    mutating func nextKept(_ bytes: RawSpan, _ offset: inout Int) -> FrameSearch {
        if frames.isReadAgain { return .read(nextAgain()) }
        guard frames.fill(from: bytes, at: &offset) else { return .waits }
        switch frames.scan() {
        case .intact(let frame):
            let kept = frames.take()
            let (event, isRead) = read(frame, kept.span.bytes)
            frames.finish(kept, isRead: isRead)
            return .read(event)
        case .log(let log):
            let kept = frames.take()
            let event = read(log, kept.span.bytes)
            frames.finish(kept, isRead: true)
            return .read(event)
        case .broken:
            counts.checksumErrors &+= 1
            giveUpFrame()
        case .absent:
            giveUpFrame()
        case .cutOff:
            break
        }
        return .read(nil)
    }

    /// Returns the next event in the bytes that are read again, or `nil` at their end.
    private mutating func nextAgain() -> Event? {
        var (bytes, offset) = frames.takeAgain()
        let event = next(in: bytes.span.bytes, at: &offset)
        frames.putBack(bytes, at: offset)
        return event
    }

    private mutating func giveUpFrame() {
        counts.bytesSkipped &+= 1
        nextMark = 0
        frames.giveUp()
    }

    /// Gives up a frame that remains incomplete, and returns the next event in the bytes that were mistaken for it.
    mutating func giveUpFrames() -> Event? {
        while frames.isUsed {
            if !frames.isReadAgain { giveUpFrame() }
            if let event = nextAgain() { return event }
        }
        return nil
    }

    /// Reads a frame with a correct checksum. A frame that begins the next epoch is not read: the pending epoch is
    /// ended first, which may produce the event.
    private mutating func read(_ frame: UBXFrame, _ bytes: RawSpan) -> (event: Event?, isRead: Bool) {
        var event: Event?
        if let message = UBXMessage(rawValue: frame.kind), frame.length >= message.minimumLength {
            switch message {
            case .navigationPosition, .geodeticPosition, .status, .dilutions, .solution, .velocity, .gpsTime, .utc:
                // Like spoofing, it does not concern the epoch.
                if message == .navigationPosition { readAuthentication(frame, bytes) }
                switch readSplitSolution(message, frame, bytes) ?? readNavigationPosition(frame, bytes) {
                case .beginsNextEpoch: return (endCycleAtNextTime().map { .epoch($0) }, false)
                case .part(let part): event = endCycleIfLearned(part).map { .epoch($0) }
                default: break
                }
            case .precisePosition:
                if readPrecisePosition(frame, bytes) { event = endCycleIfLearned(.ubloxPrecise).map { .epoch($0) } }
            case .satellites: readSatellites(frame, bytes)
            case .channels: readChannels(frame, bytes)
            case .hardware: readHardware(frame, bytes)
            case .radioFrequency: readRadioFrequency(frame, bytes)
            case .signalSecurity: readSignalSecurity(frame, bytes)
            case .relativePosition, .protectionLevel, .messageAuthentication, .fusionStatus, .rtcmInput,
                .correctionInput:
                return (readRareMessage(message, frame, bytes), true)
            }
        } else {
            counts.unreadFrames &+= 1
            unread.add(frame.kind)
        }
        counts.frames &+= 1
        nextMark = 0
        return (event, true)
    }

    /// Reads a frame that few receivers send, out of the way of the others. Returns its heading, if it contains one.
    @inline(never)
    private mutating func readRareMessage(_ message: UBXMessage, _ frame: UBXFrame, _ bytes: RawSpan) -> Event? {
        counts.frames &+= 1
        nextMark = 0
        switch message {
        case .relativePosition: return readRelativePosition(frame, bytes) ? .heading(compass.heading) : nil
        case .protectionLevel: readProtectionLevel(frame, bytes)
        case .messageAuthentication: readMessageAuthentication(frame, bytes)
        case .rtcmInput: readRTCMInput(frame, bytes)
        case .correctionInput: readCorrectionInput(frame, bytes)
        default: readFusionStatus(frame, bytes)
        }
        return nil
    }

    /// Reads a log with a correct checksum. It never belongs to an epoch.
    @inline(never)
    private mutating func read(_ log: UnicoreHeading, _ bytes: RawSpan) -> Event? {
        counts.sentences &+= 1
        nextMark = 0
        return readUnicoreHeading(log, bytes) ? .heading(compass.heading) : nil
    }
}
