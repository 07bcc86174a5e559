internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
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
            var entries = history.indicator.entries(
                of: manager.managed, at: clock(), hidesMovement: !manager.seesMovement)
            for index in entries.indices {
                entries[index].displayName = descriptions.displayName(ofApp: entries[index].app)
                let isExact = entries[index].active && entries[index].accuracy == .full
                if isExact, manager.seesMovement { entries[index].doubts = doubts }
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
