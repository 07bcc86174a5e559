internal import ForeignText
package import Logging

/// A log handler that passes on each entry as a single line that cannot control a terminal, despite any foreign text.
///
/// Foreign text is cleaned earlier, too. This last step makes a forgotten message harmless.
package struct CleanLogHandler: LogHandler {
    private var base: any LogHandler

    package init(_ base: any LogHandler) {
        self.base = base
    }

    package var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue.mapValues { Self.clean($0) } }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue.map { Self.clean($0) } }
    }

    package func log(event: LogEvent) {
        var event = event
        let message = event.error.map { "\(event.message): \($0)" } ?? "\(event.message)"
        event.error = nil
        event.message = "\(ForeignText.line(message))"
        event.metadata = event.metadata?.mapValues { Self.clean($0) }
        base.log(event: event)
    }

    private static func clean(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(ForeignText.line("\(value)"))
    }
}
