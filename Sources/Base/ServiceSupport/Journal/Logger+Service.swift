package import Logging

extension Logger {
    /// Creates the log of a service: in the journal if its standard error is there, else in standard error, in either
    /// case without control characters.
    ///
    /// - Parameters:
    ///   - name: The service's name in the journal.
    ///   - environment: The environment, where systemd says what standard error is: JOURNAL_STREAM of
    ///     systemd.exec(5).
    package init(service name: String, environment: [String: String], level: Logger.Level) {
        let isJournal = JournalLogHandler.isStandardErrorTheJournal(environment["JOURNAL_STREAM"])
        self.init(label: name) { label -> any LogHandler in
            CleanLogHandler(
                isJournal ? JournalLogHandler(identifier: name) : StreamLogHandler.standardError(label: label))
        }
        logLevel = level
    }
}
