import CLinux
package import Foundation

/// A terminal that keeps everything written to it as text.
package final class PseudoTerminal {
    /// The side that a program uses for its standard streams.
    package let slave: CInt
    private let master: CInt
    private var bytes: [UInt8] = []
    private var size: winsize

    package init(columns: UInt16, rows: UInt16) throws {
        size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var path = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        master = pty_open(&path)
        guard master >= 0 else { throw POSIXError(number: -master) }
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw POSIXError.last }
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
        // The settings of a login shell's terminal.
        var attributes = attributes
        attributes.c_lflag |= tcflag_t(ICANON | ECHO | ISIG)
        attributes.c_iflag |= tcflag_t(ICRNL)
        _ = tcsetattr(slave, TCSANOW, &attributes)
    }

    deinit {
        close(slave)
        close(master)
    }

    /// Changes the size of the window. Programs that do not have it as their controlling terminal get no signal.
    package func resize(columns: UInt16, rows: UInt16) {
        size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    }

    package var attributes: termios {
        var attributes = termios()
        tcgetattr(slave, &attributes)
        return attributes
    }

    /// The text written so far. Reading it does not block.
    package var text: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines on the screen of a program that moves the cursor.
    package var screen: String {
        var emulator = ScreenEmulator(columns: Int(size.ws_col), rows: Int(size.ws_row))
        emulator.write(text)
        return emulator.lines.joined(separator: "\n")
    }

    package func type(_ keys: String) {
        let keys = Array(keys.utf8)
        _ = write(master, keys, keys.count)
    }
}
