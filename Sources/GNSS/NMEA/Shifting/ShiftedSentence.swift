/// A sentence whose fields can be replaced by fields of the same lengths.
struct ShiftedSentence {
    private var line: [UInt8]
    /// The place of the star, or the end of a sentence without a checksum.
    private let star: Int
    /// A Boolean value indicating whether the sentence has a checksum, which is correct.
    var hasChecksum: Bool { star < line.count }
    private let fields: [Range<Int>]

    /// Creates the sentence in a line that begins with `$`, or returns `nil` if its checksum is wrong.
    init?(_ line: [UInt8]) {
        self.line = line
        if let star = line.lastIndex(of: UInt8(ascii: "*")) {
            let digits = line[(star + 1)...].prefix(2)
            guard digits.count == 2,
                let stated = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                stated == line[1..<star].reduce(0, ^)
            else { return nil }
            self.star = star
        } else {
            guard line[0] == UInt8(ascii: "$"), line.dropFirst().contains(UInt8(ascii: ",")) else { return nil }
            star = line.count
        }
        var (fields, start) = ([Range<Int>](), 1)
        for index in 1..<star where line[index] == UInt8(ascii: ",") {
            fields.append(start..<index)
            start = index + 1
        }
        self.fields = fields + [min(start, star)..<star]
    }

    /// The number of fields, including the address.
    var count: Int { fields.count }

    /// The sentence with its checksum.
    var bytes: [UInt8] {
        var bytes = line
        guard star < line.count else { return bytes }
        let sum = line[1..<star].reduce(0, ^)
        bytes.replaceSubrange((star + 1)...(star + 2), with: sum.twoDigits.utf8)
        // Anything may follow the checksum.
        for index in (star + 3)..<max(star + 3, line.count) { bytes[index] = Masked.byte(bytes[index]) }
        return bytes
    }

    /// Returns a field without blanks, or an empty text if the sentence lacks the field.
    func text(_ field: Int) -> String {
        guard field < fields.count else { return "" }
        return String(decoding: line[fields[field]].filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// Masks the four fields of a position, except for the letters of the hemispheres.
    mutating func maskPosition(_ field: Int) {
        for index in field..<field + 4 where index == field || index == field + 2 || text(index).utf8.count != 1 {
            mask(index)
        }
    }

    /// Returns whether a field is empty or contains a time of day.
    func mayBeTime(_ field: Int) -> Bool {
        let text = text(field)
        let whole = text.prefix { $0 != "." }
        return text.isEmpty || whole.utf8.count == 6 && UInt32(whole).map { $0 < 240_000 } == true
    }

    mutating func mask(_ indices: Int...) {
        for index in indices where index < fields.count {
            for place in fields[index] { line[place] = Masked.byte(line[place]) }
        }
    }

    /// Masks everything except the address. Masks the address, too, if it does not begin with a letter.
    ///
    /// Attack: a private program sends `$48.1173,11.5`, with a correct checksum.
    mutating func maskAll() {
        let hasAddress = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(line[1])
        for place in (hasAddress ? fields[0].upperBound : 1)..<star { line[place] = Masked.byte(line[place]) }
    }

    /// Masks the words of a field that contain a digit.
    mutating func maskWordsWithDigits(_ first: Int) {
        guard first < fields.count else { return }
        let isInWord = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "=") }
        var start = fields[first].lowerBound
        while start < star {
            let end = line[start..<star].firstIndex { !isInWord($0) } ?? star
            if line[start..<end].contains(where: { (0x30...0x39).contains($0) }) {
                for place in start..<end { line[place] = Masked.byte(line[place]) }
            }
            start = end + 1
        }
    }

    /// Sets a number with the same number of digits as the field has now. A number that does not fit is masked.
    mutating func setNumber(_ field: Int, _ number: Int) {
        guard field < fields.count else { return }
        setDigits(Array(String(number).utf8), in: fields[field])
    }

