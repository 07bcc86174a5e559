import Glibc

/// A daemon with subscribers that receive epochs, each as soon as the one before has been delivered.
struct EpochRun {
    /// The numbers of epochs of two runs. What the longer one has more is that of 500 epochs alone, without the start
    /// and the end of the daemon. Those differ by 50,000 instructions from run to run, because hashing is seeded.
    static let lengths = (shorter: 50, longer: 550)
    let locationd: String
    /// The number of subscribers.
    var subscribers = 1

    /// Runs a daemon until it has delivered the epochs, and waits for its end.
    ///
    /// - Parameter launcher: A program that runs locationd, with that program's arguments.
    func play(epochs: Int, launcher: [String]) throws {
        let folder = try Folder()
        do {
            let daemon = try LocationdSubject(program: locationd, folder: folder, launcher: launcher)
            try daemon.grantSelf()
            let clients = try Subscribers(framing: daemon.framing)
            for _ in 0..<subscribers { try clients.add(try daemon.subscribe()) }
            try daemon.awaitSubscribers(subscribers)
            // The epochs come as fast as they are handled. In steps of a second their times would soon differ from the
            // machine's clock by so much that they were suspect.
            var writer = EpochWriter(start: time(nil), sentences: .fewest, interval: 2)
            // The first epochs pass before the decoder has learned the cycle, so they may be missed.
            for number in 0..<epochs {
                let epoch = writer.next()
                clients.expect(daemon.mark(of: epoch))
                let start = try daemon.port.send(epoch.bytes)
                let end = try clients.awaitAll(deadline: start + (number < 10 ? 1_000_000_000 : 60_000_000_000))
                guard end != nil || number < 10 else { throw Failure("an epoch did not come through") }
            }
            // While its port is open. To tell the subscriber that the port has gone takes more than all the epochs.
            daemon.process.end()
        }
    }
}
