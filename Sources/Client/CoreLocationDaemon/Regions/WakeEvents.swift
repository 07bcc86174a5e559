internal import Foundation
internal import LocationClient
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// The events that started this process, kept until they are consumed. Confined to the event loop, except for `path`.
///
/// Significant changes and visits go to the first manager that monitors them. Region events go to all observers of
/// the app's regions.
final class WakeEvents: Sendable {
    /// The maximum number of kept events of each kind. Beyond it, the oldest are dropped.
    private static let limit = 64

    /// The kinds of events.
    enum Kind: Sendable {
        case changes, visits, crossings
    }

    private struct State {
        var changes: [Location] = []
        var visits: [Visit] = []
        var crossings: [RegionEvent] = []
        var isListening = false
    }

    private let socket: ActivationSocket?
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>
    private let observers: Observers<Kind>

    init(_ socket: ActivationSocket?, on loop: any EventLoop) {
        self.socket = socket
        self.loop = loop
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
        observers = Observers(on: loop)
    }

    /// The path of the socket that starts the app, or `nil` if there is none.
    var path: String? { socket?.path }

    /// Starts listening to the socket, and calls `body` for each event.
    func observe(_ body: @escaping @Sendable (Kind) -> Void) -> CancellationHandle {
        if !state.value.isListening, let socket {
            state.value.isListening = true
            socket.listen { [self] line in
                guard let event = try? JSONDecoder().decode(Event.self, from: line) else { return }
                loop.execute { [self] in handle(event) }
            }
        }
        return observers.add(body)
    }

    func consumeChanges() -> [Location] { consume(\.changes) }
    func consumeVisits() -> [Visit] { consume(\.visits) }
    func consumeCrossings() -> [RegionEvent] { consume(\.crossings) }

    private func consume<Element>(_ path: WritableKeyPath<State, [Element]>) -> [Element] {
        defer { state.value[keyPath: path] = [] }
        return state.value[keyPath: path]
    }

    private func handle(_ event: Event) {
        switch event {
        case .change(let location): add(location, to: \.changes, .changes)
        case .visit(let visit): add(visit, to: \.visits, .visits)
        case .crossing(let crossing): add(crossing, to: \.crossings, .crossings)
        case .other: break
        }
    }

    private func add<Element>(_ element: Element, to path: WritableKeyPath<State, [Element]>, _ kind: Kind) {
        state.value[keyPath: path] = state.value[keyPath: path].suffix(Self.limit - 1) + [element]
        observers.notify(kind)
    }
}

extension WakeEvents {
    /// An event, decoded from a line of the daemon: `{"method": …, "parameters": the stream's reply}`.
    private enum Event: Decodable {
        case change(Location)
        case visit(Visit)
        case crossing(RegionEvent)
        case other

        private enum CodingKeys: CodingKey {
            case method, parameters
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            let method = try values.decode(String.self, forKey: .method)
            func reply<M: LocationMethod>(_: M.Type) throws -> M.Reply {
                try values.decode(M.Reply.self, forKey: .parameters)
            }
            switch method {
            case MonitorSignificantChanges.qualifiedName:
                self = try reply(MonitorSignificantChanges.self).update?.location.map { .change($0) } ?? .other
            case MonitorVisits.qualifiedName:
                self = try reply(MonitorVisits.self).visit.map { .visit($0) } ?? .other
            case MonitorRegions.qualifiedName:
                self = try reply(MonitorRegions.self).event.map { .crossing($0) } ?? .other
            default: self = .other
            }
        }
    }
}
