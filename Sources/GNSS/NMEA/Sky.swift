/// The satellites that GSV and GSA sentences report.
/// The satellites that GSV and GSA sentences report.
///
/// Each satellite has its own slot, so that it counts once. The sets may arrive in any order, with one signal or all of
/// them, in one epoch or spread over several. The satellites of a talker come from its last complete sweep. Nothing is
/// cleared: a satellite that is not listed again keeps an old sweep number.
struct Sky {
    private static let unknown: Int8 = 127

    private struct Slot {
        var sweep: UInt32 = 0
        var used: UInt32 = 0
        /// The strength in tenths of dB-Hz, or 0 if the satellite is not tracked.
        var strength: UInt16 = 0
        /// The azimuth in degrees, or -1 if unknown.
        var azimuth: Int16 = -1
        /// The elevation in degrees, or 127 if unknown.
        var elevation = Sky.unknown
        var group: UInt8 = 0
    }

    /// The GSV sets of one talker.
    private struct Group {
        var talker: UInt16 = 0
        var sweep: UInt32 = 0
        /// The signals that this sweep has begun to list.
        var signals: UInt64 = 0
        var isComplete = false
        /// The number of messages in the last set, or 0.
        var messages: UInt16 = 0
        /// The time of the last epoch at the arrival of the last GSV sentence.
        var time: Int32 = -1
    }

    /// All slots, allocated once. They are not stored inline, because the compiler copies the decoder where another
    /// module calls one of its getters.
    private var slots = [Slot](repeating: Slot(), count: 448)
    private var groups = InlineArray<8, Group>(repeating: Group())
    private var groupCount = 0
    /// The number of the last list of used satellites.
    private var used: UInt32 = 0
    private var time: Int32 = -1

    /// The time without GSV after which the satellites of a talker are no longer in view, by the receiver's own clock,
    /// in milliseconds.
    private static let maximumAge: Int32 = 30_000

    mutating func epochEnded(_ time: Int32) {
        if self.time < 0 {
            for index in 0..<groupCount { groups[index].time = time }
        }
        self.time = time
    }

    /// Begins a list of used satellites.
    mutating func beginUsed() {
        used &+= 1
    }

    @inline(__always)
    mutating func use(_ slot: Int) {
        slots[slot].used = used
    }

    /// Returns the number of messages in the set that a talker has begun, for a message whose field for this number has
    /// the given length. Returns `nil` if the message has to contain the number itself.
    @inline(never)
    func messages(of talker: Talker, _ length: Int) -> Int? {
        guard length == 0 else { return nil }
        for index in 0..<groupCount where groups[index].talker == talker.code && groups[index].messages > 0 {
            return Int(groups[index].messages)
        }
        return nil
    }

    /// Begins a GSV sentence. Returns the group that its satellites belong to.
    @inline(__always)
    mutating func beginMessage(_ message: Int, of total: Int, _ talker: Talker, _ signal: UInt8) -> Int {
        let group = group(of: talker.code)
        if message == 1 {
            let bit: UInt64 = 1 &<< UInt64(signal & 63)
            if groups[group].signals & bit != 0 || groups[group].sweep == 0 {
                groups[group].sweep &+= 1
                groups[group].signals = 0
                groups[group].isComplete = false
            }
            groups[group].signals |= bit
        }
        groups[group].messages = UInt16(clamping: total)
        if message >= total { groups[group].isComplete = true }
        groups[group].time = time
        return group
    }

    /// Begins a list of all satellites of a talker, from a frame.
    mutating func beginList(_ talker: Talker) {
        // The list has its own signal number: a list and the talker's sentences in one epoch form one sweep, in either
        // order.
        _ = beginMessage(1, of: 1, talker, 63)
    }

    @inline(__always)
    mutating func see(_ slot: Int, _ group: Int, elevation: Int?, azimuth: Int?, tenths: Int) {
        let sweep = groups[group].sweep
        let group = UInt8(truncatingIfNeeded: group)
        let old = slots[slot]
        let isAgain = old.sweep == sweep && old.group == group
        var new = isAgain ? old : Slot(sweep: sweep, used: old.used, group: group)
        new.strength = max(new.strength, UInt16(clamping: tenths))
        if let elevation, elevation >= -90, elevation <= 90 { new.elevation = Int8(truncatingIfNeeded: elevation) }
        if let azimuth, azimuth >= 0, azimuth <= 360 {
            new.azimuth = azimuth == 360 ? 0 : Int16(truncatingIfNeeded: azimuth)
        }
        slots[slot] = new
    }

    /// Returns the index of a talker's group. Talkers beyond the eighth share the last group.
    mutating func group(of talker: UInt16) -> Int {
        for index in 0..<groupCount where groups[index].talker == talker { return index }
        if groupCount < groups.count { groupCount += 1 }
        groups[groupCount - 1].talker = talker
        return groupCount - 1
    }

    private func isInView(_ slot: Slot) -> Bool {
        guard slot.sweep > 0 else { return false }
        let group = groups[Int(slot.group)]
        guard group.sweep > 0 else { return false }
        guard slot.sweep == group.sweep || (!group.isComplete && slot.sweep &+ 1 == group.sweep) else { return false }
        return group.time < 0 || time < 0 || abs(Calendar.difference(time, group.time)) <= Self.maximumAge
    }

    var satelliteCount: Int {
        var count = 0
        for slot in slots where isInView(slot) { count += 1 }
        return count
    }

    var satellites: [SatelliteInView] {
        var satellites: [SatelliteInView] = []
        satellites.reserveCapacity(32)
        for (index, slot) in slots.enumerated() where isInView(slot) {
            guard let (constellation, number) = SatelliteNumbering.satellite(slot: index) else { continue }
            satellites.append(
                SatelliteInView(
                    constellation: constellation, number: number,
                    elevation: slot.elevation == Self.unknown ? nil : Int(slot.elevation),
                    azimuth: slot.azimuth < 0 ? nil : Int(slot.azimuth),
                    signalStrength: slot.strength == 0 ? nil : Double(slot.strength) / 10,
                    used: used > 0 && slot.used == used))
        }
        return satellites
    }
}
