internal import LocationCore
internal import LocationProtocol
internal import NIOCore
internal import Varlink

extension Call where Method: ManageMethod {
    /// Replies once the call's change has been written to the disk. Fails with StoreFailed if it could not be written.
    func reply(when written: EventLoopFuture<Void>, _ reply: @escaping () -> Method.Reply) {
        written.assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.reply(reply())
            case .failure(let error): fail(.storeFailed(reason: "\(error)"))
            }
        }
    }
}
