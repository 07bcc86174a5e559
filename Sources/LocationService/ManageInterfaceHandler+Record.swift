internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// What was sent to whom.
extension ManageInterfaceHandler {
    /// The handlers by the method's name.
    var recordHandlers: [String: VarlinkService.Handler] {
        [
            GetIndicator.name: { (call) throws(VarlinkError) in
                let scope = try call.parameters(as: GetIndicator.Parameters.self)
                let uid = try self.visibleUser(scope.uid, to: call)
                self.observe(call, about: .indicator) { $0.indicatorEntries(of: uid) }
            },
            GetAccessLog.name: { (call) throws(VarlinkError) in
                let scope = try call.parameters(as: GetAccessLog.Parameters.self)
                let uid = try self.visibleUser(scope.uid, to: call)
                self.engine.record.log.entries(of: uid).assumeIsolated().whenComplete { result in
                    switch result {
                    case .success(let entries): self.reply(GetAccessLog.Reply(entries: entries), to: call)
                    case .failure(let error): call.fail(.manage(.storeFailed(reason: "\(error)")))
                    }
                }
            },
        ]
    }

    private func indicatorEntries(of uid: UInt32?) -> GetIndicator.Reply {
        let entries = engine.record.indicator.entries(of: uid, at: engine.clock()).map { entry in
            var entry = entry
            entry.displayName = displayName(ofApp: entry.app)
            return entry
        }
        return GetIndicator.Reply(apps: entries)
    }
}
