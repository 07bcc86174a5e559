internal import Glibc
internal import NIOCore

/// An outlet that readers get sentences from. Confined to the event loop.
///
/// An outlet reports the arrival of the first reader and the departure of the last one. A slow reader loses sentences,
/// without affecting the others. Input from readers is read and dropped.
protocol SentenceOutlet: AnyObject {
    /// Admits readers. A failure is retried with growing delays until the outlet is closed.
    func open()
    /// Disconnects all readers, and admits no more. Does nothing if the outlet is closed.
    func close()
    /// Writes sentences to all readers, without waiting for any of them.
    func write(_ sentences: ByteBuffer)
    /// Drops the sentences that a new reader would get at once.
    func forget()
}

extension SentenceOutlet {
    func forget() {}
}

/// The failure of an outlet, in words.
struct OutletFailure: Error, CustomStringConvertible {
    let description: String

    init(description: String) { self.description = description }

    /// Creates the failure of a system call, with its error number.
    init(_ what: String, _ errno: CInt) { description = "\(what): \(String(cString: strerror(errno)))" }
}
