import Foundation
import Linux
import TestSupport
import Testing

@testable import Surroundings

/// The kernel's lists, and its own socket.
@Suite struct KernelListTests {
    private static let address: [UInt8] = [0x3C, 0xA6, 0x2F, 0x01, 0x02, 0x10]

    private func part(_ bytes: [UInt8]) throws(KernelFault) -> KernelListPart {
        try KernelListPart(bytes, sequence: KernelMessages.sequence, port: KernelMessages.port)
    }

    @Test func theLastPartSaysSo() throws {
        let entries = KernelMessages.network(Self.address) + KernelMessages.network(Self.address)
        let (first, both) = (try part(entries), try part(entries + KernelMessages.done()))
        #expect(first.messages.count == 2 && !first.isLast)
        #expect(both.messages.count == 2 && both.isLast)
        let last = try part(KernelMessages.done())
        #expect(last.messages.isEmpty && last.isLast)
    }

    /// Attack: an answer to another request, or to another socket.
    @Test func attackOtherAnswersAreLeftOut() throws {
        let done = KernelMessages.bytes(Int32(0))
        for bytes in [
            KernelMessages.message(3, done, sequence: 8), KernelMessages.message(3, done, port: 1),
            KernelMessages.message(KernelMessages.family, [34, 1, 0, 0], port: 0),
        ] {
            let other = try part(bytes)
            #expect(other.messages.isEmpty && !other.isLast)
        }
        // The socket makes this of a message of another process.
        let empty = try part([])
        #expect(empty.messages.isEmpty && !empty.isLast)
    }

    /// The interface is gone, in an error or at the end of the list; answers that are none.
    @Test func faults() {
        let gone = KernelFault.failed(SystemCallError("NLM_F_DUMP", ENODEV))
        #expect(throws: gone) { try part(KernelMessages.done(-ENODEV)) }
        #expect(throws: gone) { try part(KernelMessages.message(2, KernelMessages.bytes(-ENODEV))) }
        for bytes in [
            KernelMessages.message(3, [0, 0]), KernelMessages.message(33, []), [1, 2, 3],
            Array(KernelMessages.network(Self.address).dropLast(4)),
        ] {
            #expect(throws: KernelFault.malformed) { try part(bytes) }
        }
        #expect("\(KernelFault.noWireless)" == "the kernel has no wireless interface")
    }

    // MARK: The kernel

    /// Of this machine: its control has a description of itself, and nothing has one of a family that does not exist.
    @Test func theKernelListsItsFamilies() throws {
        var reader = try KernelListReader()
        let control = try reader.family(named: "nlctrl")
        #expect(control?.id == GenericMessage.control && control?.groups["notify"] == GenericMessage.controlGroup)
        let unknown = try reader.family(named: "no such family")
        #expect(unknown == nil)
    }

    /// This machine has Wi-Fi or not.
    @Test func theKernelListsItsNetworks() throws {
        let subscriber = try NetlinkSocket(NetlinkSocket.generic)
        switch KernelListReader.list(subscribing: subscriber) {
        case .success(let list): #expect(list.networks.count <= NetworkObject.maximumCount)
        case .failure(let fault): #expect(fault == .noWireless)
        }
    }

    /// A socket with the kernel's own address, 0, would get no event.
    @Test func aSocketHasAnAddressBeforeItSends() throws {
        let socket = try NetlinkSocket(NetlinkSocket.generic)
        let port = try socket.port()
        #expect(port != 0)
    }

    /// Attack: another process sends the end of a scan, and a list of networks of its own.
    @Test(.enabled(if: getuid() == 0, "needs root: the kernel does not let others send to a process"))
    func attackOnlyTheKernelIsReceived() async throws {
        let socket = try NetlinkSocket(NetlinkSocket.generic)
        let forged = KernelMessages.network(Self.address).map { String(UInt16($0) + 256, radix: 16).suffix(2) }.joined()
        let script = """
            import socket, sys
            other = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, \(NetlinkSocket.generic))
            other.sendto(bytes.fromhex(sys.argv[2]), (int(sys.argv[1]), 0))
            """
        let port = try socket.port()
        let result = try await Program.run("/usr/bin/python3", ["-c", script, "\(port)", forged])
        #expect(result.status == 0, "\(result.errors)")
        let received = try socket.receive()
        #expect(received?.isEmpty == true)
        let next = try socket.receive()
        #expect(next == nil)
    }
}
