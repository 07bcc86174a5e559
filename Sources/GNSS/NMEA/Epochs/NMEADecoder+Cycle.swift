// How sentences become epochs.
//
// The first sentence with its own time stamp (RMC, GGA, GLL, GNS and similar proprietary ones) opens an epoch. For a
// receiver that sends no times, a repeated sentence opens it. An epoch is ended by its last sentence, once the decoder
// has learned which one that is; by the first sentence with another time stamp; or by silence. Sentences without a time
// stamp join the pending epoch, or otherwise the next one. Sentences that arrive after the end of their epoch are
// dropped, so that no epoch is reported twice.

extension NMEADecoder {
    /// The outcome of joining a sentence that opens epochs.
    enum Join {
        case joined
        case beginsNextEpoch
        case dropped
    }

    /// Joins a sentence that opens epochs. `time` is `nil` in the empty sentences of a receiver without a fix, and from
    /// devices that do not know the time. `valid` is `true` if the sentence contains a position.
    @inline(__always)
    mutating func joinTimed(_ part: EpochPart, _ time: Int32?, valid: Bool, _ talker: Talker) -> Join {
        let device = DeviceSelection.device(of: talker)
        switch self.device.admit(device, position: valid ? time ?? DeviceSelection.noTime : nil) {
        case .follow:
            break
        case .switchOver:
            if !draft.parts.isEmpty { return .beginsNextEpoch }
            self.device.follow(device)
        case .drop:
            counts.otherDevices &+= 1
            return .dropped
        }
        let repeats = draft.parts.count(part) > 0
        guard let time else {
            if repeats {
                if draft.rank > 0 { return .beginsNextEpoch }
                dropDraft()
            }
            draft.note(part)
            return .joined
        }
        if draft.time >= 0 {
            guard Calendar.sameMoment(time, draft.time) else {
                return otherClock.has(time, of: part, pending: draft.time) ? dropOfOtherClock() : .beginsNextEpoch
            }
        } else {
            if endedTime >= 0, Calendar.sameMoment(time, endedTime) { return comesLate(part, valid) }
            if otherClock.has(time, of: part, pending: -1) { return dropOfOtherClock() }
            if repeats { dropDraft() }
            draft.time = time
            draft.mark = nextMark
            epochsBegun &+= 1
        }
        draft.note(part)
        return .joined
    }

    private mutating func dropOfOtherClock() -> Join {
        counts.otherClocks &+= 1
        return .dropped
    }

    /// Returns whether a position with the time of the last ended epoch is a new one, from a device whose clock stands
    /// still.
    @inline(__always)
    mutating func standsStill(
        _ part: EpochPart, _ time: Int32, _ latitude: Coordinate, _ longitude: Coordinate
    ) -> Bool {
        guard endedTime >= 0, Calendar.sameMoment(time, endedTime) else { return false }
        if draft.isOfStandingClock { return true }
        guard draft.time < 0, endedParts.count(part) > 0 else { return false }
        return standing.isAnother(latitude, longitude)
    }

    /// Returns whether a repeated position in the pending epoch, from the same kind of sentence of the same talker, is
    /// another one. It then begins the next epoch, and the clock stands still.
    @inline(__always)
    mutating func isAnotherPosition(
        _ part: EpochPart, _ time: Int32?, _ latitude: Coordinate, _ longitude: Coordinate, _ talker: Talker
    ) -> Bool {
        guard let time, draft.parts.count(part) > 0, draft.rank > 0, part == draft.positionPart else { return false }
        guard talker == draft.talker, draft.time < 0 || Calendar.sameMoment(time, draft.time) else { return false }
        guard (latitude, longitude) != (draft.latitude, draft.longitude), !datum.isShifted else { return false }
        standing.isKnown = true
        return true
    }

    /// Joins a sentence that contains nothing but a position if the epoch has a better position. Returns `false` if the
    /// sentence has to be read.
    @inline(__always)
    mutating func joinSurplus(_ part: EpochPart, rank: Draft.Rank, time: Int32, of talker: Talker) -> Bool {
        guard draft.rank > rank.rawValue, DeviceSelection.device(of: talker) == device.followed,
            Calendar.sameMoment(time, draft.time)
        else { return false }
        draft.note(part)
        return true
    }

    /// Joins a sentence without a time stamp. Returns `false` if it belongs to another device.
    @inline(__always)
    mutating func joinUntimed(_ part: EpochPart, _ talker: Talker) -> Bool {
        guard device.admit(DeviceSelection.device(of: talker), position: nil) == .follow else {
            counts.otherDevices &+= 1
            return false
        }
        draft.note(part)
        return true
    }

    /// Joins a sentence that is useful only to the epoch with its time stamp. It does not open an epoch.
    @inline(__always)
    mutating func joinDated(_ part: EpochPart, _ time: Int32, _ talker: Talker) -> Reading {
        guard device.admit(DeviceSelection.device(of: talker), position: nil) == .follow else {
            counts.otherDevices &+= 1
            return .nothing
        }
        if draft.time >= 0 {
            guard Calendar.sameMoment(time, draft.time) else { return .nothing }
        } else if endedTime >= 0, Calendar.sameMoment(time, endedTime) {
            _ = comesLate(part, false)
            return .nothing
        }
        draft.note(part)
        return .part(part)
    }

