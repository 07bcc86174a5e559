internal import LocationCore
internal import LocationProtocol
internal import NIOCore
internal import Varlink

extension Call where Method: ManageMethod {
    /// Replies once the call's change has been written to the disk. Fails with StoreFailed if it could not be written.
    func reply(when written: EventLoopFuture<Void>, _ reply: @escaping () -> Method.Reply) {
        self.reply(with: written) { _ in reply() }
    }

    /// Replies with the result of the call's change once it has been written to the disk. Fails as above.
    func reply<Value: Sendable>(with written: EventLoopFuture<Value>, _ reply: @escaping (Value) -> Method.Reply) {
        written.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let value): self.reply(reply(value))
            case .failure(is SurroundingsUnknown): fail(.surroundingsUnknown)
            case .failure(let error): fail(.storeFailed(reason: "\(error)"))
            }
        }
    }
}
