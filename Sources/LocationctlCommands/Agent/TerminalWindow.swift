internal import Glibc

/// The terminal while the agent has it: keys come one by one, and what stood there before comes back at the end.
///
/// termios(3); the private modes are xterm's, which all terminals in use know: 1049 (alternate screen), 25 (cursor), 2004
/// (bracketed paste).
struct TerminalWindow {
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"
    private static let leave = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"

    private let saved: termios
    private let inColour: Bool

    /// Takes the terminal of standard input and output.
    init() throws(Failure) {
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else {
            throw Failure(.failed, "the terminal cannot be set up: \(String(cString: strerror(errno)))")
        }
        saved = attributes
        inColour = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        take()
    }

    /// Puts it into raw mode; again after a stop, when the shell has had it.
    func take() {
        var raw = saved
        // Signals are keys here, since each way out has to restore the terminal. Output is left as it is.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | ISTRIP)
        // What was typed before is no answer to a question that nobody had seen.
        Self.set(raw)
        Terminal.writeOutput(Self.enter)
    }

    /// Gives it back as it was.
    func restore() {
        Terminal.writeOutput(Self.leave)
        Self.set(saved)
    }

    /// Sets the attributes when everything that was written has left, and drops what was typed. A signal interrupts that.
    private static func set(_ attributes: termios) {
        var attributes = attributes
        while tcsetattr(STDIN_FILENO, TCSAFLUSH, &attributes) != 0, errno == EINTR {}
    }

    /// Stops the program, as Ctrl-Z asks for, and takes the terminal again when it goes on.
    func stop() {
        restore()
        // SIGTSTP would wait until it is no longer blocked, as it is in the threads that run tasks.
        raise(SIGSTOP)
        take()
    }

    /// Its columns and rows; 80 by 24 where it does not tell.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws all lines, each over what stood there: nothing flickers.
    func draw(_ lines: [ScreenLine]) {
        var text = "\u{1B}[H"
        for (index, line) in lines.enumerated() {
            text += line.drawn(inColour: inColour) + "\u{1B}[K" + (index < lines.count - 1 ? "\r\n" : "")
        }
        Terminal.writeOutput(text + "\u{1B}[J")
    }

    /// Waits for input, at most 256 bytes; an ESC at the end of it waits a moment for the rest of its sequence. Empty at
    /// the end of the input. Blocks.
    static func read() -> [UInt8] {
        var bytes = readOnce()
        while bytes.last == 0x1B, bytes.count < 512 {
            var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 50) > 0 else { break }
            let more = readOnce()
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// What standard input has, waiting for it; empty at its end.
    static func readOnce() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            var got = 0
            repeat { got = Glibc.read(STDIN_FILENO, buffer.baseAddress!, 256) } while got < 0 && errno == EINTR
            count = max(0, got)
        }
    }
}
