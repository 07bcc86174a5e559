"""Access to the location: several users, their sessions, a service, and an app that is started on an event."""

import json

from deadline import Deadline
from image import USERS
from world import APP, PATIENCE, Stream

ALICE, BOB = (USERS[user][0] for user in ("alice", "bob"))

#: The user that runs the service of these steps.
NOBODY = 65534

SERVICE = """\
[Service]
User=nobody
ExecStart=/usr/bin/locationctl watch --json
StandardOutput=file:/run/tracker
"""

FENCE_SOCKET = "[Socket]\nListenStream=%t/fence\nListenStream=%t/gone\nAccept=yes\n"

FENCE_SERVICE = """\
[Service]
ExecStart=/usr/bin/head -n 1
StandardInput=socket
StandardOutput=file:%h/fence
"""


def nobody_gets_anything_undecided(world):
    """an app without a decision requests the location and receives nothing"""
    asking = world.alice.start("exec locationctl get --timeout 60")
    prompt = wait_for(world, "locationctl prompts --json", lambda prompts: prompts)[0]
    assert (prompt["app"], prompt["uid"]) == (APP, ALICE), prompt
    world.root.run(f"locationctl answer {prompt['id']} deny")
    assert asking.wait_for_end(PATIENCE) == 4, asking.output
    world.root.run(f"locationctl reset {APP} --uid {ALICE}")
    world.refused(world.alice)


def wait_for(world, command, accepts):
    """Returns the JSON output of an administrator's command as soon as `accepts` returns true for it."""
    deadline = Deadline(PATIENCE)
    while not accepts(answer := json.loads(world.root.run(command, PATIENCE))):
        deadline.remaining(f"an acceptable output of {command}; the last was {answer}")
    return answer


def a_grant_is_for_one_user(world):
    """alice's grant is not bob's"""
    assert world.location(world.alice)["receiver"] == world.receiver
    world.refused(world.bob)


def who_is_not_at_the_screen_gets_nothing(world):
    """bob switches to his session: alice's app is suspended until she is back"""
    stream = world.streams["alice"]
    world.root.run(f"loginctl activate {world.session_of('bob')}")
    stream.wait_for("suspended")
    world.root.run(f"loginctl activate {world.session_of('alice')}")
    stream.wait_for("unsuspended")
    stream.wait_for("location")


def a_logout_leaves_the_background(world):
    """alice logs out: her lingering processes are in the background until she is back"""
    root, alice = world.root, world.alice
    root.run("loginctl enable-linger alice")
    alice.run("systemd-run --user --quiet --unit=lingerer --property=StandardOutput=file:$HOME/lingerer"
              " locationctl watch --json --no-pauses")
    follower = root.start("exec tail --retry -F -n +1 /home/alice/lingerer 2>/dev/null")

    def event(name):
        follower.wait_for_line(name, lambda line: f'"event":"{name}"' in line, PATIENCE)

    event("location")
    alice.forget_logins()
    root.run("systemctl stop getty@tty1.service && loginctl activate $(loginctl show-user bob -p Display --value)")
    event("suspended")
    root.run("systemctl start getty@tty1.service")
    alice.wait_for_login(PATIENCE)
    root.run(f"loginctl activate {world.session_of('alice')}")
    event("unsuspended")
    event("location")
    alice.run("systemctl --user stop lingerer.service")
    root.run("loginctl disable-linger alice; pkill -x tail")
    world.streams["alice"] = Stream(alice)


def a_service_is_known_by_its_unit(world):
    """a system service is service:NAME, and receives fixes in the background once it is granted"""
    root = world.root
    root.run(f"cat > /run/systemd/system/tracker.service <<'END'\n{SERVICE}END\n"
             "systemctl daemon-reload && systemctl start tracker.service")
    # The prompt for Bob's refused app may still be open.
    wait_for(world, "locationctl prompts --json", lambda prompts: any(
        (prompt["app"], prompt["uid"]) == ("service:tracker", NOBODY) for prompt in prompts))
    world.grant("service:tracker", NOBODY, "--always")
    root.run("timeout 60 tail --retry -F -n +1 /run/tracker 2>/dev/null | grep -q -m 1 '\"event\":\"location\"'", 90)
    users = json.loads(root.run("locationctl indicator --json"))
    assert "service:tracker" in json.dumps(users), users
    root.run("systemctl stop tracker.service")


def a_fence_is_set(world):
    """alice's app that is not running asks to be started when the machine leaves a circle"""
    alice = world.alice
    alice.run(
        "mkdir -p ~/.config/systemd/user && cd ~/.config/systemd/user && "
        f"cat > fence.socket <<'END'\n{FENCE_SOCKET}END\ncat > fence@.service <<'END'\n{FENCE_SERVICE}END\n"
        "systemctl --user daemon-reload && systemctl --user start fence.socket")
    world.grant(APP, ALICE, "--always")
    location = world.location(alice)
    circle = f"{location['latitude']},{location['longitude']} 100 --no-entry"
    alice.run(f"locationctl region add home {circle} --wake $XDG_RUNTIME_DIR/fence", PATIENCE)
    # The journal names an app that cannot be started.
    alice.run(
        f"locationctl region add gone {circle} --wake $XDG_RUNTIME_DIR/gone && rm $XDG_RUNTIME_DIR/gone", PATIENCE)


def the_fence_wakes_the_app(world):
    """... and is started"""
    line = world.root.run("timeout 200 tail --retry -F -n +1 /home/alice/fence 2>/dev/null | head -n 1", 210)
    event = json.loads(line)
    assert "home" in json.dumps(event) and "outside" in json.dumps(event), event
    world.root.run(f"until journalctl -b APP={APP} -o cat | grep 'not started'; do sleep 0.1; done", 20)
    world.alice.run("locationctl region remove home && locationctl region remove gone")


def a_revocation_ends_the_stream(world):
    """alice's grant is revoked: her stream ends, and she gets nothing more"""
    stream = world.streams.pop("alice")
    stream.wait_for("location")
    world.root.run(f"locationctl revoke {APP} --uid {ALICE}")
    stream.ends_with(4)
    world.refused(world.alice)
    world.grant(APP, ALICE)
    world.location(world.alice)


def alice_is_granted_again(world):
    """alice is granted the location again, and gets it"""
    world.grant(APP, ALICE)
    world.location(world.alice)
