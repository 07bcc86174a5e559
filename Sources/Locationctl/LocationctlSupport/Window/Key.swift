/// A key that the user pressed.
package enum Key: Equatable {
    case up, down, enter, escape, tab, home, end, pageUp, pageDown, backspace
    /// The mouse's wheel.
    case wheelUp, wheelDown
    case character(Character)
    /// Ctrl-C, which is not a signal in raw mode.
    case interrupt
    /// Ctrl-Z, likewise.
    case suspend
}

/// A decoder of a terminal's input into keys: ASCII characters and ECMA-48 control sequences.
///
/// Pasted text (between the marks of bracketed paste) yields no keys: an `a` in it would be an answer.
package struct KeyDecoder {
    private enum State: Equatable {
        case ground
        case escape
        /// A control sequence with its parameter bytes. At most 16 are kept, more than any known sequence has.
        case sequence([UInt8])
        /// The one byte after ESC O (a cursor key in application mode).
        case single
        /// The bytes of a mouse report in xterm's first encoding, which are not keys.
        case mouse(rest: Int)
    }

    private var state = State.ground
    private var isPasting = false

    package init() {}

    /// Returns the keys in a chunk of input. An ESC at the end of the chunk is the Escape key: a terminal sends a
    /// sequence in one piece, and the caller waits a moment for the rest of it.
    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            // Ctrl-C ends the agent even if the end of a paste is lost.
            if let key = decode(byte), !isPasting || key == .interrupt { keys.append(key) }
        }
        if state == .escape {
            state = .ground
            if !isPasting { keys.append(.escape) }
        }
        return keys
    }

    private mutating func decode(_ byte: UInt8) -> Key? {
        switch (state, byte) {
        case (_, 0x1B):
            state = .escape
            return nil
        case (.ground, _): return Self.plain(byte)
        case (.escape, UInt8(ascii: "[")): state = .sequence([])
        case (.escape, UInt8(ascii: "O")): state = .single
        // Alt with a key is not an answer.
        case (.escape, _): state = .ground
        case (.single, _):
            state = .ground
            return Self.cursor(byte)
        case (.sequence(let parameters), 0x20...0x3F):
            if parameters.count < 16 { state = .sequence(parameters + [byte]) }
        case (.sequence(let parameters), _):
            state = parameters.isEmpty && byte == UInt8(ascii: "M") ? .mouse(rest: 3) : .ground
            return sequence(parameters, byte)
        case (.mouse(let rest), _): state = rest > 1 ? .mouse(rest: rest - 1) : .ground
        }
        return nil
    }

    /// Returns the key of a control sequence.
    private mutating func sequence(_ parameters: [UInt8], _ last: UInt8) -> Key? {
        switch (String(decoding: parameters, as: UTF8.self), last) {
        case ("200", UInt8(ascii: "~")): isPasting = true
        case ("201", UInt8(ascii: "~")): isPasting = false
        case ("1", UInt8(ascii: "~")), ("7", UInt8(ascii: "~")): return .home
        case ("4", UInt8(ascii: "~")), ("8", UInt8(ascii: "~")): return .end
        case ("5", UInt8(ascii: "~")): return .pageUp
        case ("6", UInt8(ascii: "~")): return .pageDown
        // xterm's encoding 1006: the button, the column and the row.
        case (let mouse, UInt8(ascii: "M")) where mouse.hasPrefix("<64;"): return .wheelUp
        case (let mouse, UInt8(ascii: "M")) where mouse.hasPrefix("<65;"): return .wheelDown
        case ("", _): return Self.cursor(last)
        default: break
        }
        return nil
    }

    private static func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x03: .interrupt
        case 0x1A: .suspend
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x20..<0x7F: .character(Character(Unicode.Scalar(byte)))
        default: nil
        }
    }

    private static func cursor(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        default: nil
        }
    }
}
