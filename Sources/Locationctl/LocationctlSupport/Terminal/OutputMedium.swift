/// The destination of text for users: a window of some width, or anything else, which gets the full text.
package struct OutputMedium: Equatable, Sendable {
    /// The number of columns of the window, or `nil` if lines may have any width.
    package var columns: Int?
    package var capabilities: TerminalCapabilities
    /// The clock of the times.
    package var time = LocalTime.machine

    /// A pipe or a file: all columns, no colours, names as they are, and times in UTC.
    package static let pipe = OutputMedium(
        columns: nil, capabilities: TerminalCapabilities(hasColour: false), time: .utc)

    /// Returns the medium of this process's standard output.
    ///
    /// - Parameters:
    ///   - isWhole: `true` if lines in a window are as long as in a pipe.
    ///   - isUTC: `true` if times in a window are in UTC, as in a pipe.
    package static func current(isWhole: Bool = false, isUTC: Bool = false) -> OutputMedium {
        guard Terminal.isOutputTerminal else { return pipe }
        return OutputMedium(
            columns: isWhole ? nil : TerminalWindow.outputSize.columns, capabilities: .current,
            time: isUTC ? .utc : .machine)
    }

    /// Returns a row as a line with its end.
    package func line(_ row: TextRow) -> String { row.drawn(capabilities) + "\n" }

    /// Returns a text broken into lines of a width. A command between backticks stays on one line if possible, so that
    /// it can be copied.
    package static func wrapped(_ text: String, columns: Int) -> [String] {
        let blank: Character = "\u{A0}"
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            let isCommand = index % 2 == 1 && DisplayText.columns(part) + 2 <= columns
            return isCommand ? String(part.map { $0 == " " ? blank : $0 }) : String(part)
        }
        return DisplayText.wrapped(parts.joined(separator: "`"), columns: columns).map { line in
            String(line.map { $0 == blank ? " " : $0 })
        }
    }

    /// Returns sentences as lines that break at spaces. All lines after the first are indented.
    package func lines(_ text: String, _ style: TextRow.Style = .plain, indentation: Int = 0) -> String {
        guard let columns else { return line(TextRow(text, style)) }
        let parts = Self.wrapped(text, columns: columns - indentation)
        return parts.enumerated().map { index, part in
            var row = TextRow()
            if index > 0 { row.pad(to: indentation) }
            row.append(part, style)
            return line(row)
        }.joined()
    }
}

/// The state of something at a glance. The words beside it say the same.
package enum Mark {
    case good, waiting, wrong, off

    package var style: TextRow.Style {
        switch self {
        case .good: .good
        case .waiting: .warning
        case .wrong: .problem
        case .off: .hint
        }
    }

    /// Returns the character for a terminal with these capabilities.
    package func text(_ capabilities: TerminalCapabilities) -> String {
        guard !capabilities.hasUnicode else { return self == .off ? "○" : "●" }
        return switch self {
        case .good: "+"
        case .waiting: "~"
        case .wrong: "!"
        case .off: "-"
        }
    }
}