    /// Handles a sentence of the last ended epoch. Either the epoch was ended too early, or the receiver's clock stands
    /// still.
    private mutating func comesLate(_ part: EpochPart, _ valid: Bool) -> Join {
        if endedParts.count(part) == 0 {
            counts.lateSentences &+= 1
            cycleEnd.refute()
        } else if valid {
            counts.staleTimes &+= 1
        }
        draft = Draft()
        return .dropped
    }

    /// Applies the position of a sentence that has joined. Returns `false` if the position must belong to another
    /// device: receivers round, and some extrapolate, but only by metres.
    @inline(__always)
    mutating func place(
        _ latitude: Coordinate, _ longitude: Coordinate, rank: Draft.Rank, from part: EpochPart, of talker: Talker
    ) -> Bool {
        var (latitude, longitude) = (latitude, longitude)
        if datum.isShifted, !shift(&latitude, &longitude) {
            counts.outOfRange &+= 1
            return false
        }
        if draft.rank > 0 {
            let north = abs(latitude.nanominutes &- draft.latitude.nanominutes)
            let east = abs(longitude.nanominutes &- draft.longitude.nanominutes)
            let nearPole = abs(latitude.nanominutes) > 80 * 60_000_000_000
            let apart: Int64 = 100_000_000
            let turn: Int64 = 360 * 60_000_000_000
            if north > apart || (east > apart && turn &- east > apart && !nearPole) {
                counts.otherDevices &+= 1
                return false
            }
        }
        if rank.rawValue > draft.rank {
            draft.latitude = latitude
            draft.longitude = longitude
            draft.rank = rank.rawValue
            draft.positionPart = part
            draft.talker = talker
            draft.datum = datum.datum
            draft.datumError = datum.error
        }
        return true
    }

    /// Converts a position to WGS 84 by the offsets that the receiver has sent. Returns `false` if the result is not on
    /// the globe.
    @inline(never)
    private func shift(_ latitude: inout Coordinate, _ longitude: inout Coordinate) -> Bool {
        latitude.nanominutes &-= datum.latitude
        longitude.nanominutes &-= datum.longitude
        let half: Int64 = 180 * 60_000_000_000
        if longitude.nanominutes > half { longitude.nanominutes &-= 2 &* half }
        if longitude.nanominutes < -half { longitude.nanominutes &+= 2 &* half }
        return abs(latitude.nanominutes) <= half / 2
    }

    /// Ends the cycle if `part` is known to be its last sentence. Returns the epoch, or `nil` if no epoch was ended.
    @inline(__always)
    mutating func endCycleIfLearned(_ part: EpochPart) -> Epoch? {
        guard draft.rank > 0, cycleEnd.isEnd(part, draft.parts.count(part)) else { return nil }
        cycleEnd.confirm()
        return endCycle()
    }

    /// Ends the cycle because a sentence of the next one has arrived. Returns the epoch, or `nil` if no epoch was
    /// ended.
    mutating func endCycleAtNextTime() -> Epoch? {
        settleUnvouchedPosition()
        if draft.rank > 0 { cycleEnd.observe(draft.lastPart, draft.parts.count(draft.lastPart)) }
        return endCycle()
    }

    /// Ends the cycle because the wire is silent. Returns the epoch, or `nil` if no epoch was ended.
    mutating func endCycleInSilence() -> Epoch? {
        guard !draft.parts.isEmpty else { return nil }
        settleUnvouchedPosition()
        let last = draft.lastPart
        if draft.time < 0, endedTime >= 0, !draft.isUntimedEpoch(after: endedParts) {
            // Sentences without a time stamp arrived after the presumed end.
            cycleEnd.observe(last, endedParts.count(last) &+ draft.parts.count(last))
            dropDraft()
            return nil
        }
        if draft.rank > 0 { cycleEnd.observe(last, draft.parts.count(last)) }
        return endCycle(inSilence: true)
    }

    private mutating func endCycle(inSilence: Bool = false) -> Epoch? {
        standing.ended(draft, inSilence: inSilence)
        defer {
            if draft.time >= 0 {
                if firstTimeOfDay == nil { firstTimeOfDay = draft.time }
                endedTime = draft.time
                endedParts = draft.parts
            } else if draft.isOfStandingClock {
                endedParts = draft.parts
            } else if draft.rank > 0 {
                endedTime = -1
            }
            dropDraft()
        }
        return draft.rank > 0 ? epoch() : nil
    }

    /// Drops the pending epoch. It counts as an epoch without a fix if a sentence has reported this, and no sentence
    /// contained a position.
    private mutating func dropDraft() {
        if draft.isVoid, draft.rank == 0 { counts.epochsWithoutFix &+= 1 }
        draft = Draft()
    }
}
