import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Prompts and answers, and the deliveries to an app that is not in use.
@Suite(.timeLimit(.minutes(15))) struct PromptTests {
    private typealias Authorizations = VarlinkStream<RequestAuthorization.Reply>
    private typealias Updates = VarlinkStream<Subscribe.Reply>.Iterator

    /// Sends a request. Returns the replies after the first one, which contains the authorization so far.
    private func request(_ level: RequestedLevel, of daemon: TestDaemon) async throws -> Authorizations.Iterator {
        let client = try await daemon.connect(to: LocationInterface.self)
        let parameters = RequestAuthorization.Parameters(level: level, reason: "to test\nit")
        var answers = try client.stream(
            RequestAuthorization.qualifiedName, parameters, of: RequestAuthorization.Reply.self
        ).makeAsyncIterator()
        #expect(try await answers.next() != nil)
        return answers
    }

    private func prompts(_ daemon: TestDaemon) async throws -> [Prompt] {
        try await daemon.call(MonitorPrompts.self, .init()).prompts
    }

    /// Returns the next update that is not about the receiver. If this process is held up for five seconds, its wires
    /// are silent, and their receivers are lost and found again.
    private func next(_ updates: inout Updates) async throws -> Update? {
        while let update = try await updates.next()?.update {
            if update.event != .receiverLost, update.event != .receiverFound { return update }
        }
        return nil
    }

    @Test(arguments: [
        (PromptAnswer.deny, AuthorizationStatus.denied), (.once, .authorizedWhenInUse),
        (.whileUsing, .authorizedWhenInUse), (.untilTomorrow, .authorizedWhenInUse), (.dismiss, .notDetermined),
    ])
    func anAnswerAnswersTheRequest(answer: PromptAnswer, status: AuthorizationStatus) async throws {
        let daemon = try await TestDaemon(receivers: [])
        var answers = try await request(.whenInUse, of: daemon)
        let prompt = try #require(try await prompts(daemon).first)
        #expect(prompt.app == (try await daemon.ownApp()))
        #expect(prompt.description == "to test it")
        #expect(prompt.ownWords)
        #expect(prompt.question == .whenInUse)
        #expect(prompt.pid == Int(getpid()))
        #expect(prompt.executable?.hasSuffix("xctest") == true)
        #expect(prompt.answers == [.deny, .once, .whileUsing, .untilTomorrow, .dismiss])
        await #expect(throws: VarlinkError.self) {
            try await daemon.call(AnswerPrompt.self, .init(id: prompt.id, answer: .always))
        }
        _ = try await daemon.call(AnswerPrompt.self, .init(id: prompt.id, answer: answer, accuracy: .reduced))
        let got = try #require(try await answers.next()?.authorization)
        #expect(got.status == status)
        if status == .authorizedWhenInUse { #expect(got.accuracy == .reduced) }
        #expect(try await prompts(daemon).isEmpty)
        await #expect {
            try await daemon.call(AnswerPrompt.self, .init(id: prompt.id, answer: .deny))
        } throws: {
            ($0 as? VarlinkError)?.name == "io.locationd.Manage.NoSuchPrompt"
        }
    }

    @Test func anAppIsToldWhetherAnybodyIsAsked() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let client = try await daemon.connect(to: LocationInterface.self)
        var answers = try client.stream(
            RequestAuthorization.qualifiedName, RequestAuthorization.Parameters(level: .whenInUse, reason: "a test"),
            of: RequestAuthorization.Reply.self
        ).makeAsyncIterator()
        #expect(try await answers.next()?.hasAgent == false)
        let agent = try await daemon.connect(to: ManageInterface.self)
        var lists = try agent.stream(
            MonitorPrompts.qualifiedName, MonitorPrompts.Parameters(), of: MonitorPrompts.Reply.self
        ).makeAsyncIterator()
        let prompt = try #require(try await lists.next()?.prompts.first)
        #expect(try await answers.next()?.hasAgent == true)
        agent.close()
        #expect(try await answers.next()?.hasAgent == false)
        _ = try await daemon.call(AnswerPrompt.self, .init(id: prompt.id, answer: .deny))
        let last = try #require(try await answers.next())
        #expect(last.hasAgent == nil && last.authorization.status == .denied)
    }

    @Test func anAgentIsToldOfEachChange() async throws {
        let daemon = try await TestDaemon(receivers: [])
        func agent() async throws -> VarlinkStream<MonitorPrompts.Reply>.Iterator {
            try await daemon.connect(to: ManageInterface.self)
                .stream(MonitorPrompts.qualifiedName, MonitorPrompts.Parameters(), of: MonitorPrompts.Reply.self)
                .makeAsyncIterator()
        }
        var first = try await agent()
        var second = try await agent()
        #expect(try await first.next()?.prompts.isEmpty == true)
        #expect(try await second.next()?.prompts.isEmpty == true)
        var answers = try await request(.whenInUse, of: daemon)
        let question = try #require(try await first.next()?.prompts.first)
        #expect(try await second.next()?.prompts.map(\.id) == [question.id])
        // A flood of requests does not cause a flood of prompts.
        for _ in 0..<20 { _ = try await request(.whenInUse, of: daemon) }
        #expect(try await prompts(daemon).map(\.id) == [question.id])
        _ = try await daemon.call(AnswerPrompt.self, .init(id: question.id, answer: .whileUsing))
        // The other agent is notified that the prompt is closed.
        let over = try #require(try await second.next())
        #expect(over.prompts.isEmpty)
        #expect(over.closed == [question.id])
        #expect(try await answers.next()?.authorization.status == .authorizedWhenInUse)
    }

    @Test func provisionalAlwaysIsAskedAgainBeforeAnythingInTheBackground() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        var answers = try await request(.always, of: daemon)
        let first = try #require(try await prompts(daemon).first)
        _ = try await daemon.call(AnswerPrompt.self, .init(id: first.id, answer: .whileUsing))
        #expect(try await answers.next()?.authorization.status == .authorizedAlways)

        let declaration = try await daemon.connect(to: LocationInterface.self)
        func setBackground(_ background: Bool) async throws {
            _ = try await declaration.call(
                SetBackground.qualifiedName, SetBackground.Parameters(background: background), returning: Nothing.self)
        }
        var updates = try await daemon.subscribe().makeAsyncIterator()
        // Another app wants the location too. Otherwise the receiver would be closed five seconds after the suspension.
        try await daemon.grantCtl()
        let other = try daemon.startCtl("watch", "--json", "--no-pauses")
        try await eventually("the other app's subscription") {
            try await daemon.call(ListSessions.self, UserScope()).sessions.count == 2
        }
        try await daemon.waitUntilOpen()
        wire.write(Sentences.epoch(0))
        var update = try await next(&updates)
        #expect(update?.location != nil)
        try await setBackground(true)
        update = try await next(&updates)
        #expect(update?.event == .suspended)
        let second = try #require(try await prompts(daemon).first)
        #expect(second.question == .keepAlways)
        #expect(second.answers == [.whileUsing, .always, .dismiss])
        // Nothing is delivered in the background before the second answer, whatever the receiver sends.
        wire.write(Sentences.epoch(100))
        try await eventually("a fix that it does not get") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].fixes == 2
        }
        _ = try await daemon.call(AnswerPrompt.self, .init(id: second.id, answer: .always))
        update = try await next(&updates)
        #expect(update?.event == .unsuspended)
        try await daemon.waitUntilOpen()
        wire.write(Sentences.epoch(200))
        update = try await next(&updates)
        #expect(update?.location?.timestamp.description == Sentences.timestamp(200))
        withExtendedLifetime((declaration, other)) {}
    }

    @Test(arguments: [true, false])
    func inTheBackgroundAStreamGoesOnOnlyIfItAskedForThat(allowsBackground: Bool) async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        var options = Options()
        options.allowsBackground = allowsBackground
        var updates = try await daemon.subscribe(options).makeAsyncIterator()
        try await daemon.waitUntilOpen()
        wire.write(Sentences.epoch(0))
        var update = try await next(&updates)
        #expect(update?.location != nil)
        var declaration: VarlinkClient? = try await daemon.connect(to: LocationInterface.self)
        _ = try await declaration?.call(
            SetBackground.qualifiedName, SetBackground.Parameters(background: true), returning: Nothing.self)
        if allowsBackground {
            wire.write(Sentences.epoch(1))
            update = try await next(&updates)
            #expect(update?.location?.timestamp.description == Sentences.timestamp(1))
            // A stream that begins in the background does not get anything, because it never was in use.
            var late = try await daemon.subscribe(options).makeAsyncIterator()
            update = try await next(&late)
            #expect(update?.event == .suspended)
            #expect(try await daemon.call(ListSessions.self, UserScope()).sessions.contains { $0.background })
            withExtendedLifetime(declaration) {}
        } else {
            update = try await next(&updates)
            #expect(update?.event == .suspended)
            await #expect(throws: VarlinkError.self) {
                try await daemon.call(GetLocation.self, .init(timeout: 60, maximumAge: 3600))
            }
            try await eventually("the receiver to be closed") {
                try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
            }
            // The declaration ends with its connection.
            declaration?.close()
            declaration = nil
            update = try await next(&updates)
            #expect(update?.event == .unsuspended)
            try await daemon.waitUntilOpen()
            wire.write(Sentences.epoch(10))
            update = try await next(&updates)
            #expect(update?.location?.timestamp.description == Sentences.timestamp(10))
        }
    }

    /// Attack: a request is made while the app is in use, and answered when it is in the background.
    @Test func aCallThatWaitsGetsNothingOnceTheAppIsInTheBackground() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let location = Task { try await daemon.call(GetLocation.self, .init(timeout: 60, maximumAge: 0)) }
        try await daemon.waitUntilOpen()
        let declaration = try await daemon.connect(to: LocationInterface.self)
        _ = try await declaration.call(
            SetBackground.qualifiedName, SetBackground.Parameters(background: true), returning: Nothing.self)
        wire.write(Sentences.epoch(0))
        await #expect(throws: VarlinkError("io.locationd.Location.LocationUnknown")) { try await location.value }
        withExtendedLifetime(declaration) {}
    }

    @Test func anotherUserCannotAnswerAPrompt() async throws {
        let daemon = try await TestDaemon(receivers: [])
        var answers = try await request(.whenInUse, of: daemon)
        let prompt = try #require(try await prompts(daemon).first)
        if getuid() == 0 {
            daemon.letManage(group: Attack.nobodysGroup)
            let answer = try await Program.run(
                "/usr/bin/setpriv",
                [
                    "--reuid=65534", "--regid=65534", "--clear-groups", Program.path("locationctl"), "answer",
                    "\(prompt.id)", "while-using", "--runtime-directory", daemon.runtime,
                ])
            #expect(answer.status != 0)
        }
        #expect(try await prompts(daemon).map(\.id) == [prompt.id])
        _ = try await daemon.call(AnswerPrompt.self, .init(id: prompt.id, answer: .deny))
        #expect(try await answers.next()?.authorization.status == .denied)
    }
}
