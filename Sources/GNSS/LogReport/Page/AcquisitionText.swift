/// A description of the time without a fix: what the receiver saw, and what would give it a fix.
struct AcquisitionText {
    let part: LogPart

    var html: String { "<p class=\"finding\">\(sentence)</p>\n" }

    var tiles: [(name: String, value: String, detail: String)] {
        let paths = part.sky.satellites
        guard !paths.isEmpty else { return [] }
        let needed = NumberText.fixed(Double(Acquisition.strengthForFix), 0)
        var tiles = [("Satellites seen", "\(paths.count)", "\(strongCount) of them with \(needed) dB-Hz or more")]
        if let strongest {
            tiles.append(("Strongest signal", "\(NumberText.fixed(Double(strongest), 0)) dB-Hz", ""))
        }
        return tiles
    }

    /// The number of satellites that were once strong enough for a fix.
    private var strongCount: Int {
        part.sky.satellites.count { $0.signal.count > 0 && $0.signal.high >= Acquisition.strengthForFix }
    }

    /// The strength of the strongest signal in dB-Hz.
    private var strongest: Float? {
        part.sky.satellites.filter { $0.signal.count > 0 }.map(\.signal.high).max()
    }

    private var sentence: String {
        let count = part.sky.satellites.count
        let enough = "\(NumberText.fixed(Double(Acquisition.strengthForFix), 0)) dB-Hz or more"
        let need = "A fix needs four with about \(enough)"
        guard count > 0 else {
            return "The log lists no satellites. \(need): check the antenna, and its view of the sky."
        }
        let seen = "\(count) satellite\(count == 1 ? "" : "s") seen"
        guard let strongest else {
            return "\(seen), none with a signal: the receiver knows where they are, and does not hear them. "
                + "\(need): check the antenna, and its view of the sky."
        }
        let strength = "\(seen), the strongest with \(NumberText.fixed(Double(strongest), 0)) dB-Hz"
        guard strongCount >= 4 else {
            let strong = strongCount == 0 ? "none" : "only \(strongCount)"
            return "\(strength), but \(strong) with \(enough). A fix needs four of those: put the antenna under open "
                + "sky."
        }
        let lasts = part.times.map { " This log lasts \(NumberText.duration($0.upperBound - $0.lowerBound))." } ?? ""
        return "\(strength): enough for a fix. After a long time switched off, a receiver takes up to 15 minutes to "
            + "its first one.\(lasts)"
    }
}
