import LocationClient
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct RegionStateRequestsTests {
    private typealias Answer = RegionStateRequests.Answer

    @Test(arguments: [RegionState.inside, .outside])
    func aKnownStateIsAnsweredAtOnce(state: RegionState) {
        var requests = RegionStateRequests()
        let number = requests.add("home")
        #expect(
            requests.replied(number, .success(state), isMonitored: true) == [Answer(number: number, state: state)])
        // Nothing is answered twice.
        #expect(requests.reported(state, of: "home").isEmpty)
        #expect(requests.timedOut(number).isEmpty)
    }

    @Test func anUnknownStateIsAnsweredWhenItIsDetermined() {
        var requests = RegionStateRequests()
        let first = requests.add("home")
        let second = requests.add("home")
        let other = requests.add("work")
        for number in [first, second, other] {
            #expect(requests.replied(number, .success(.unknown), isMonitored: true).isEmpty)
        }
        #expect(requests.reported(.unknown, of: "home").isEmpty)
        #expect(
            requests.reported(.inside, of: "home")
                == [Answer(number: first, state: .inside), Answer(number: second, state: .inside)])
        #expect(requests.reported(.outside, of: "work") == [Answer(number: other, state: .outside)])
    }

    @Test func aStateThatArrivesBeforeTheReplyIsTheAnswer() {
        var requests = RegionStateRequests()
        let number = requests.add("home")
        #expect(requests.reported(.inside, of: "home") == [Answer(number: number, state: .inside)])
        #expect(requests.replied(number, .success(.unknown), isMonitored: true).isEmpty)
        #expect(requests.timedOut(number).isEmpty)
    }

    @Test func unknownIsTheAnswerOnlyAfterTheTimeout() {
        var requests = RegionStateRequests()
        let number = requests.add("home")
        #expect(requests.replied(number, .success(.unknown), isMonitored: true).isEmpty)
        #expect(requests.timedOut(number) == [Answer(number: number, state: .unknown)])
        #expect(requests.reported(.inside, of: "home").isEmpty)
    }

    @Test func aRegionThatTheDaemonDoesNotHaveYetIsWaitedFor() {
        var requests = RegionStateRequests()
        let number = requests.add("home")
        let missing = LocationError.invalidParameter("identifier")
        #expect(requests.replied(number, .failure(missing), isMonitored: true).isEmpty)
        #expect(requests.reported(.inside, of: "home") == [Answer(number: number, state: .inside)])
        let other = requests.add("work")
        #expect(
            requests.replied(other, .failure(missing), isMonitored: false) == [Answer(number: other, state: .unknown)])
    }

    @Test(arguments: [LocationError.notAuthorized(.denied), .daemonUnreachable(path: "/", reason: "")])
    func aRefusalIsAnsweredAtOnce(error: LocationError) {
        var requests = RegionStateRequests()
        let number = requests.add("home")
        #expect(
            requests.replied(number, .failure(error), isMonitored: true) == [Answer(number: number, state: .unknown)])
    }

    @Test func theEndOfMonitoringIsTheEndOfTheWait() {
        var requests = RegionStateRequests()
        let number = requests.add("home")
        #expect(requests.stopped("work").isEmpty)
        #expect(requests.stopped("home") == [Answer(number: number, state: .unknown)])
        #expect(requests.stopped("home").isEmpty)
    }
}
