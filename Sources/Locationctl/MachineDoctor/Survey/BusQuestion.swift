internal import Bus
internal import EventLoopSupport
internal import LocationctlSupport
internal import NIOCore

/// A query of a service on the system bus. The service is not started for it.
struct BusQuestion {
    /// The timeout for the service.
    private static let limit = TimeAmount.seconds(5)

    private let bus: Bus
    private let service: BusService

    /// Returns the objects of a service, or `nil` if it is not running or does not answer.
    static func objects<Object: Sendable>(
        of name: String, at path: String, _ read: @escaping @Sendable (BusMessage) -> [Object]?
    ) -> [Object]? {
        ask(name) { question, answer in question.service.objects(at: path, timeout: limit, read, answer) }
    }

    /// Returns the process and the user that own the name of a service, or `nil` if the name has no owner.
    static func owner(of name: String) -> (pid: Int32, uid: UInt32)? {
        ask(name) { question, answer in
            let owner = question.service.owner ?? ""
            question.bus.connection.call(BusDriver.getCredentials, [.string(owner)]) { reply in
                if case .message(let message) = reply { answer(message.readCredentials()) } else { answer(nil) }
            }
        }
    }

    /// Calls `body` with the service, once it is found, and with a function for the answer. Waits for the answer.
    private static func ask<Answer: Sendable>(
        _ name: String, _ body: @escaping @Sendable (BusQuestion, @escaping (Answer?) -> Void) -> Void
    ) -> Answer? {
        let loop = DaemonConnection.loop
        let answer: Answer?? = try? loop.flatSubmit {
            let promise = loop.makePromise(of: Answer?.self)
            guard let poller = try? DescriptorPoller(on: loop) else {
                promise.succeed(nil)
                return promise.futureResult
            }
            let bus = Bus(poller: poller, on: loop)
            let question = BusQuestion(bus: bus, service: BusService(name, on: bus))
            let timer = LoopTimer(on: loop)
            func finish(_ answer: Answer?) {
                guard question.service.onEvent != nil else { return }
                question.service.onEvent = nil
                timer.cancel()
                bus.stop()
                poller.stop()
                promise.succeed(answer)
            }
            question.service.onEvent = { event in
                if case .found = event { body(question, finish) } else { finish(nil) }
            }
            timer.set(in: limit) { finish(nil) }
            question.service.open()
            return promise.futureResult
        }.wait()
        return answer ?? nil
    }
}
