import Foundation

/// The compiler's sanitizers (`make sanitize`).
package enum Sanitizer {
    /// A Boolean value indicating whether the programs run under one. They need several times their memory then, and
    /// keep what they free, to find out who uses it.
    package static let isRunning = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
}
