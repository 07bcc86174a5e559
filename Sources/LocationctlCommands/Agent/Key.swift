/// What a user pressed.
enum Key: Equatable {
    case up, down, enter, escape
    case character(Character)
    /// Ctrl-C, which in raw mode is no signal.
    case interrupt
    /// Ctrl-Z, likewise.
    case suspend
}

/// Makes keys of what a terminal sends: ECMA-48 control sequences and UTF-8.
///
/// What is pasted (between the marks of bracketed paste) is no key: a text that holds an `a` would be an answer.
struct KeyDecoder {
    private enum State: Equatable {
        case ground
        case escape
        /// Within a control sequence, with its parameter bytes; longer ones than any that is known are cut.
        case sequence([UInt8])
        /// One more byte of ESC O (the cursor keys of application mode).
        case single
    }

    private var state = State.ground
    private var isPasting = false

    /// The keys of a piece of input. An ESC at its end is the key: the terminal sends a sequence in one piece, and the
    /// caller waits a moment for what follows.
    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            // Ctrl-C ends the agent also where the end of a paste is lost.
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
        // Alt with a key: no answer is given that way.
        case (.escape, _): state = .ground
        case (.single, _):
            state = .ground
            return Self.cursor(byte)
        case (.sequence(let parameters), 0x20...0x3F):
            if parameters.count < 16 { state = .sequence(parameters + [byte]) }
        case (.sequence(let parameters), _):
            state = .ground
            if byte == UInt8(ascii: "~") {
                if parameters == Array("200".utf8) { isPasting = true }
                if parameters == Array("201".utf8) { isPasting = false }
            }
            return parameters.isEmpty ? Self.cursor(byte) : nil
        }
        return nil
    }

    private static func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x03: .interrupt
        case 0x1A: .suspend
        case 0x0A, 0x0D: .enter
        case 0x20..<0x7F: .character(Character(Unicode.Scalar(byte)))
        default: nil
        }
    }

    private static func cursor(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        default: nil
        }
    }
}