    @discardableResult
    private mutating func setDigits(_ digits: [UInt8], in place: Range<Int>) -> Bool {
        guard digits.count <= place.count else {
            for index in place { line[index] = Masked.byte(line[index]) }
            return false
        }
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: place.count - digits.count)
        line.replaceSubrange(place, with: zeros + digits)
        return true
    }

    // MARK: Positions

    /// Returns the latitude from the four fields of a position, in degrees. Returns `nil` if they do not contain a
    /// position, or contain the point at 0° and 0°, which stands for no position.
    func latitude(_ field: Int) -> Double? {
        guard let (latitude, longitude) = position(field), (latitude.value, longitude.value) != (0, 0) else {
            return nil
        }
        return Double(latitude.value) / Double(60 * latitude.unit)
    }

    /// Returns whether four fields contain a position, or are empty.
    func hasPosition(_ field: Int) -> Bool {
        position(field) != nil || (field..<field + 4).allSatisfy { text($0).isEmpty }
    }

    /// Moves the position in four fields. Returns `false` if it does not fit.
    mutating func move(_ field: Int, by shift: PositionShift) -> Bool {
        guard let (latitude, longitude) = position(field) else { return false }
        let moved = latitude.value + latitude.hundredths(3 * shift.latitude)
        guard abs(moved) <= 90 * 60 * latitude.unit else { return false }
        let turn = 360 * 60 * longitude.unit
        var turned = (longitude.value + longitude.hundredths(3 * shift.longitude)) % turn
        if turned >= turn / 2 { turned -= turn }
        if turned < -turn / 2 { turned += turn }
        return set(field, latitude.with(moved), "N", "S") && set(field + 2, longitude.with(turned), "E", "W")
    }

    /// An angle as in a sentence, in units of its last decimal of a minute.
    private struct Angle {
        var value: Int
        /// The number of units in a minute, a power of ten.
        let unit: Int
        let decimals: Int

        func hundredths(_ count: Int) -> Int {
            unit >= 100 ? count * (unit / 100) : (count * unit + (count < 0 ? -50 : 50)) / 100
        }

        func with(_ value: Int) -> Angle { Angle(value: value, unit: unit, decimals: decimals) }
    }

    private func position(_ field: Int) -> (Angle, Angle)? {
        guard let latitude = angle(field, "N", "S"), let longitude = angle(field + 2, "E", "W") else { return nil }
        return (latitude, longitude)
    }

    private func angle(_ field: Int, _ positive: Character, _ negative: Character) -> Angle? {
        let parts = text(field).split(separator: ".", omittingEmptySubsequences: false)
        let letter = text(field + 1).first
        guard (1...2).contains(parts.count), (3...5).contains(parts[0].count), letter == positive || letter == negative,
            parts.allSatisfy({ $0.allSatisfy(\.isASCII) }), let whole = UInt32(parts[0])
        else { return nil }
        let decimals = parts.count == 2 ? parts[1].count : 0
        guard decimals <= 9, let fraction = decimals == 0 ? 0 : UInt32(parts[1]) else { return nil }
        let unit = (0..<decimals).reduce(1) { power, _ in power * 10 }
        let minutes = Int(whole) / 100 * 60 + Int(whole) % 100
        let value = minutes * unit + Int(fraction)
        return Angle(value: letter == positive ? value : -value, unit: unit, decimals: decimals)
    }

    /// Writes an angle in place of the digits of two fields.
    private mutating func set(_ field: Int, _ angle: Angle, _ positive: Character, _ negative: Character) -> Bool {
        let magnitude = abs(angle.value)
        let (minutes, fraction) = (magnitude / angle.unit, magnitude % angle.unit)
        var text = String(minutes / 60 * 100 + minutes % 60)
        let place = fields[field]
        let isPadded = line[place].contains(UInt8(ascii: " "))
        guard !isPadded else { return false }
        let hasPoint = line[place].contains(UInt8(ascii: "."))
        let whole = place.count - angle.decimals - (hasPoint ? 1 : 0)
        guard text.utf8.count <= whole else { return false }
        func padded(_ digits: String, _ count: Int) -> String {
            String(repeating: "0", count: count - digits.utf8.count) + digits
        }
        text = padded(text, whole)
        if hasPoint {
            text += "." + padded(angle.decimals == 0 ? "" : String(fraction), angle.decimals)
        }
        line.replaceSubrange(place, with: text.utf8)
        let letter = angle.value < 0 ? negative : positive
        line.replaceSubrange(fields[field + 1].prefix(1), with: String(letter).utf8)
        return true
    }
}
