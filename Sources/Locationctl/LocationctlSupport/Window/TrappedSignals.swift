@preconcurrency internal import Dispatch

/// Signals to this process, received instead of ending it.
package enum TrappedSignals {
    /// Returns a stream of the numbers of arriving signals.
    package static func stream(of numbers: [CInt]) async -> AsyncStream<CInt> {
        let queue = DispatchQueue(label: "signals")
        let sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        let (stream, continuation) = AsyncStream.makeStream(of: CInt.self)
        continuation.onTermination = { _ in
            for source in sources { source.cancel() }
        }
        for (number, source) in zip(numbers, sources) {
            source.setEventHandler { continuation.yield(number) }
            // Until the source is registered, the signal has its usual effect.
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
        return stream
    }
}
