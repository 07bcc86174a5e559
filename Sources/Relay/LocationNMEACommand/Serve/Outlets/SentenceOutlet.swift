internal import Glibc
internal import NIOCore

/// One of the ways a reader gets sentences. Confined to the event loop.
///
/// An outlet reports when the first reader comes and when the last one leaves. A reader that does not keep up loses
/// sentences, and nobody else does. What a reader writes is read and dropped.
protocol SentenceOutlet: AnyObject {
    /// Lets readers in. What fails is tried again, with growing delays, until it is closed.
    func open()
    /// Shuts readers out, those that are there too. Does nothing if it is closed.
    func close()
    /// Writes sentences to all readers, without waiting for any of them.
    func write(_ sentences: ByteBuffer)
    /// Forgets the sentences that a further reader would get at once.
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
