package import Logging

extension Logger {
    /// Creates the log of a service. It writes to the journal if standard error is connected to it, and to standard
    /// error otherwise, in both cases without control characters.
    ///
    /// - Parameters:
    ///   - name: The service's name in the journal.
    ///   - environment: The environment. systemd describes standard error in JOURNAL_STREAM: systemd.exec(5).
    package init(service name: String, environment: [String: String], level: Logger.Level) {
        let isJournal = JournalLogHandler.isStandardErrorTheJournal(environment["JOURNAL_STREAM"])
        self.init(label: name) { label -> any LogHandler in
            CleanLogHandler(
                isJournal ? JournalLogHandler(identifier: name) : StreamLogHandler.standardError(label: label))
        }
        logLevel = level
    }
}
