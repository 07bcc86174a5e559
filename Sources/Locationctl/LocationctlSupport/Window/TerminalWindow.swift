internal import Glibc
internal import NIOPosix

/// The whole terminal as a program's window: keys arrive one by one, and the previous contents return at the end.
///
/// See termios(3). The private modes are xterm's, which all current terminals support: 1049 (alternate screen), 25
/// (cursor), 2004 (bracketed paste), and for the wheel 1000 (mouse reports) in the encoding 1006.
package struct TerminalWindow {
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"
    private static let leave = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
    private static let followMouse = "\u{1B}[?1000h\u{1B}[?1006h"
    private static let leaveMouse = "\u{1B}[?1006l\u{1B}[?1000l"

    private let saved: termios
    /// A Boolean value indicating whether the terminal reports the wheel. Meanwhile, selecting text needs Shift.
    private let hasWheel: Bool

    /// Takes over the terminal of standard input and output.
    package init(hasWheel: Bool = false) throws(Failure) {
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else {
            throw Failure(.failed, "cannot set up the terminal: \(String(cString: strerror(errno)))")
        }
        saved = attributes
        self.hasWheel = hasWheel
        enterRawMode()
    }

    /// Puts the terminal into raw mode, also after a stop, when the shell has used it.
    package func enterRawMode() {
        var raw = saved
        // Signals are keys here, since each exit must restore the terminal. Output processing is left as it is.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | ISTRIP)
        // Pending input is dropped: it must not answer a prompt that the user has not seen.
        Self.set(raw)
        try? Terminal.writeOutput(Self.enter + (hasWheel ? Self.followMouse : ""))
    }

    /// Restores the terminal's contents and attributes.
    package func restore() {
        try? Terminal.writeOutput((hasWheel ? Self.leaveMouse : "") + Self.leave)
        Self.set(saved)
    }

    /// Sets the attributes once all output has been sent, and drops pending input. A signal interrupts the call.
    private static func set(_ attributes: termios) {
        var attributes = attributes
        while tcsetattr(STDIN_FILENO, TCSAFLUSH, &attributes) != 0, errno == EINTR {}
    }

    /// Stops the program, as Ctrl-Z requests, and takes the terminal over again when the program continues.
    package func stop() {
        restore()
        // SIGTSTP would stay pending, since it is blocked in the threads that run tasks.
        raise(SIGSTOP)
        enterRawMode()
    }

    /// The number of columns and rows, or 80 by 24 if the terminal does not report it.
    package var size: (columns: Int, rows: Int) { Self.outputSize }

    /// The same for any program whose standard output is a terminal.
    package static var outputSize: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws the lines over the previous contents, without flicker.
    package func draw(_ lines: [String]) {
        let text = lines.enumerated().map { "\u{1B}[\($0.offset + 1);1H" + $0.element + "\u{1B}[K" }.joined()
        write(text + "\u{1B}[J")
    }

    /// Writes text that updates the contents.
    package func write(_ text: String) {
        if !text.isEmpty { try? Terminal.writeOutput(text) }
    }

    /// Waits for input and returns it; empty at the end of the input.
    package static func input() async -> [UInt8] {
        (try? await NIOThreadPool.singleton.runIfActive { read() }) ?? []
    }

    /// Blocks until there is input and returns it; empty at the end of the input. An ESC at the end of a chunk may
    /// begin a sequence, so the rest is awaited for 50 ms.
    package static func read() -> [UInt8] {
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

    /// Blocks until there is input and returns up to 256 bytes; empty at the end of the input.
    package static func readOnce() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
            var got = 0
            repeat { got = Glibc.read(STDIN_FILENO, buffer.baseAddress!, 256) } while got < 0 && errno == EINTR
            count = max(0, got)
        }
    }
}
