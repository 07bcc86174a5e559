internal import Glibc
package import LocationctlSupport

/// Questions that are asked one after the other, at the terminal or on standard input.
package struct Questions {
    private var input = LineInput()

    package init() {}

    /// Returns the line that answers a question.
    package mutating func ask(_ question: String) throws(Failure) -> String {
        // Before the question: an answer that is typed at once counts.
        input.begin(isTerminal: isatty(STDIN_FILENO) == 1)
        try Terminal.writeOutput(question)
        var line = input.next()
        while line == nil, !input.hasEnded {
            input.receive(TerminalWindow.readOnce())
            line = input.next()
        }
        guard let line else {
            throw Failure(.failed, "there was no answer, and nothing was changed: --yes answers on the command line")
        }
        return line
    }

    /// Returns the answer to a yes-or-no question.
    package mutating func confirm(_ question: String, preferred: Bool) throws(Failure) -> Bool {
        while true {
            if let answer = SetupText.answer(try ask(question), preferred: preferred) { return answer }
            try Terminal.writeOutput(SetupText.yesOrNo)
        }
    }

    /// Returns the line that answers a question, which the terminal does not show.
    package mutating func askSecretly(_ question: String) throws(Failure) -> String {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return try ask(question) }
        var hidden = shown
        // Ctrl-C becomes a character of the line: as a signal it would end the program, and leave the terminal silent.
        hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        let line = try ask(question)
        try Terminal.writeOutput("\n")
        guard line.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Failure(.failed, "the answer has a control character, and nothing was changed")
        }
        return line
    }
}
