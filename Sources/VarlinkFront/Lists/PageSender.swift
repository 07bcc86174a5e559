internal import LocationCore
internal import LocationProtocol
internal import Varlink

/// Sends lists to one call: each in as many replies as it takes, each reply when the socket has taken the one before it.
///
/// Attack: what an ungranted user's apps add to a list made a reply that no client reads, which ended root's agent and its
/// `locationctl apps`. With pages, the list has no length that matters; with one page at a time, a client that does not read
/// costs one page of memory and no time.
///
/// Confined to the event loop.
final class PageSender<Method: ManageMethod> where Method.Reply: Page {
    /// The size of a page, in bytes of JSON. A page has one element at least; the longest, a name of 4,096 bytes among
    /// it, is far below the size.
    private let pageSize = 32_768

    /// Called when a list was sent and taken by the socket.
    var onSent: (() -> Void)?
    private let call: Call<Method>

    init(_ call: Call<Method>) {
        self.call = call
    }

    /// Sends a list. The one before it must have been sent.
    ///
    /// - Parameters:
    ///   - list: What of it is not in `elements` goes with the first page.
    ///   - continues: Whether other lists follow. Otherwise the last page ends the call.
    func send(_ list: Method.Reply, continues: Bool) {
        send(list, rest: list.elements[...], continues: continues)
    }

    private func send(_ template: Method.Reply, rest: ArraySlice<Method.Reply.Element>, continues: Bool) {
        guard !call.isEnded else { return }
        let count = elementsOfAPage(rest)
        let next = rest.dropFirst(count)
        var page = template
        page.elements = Array(rest.prefix(count))
        page.continued = next.isEmpty ? nil : true
        if call.more, continues || !next.isEmpty { call.send(page) } else { call.reply(page) }
        call.connection.whenSent { [self] in
            if next.isEmpty { onSent?() } else { send(Method.Reply(elements: []), rest: next, continues: continues) }
        }
    }

    private func elementsOfAPage(_ elements: ArraySlice<some Encodable>) -> Int {
        var size = 0
        let count = elements.prefix { element in
            var writer = JSONWriter()
            // What cannot be encoded fails again in the reply, which closes the connection.
            try? writer.value(encoding: element)
            size += writer.bytes.count + 1
            return size <= pageSize
        }.count
        return max(count, min(elements.count, 1))
    }
}
