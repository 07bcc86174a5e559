internal import LocationProtocol
internal import NIOCore
internal import Varlink

extension LocationClient {
    /// Returns a call that is answered at once, on the connection shared by all such calls.
    func quick<M: LocationMethod, Value>(
        _ method: M.Type, _ parameters: M.Parameters, _ value: @escaping @Sendable (M.Reply) -> Value
    ) -> UnsentCall<Value> {
        UnsentCall { [control] run in
            control.call(method, parameters) { run.finish($0.map(value)) }
        }
    }

    /// Returns a call that may be answered late, on its own connection, which is closed if the call is cancelled.
    func slow<M: LocationMethod, Value>(
        _ method: M.Type, _ parameters: M.Parameters, _ value: @escaping @Sendable (M.Reply) -> Value
    ) -> UnsentCall<Value> {
        UnsentCall { [control, daemon] run in
            control.open()
            daemon.onLoop {
                daemon.connect().assumeIsolated().whenComplete { result in
                    do {
                        let client = try result.get()
                        run.onCancel { client.close() }
                        try client.replies(to: M.qualifiedName, parameters).next().assumeIsolated().whenComplete {
                            run.finish(LocationError.result(of: $0, path: daemon.path).map(value))
                            client.close()
                        }
                    } catch {
                        run.finish(.failure(LocationError(error, path: daemon.path)))
                    }
                }
            }
        }
    }
}
