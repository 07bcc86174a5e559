import CBench
import Glibc

/// The connections of one subject's subscribers, all read on the calling thread.
final class Subscribers {
    private struct Subscriber {
        let descriptor: CInt
        /// The beginning of a message that has not arrived completely.
        var partial: [UInt8] = []
        var isWaiting = false
    }

    private let framing: Framing
    private let events: CInt
    private var subscribers: [Subscriber] = []
    private var waiting = 0
    private var mark: [UInt8] = []
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init(framing: Framing) throws {
        self.framing = framing
        events = events_create()
        guard events >= 0 else { throw Failure("epoll_create1", errno: -events) }
    }

    deinit {
        for subscriber in subscribers { close(subscriber.descriptor) }
        close(events)
        chunk.deallocate()
    }

    var count: Int { subscribers.count }

    /// Adds a connection and takes ownership of it.
    func add(_ socket: Socket) throws {
        let failure = events_add(events, socket.descriptor, UInt64(subscribers.count))
        guard failure == 0 else { throw Failure("epoll_ctl", errno: failure) }
        subscribers.append(Subscriber(descriptor: socket.descriptor))
    }

    /// Makes every subscriber wait for the event with this mark. Called before an epoch is sent.
    func expect(_ mark: String) {
        self.mark = Array(mark.utf8)
        waiting = subscribers.count
        for index in subscribers.indices { subscribers[index].isWaiting = true }
    }

    /// Reads until all subscribers have received the event. Returns the time at which the last one had it, or `nil`
    /// if `deadline` has passed.
    func awaitAll(deadline: Int64) throws -> Int64? {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 256) { ids in
            while true {
                let left = deadline - monotonicNow()
                guard left > 0 else { return nil }
                let ready = events_wait(events, ids.baseAddress!, 256, CInt(left / 1_000_000 + 1))
                for id in ids.prefix(Int(ready)) { try read(Int(id)) }
                if waiting == 0 { return monotonicNow() }
            }
        }
    }

    private func read(_ index: Int) throws {
        let count = recv(subscribers[index].descriptor, chunk.baseAddress, chunk.count, CInt(MSG_DONTWAIT))
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            throw Failure("subscriber \(index) was disconnected")
        }
        var rest = UnsafeRawBufferPointer(rebasing: chunk[..<count])
        while let end = memchr(rest.baseAddress!, CInt(framing.terminator), rest.count) {
            let length = UnsafeRawPointer(end) - rest.baseAddress!
            let message = UnsafeRawBufferPointer(rebasing: rest[..<length])
            if subscribers[index].partial.isEmpty {
                take(message, index)
            } else {
                subscribers[index].partial += message
                let whole = subscribers[index].partial
                whole.withUnsafeBytes { take($0, index) }
                subscribers[index].partial = []
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...])
            if rest.isEmpty { return }
        }
        subscribers[index].partial += rest
    }

    private func take(_ message: UnsafeRawBufferPointer, _ index: Int) {
        guard subscribers[index].isWaiting, message.count >= framing.prefix.count,
            memcmp(message.baseAddress!, framing.prefix, framing.prefix.count) == 0,
            bytes_contain(message.baseAddress!, message.count, mark, mark.count) != 0
        else { return }
        subscribers[index].isWaiting = false
        waiting -= 1
    }
}
