internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// The calls about the access history: the indicator and the access log.
struct HistoryCalls {
    let history: AccessHistory
    let descriptions: AppDescriptions
    let observers: ListObservers
    let receivers: ReceiverControl
    let clock: () -> Timestamp

    func getIndicator(_ call: Call<GetIndicator>, _: UserScope, _ manager: ManagementAccess.Manager) {
        observers.show(call, about: .indicator) {
            let doubts = receivers.doubts
            let entries = history.indicator.entries(of: manager.managed, at: clock()).map { entry in
                var entry = entry
                entry.displayName = descriptions.displayName(ofApp: entry.app)
                if !manager.seesMovement {
                    entry.lastUse = AccuracyReducer.tick(atOrBefore: entry.lastUse)
                } else if entry.active, entry.accuracy == .full {
                    entry.doubts = doubts
                }
                return entry
            }
            return GetIndicator.Reply(apps: entries)
        }
    }

    func getAccessLog(_ call: Call<GetAccessLog>, _: UserScope, _ manager: ManagementAccess.Manager) {
        history.log.entries(of: manager.managed).assumeIsolated().whenComplete { result in
            switch result {
            case .success(var entries):
                if !manager.seesMovement { for index in entries.indices { entries[index].deliveries = nil } }
                PageSender(call).send(GetAccessLog.Reply(entries: entries), continues: false)
            case .failure(let error): call.fail(.storeFailed(reason: "\(error)"))
            }
        }
    }
}
