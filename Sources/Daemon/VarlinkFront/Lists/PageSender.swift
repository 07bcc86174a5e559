internal import LocationCore
internal import LocationProtocol
internal import Varlink

/// A sender of lists to one call. A list is sent in as many replies as necessary, and each reply only after the socket
/// has accepted the one before.
///
/// Attack: the apps of a user without any grants make a list so long that no client accepts the reply. This ended
/// root's prompt agent and its `locationctl apps`. With pages, the length of a list does not matter. With one page at
/// a time, a client that does not read costs one page of memory and no time.
///
/// Confined to the event loop.
final class PageSender<Method: ManageMethod> where Method.Reply: Page {
    /// The size of a page, in bytes of JSON. A page has at least one element. Even the longest element, which
    /// includes a name of 4,096 bytes, is far smaller than a page.
    private let pageSize = 32_768

    /// A closure that is called when a list has been sent and the socket has accepted it.
    var onSent: (() -> Void)?
    private let call: Call<Method>

    init(_ call: Call<Method>) {
        self.call = call
    }

    /// Sends a list. The previous list must have been sent.
    ///
    /// - Parameters:
    ///   - list: The list. Its fields other than `elements` are sent with the first page.
    ///   - continues: `true` if other lists follow. Otherwise the last page ends the call.
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
            // An element that cannot be encoded fails again in the reply, which then closes the connection.
            try? writer.value(encoding: element)
            size += writer.bytes.count + 1
            return size <= pageSize
        }.count
        return max(count, min(elements.count, 1))
    }
}
