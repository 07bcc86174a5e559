"""The first hour of a user at a desktop: two commands, one click, and an app that has the location.

alice's Xfce runs in her login session, on a screen in memory; xdotool is her mouse. Pictures are in the logs.
"""

import base64
import re
import time
from pathlib import Path

from dongle import COORDINATES
from image import LANGUAGE, LOCALE
from people import wait_for
from world import PATIENCE

#: What programs on the screen have in their environment.
SCREEN = "export DISPLAY=:1 XDG_CURRENT_DESKTOP=XFCE XDG_SESSION_TYPE=x11; "

INSTALL = "sudo apt-get install -y locationd locationd-geoclue"

#: What she types at the questions of setup: Enter, and no location for locationctl. The app comes after it.
SETUP = r"""
set timeout -1
spawn -noecho sudo locationctl setup
expect {
    -re {Which one .*\] $} { send "\r"; exp_continue }
    -re {\[Y/n\] $} { send "\r"; exp_continue }
    -re {\[y/N\] $} { send "n\r"; exp_continue }
    eof
}
exit [lindex [wait] 3]
"""

APP = "/usr/libexec/geoclue-2.0/demos/where-am-i -t 600 -a 8"

#: The same, started as desktops start apps: in a unit with the name of its desktop file.
APP_OF_DESKTOP = r"systemd-run --user --quiet --pipe --wait --setenv=DISPLAY=:1 " \
    rf"--unit='app-geoclue\x2dwhere\x2dam\x2di@1.service' {APP}"

#: The translations of the texts.
TEXTS = Path(__file__).resolve().parents[2] / f"data/po/{LANGUAGE}.po"

#: An app that asks for the location always, and subscribes once that is answered. Debian's perl-base has all that it
#: needs.
ASKS_ALWAYS = r"""perl -MIO::Socket::UNIX -e '
    $/ = "\0"; $| = 1;
    sub call {
        my ($method, $rest) = @_;
        my $socket = IO::Socket::UNIX->new("/run/locationd/io.locationd.Location") or die $!;
        print $socket "{\"method\":\"io.locationd.Location.$method\",$rest}\0";
        $socket->flush;
        return $socket;
    }
    my $answer = call("RequestAuthorization", "\"parameters\":{\"level\":\"always\",\"reason\":\"to record the way\"}");
    print scalar(<$answer>), "\n";
    my $updates = call("Subscribe", "\"more\":true,\"parameters\":{}");
    print "$_\n" while <$updates>;
'"""

#: Prints the menu of the item that the panel shows, as a host gets it.
MENU = "busctl --user --json=short -- call $(busctl --user get-property org.kde.StatusNotifierWatcher " \
    "/StatusNotifierWatcher org.kde.StatusNotifierWatcher RegisteredStatusNotifierItems | " \
    "grep -o ':1[.][0-9]*' | head -n 1) /MenuBar com.canonical.dbusmenu GetLayout iias 0 -1 0"

#: Prints the middle and the height, in pixels, of the windows of the panel's plugins and their menus, the leftmost ones
#: first. The leftmost plugin shows the item.
PLUGINS = "for window in $(xdotool search --onlyvisible --class '^wrapper-2.0$'); do " \
    "eval $(xdotool getwindowgeometry --shell $window); " \
    "echo $((X + WIDTH / 2)) $((Y + HEIGHT / 2)) $HEIGHT; done | sort -n"

#: The height of a window that is a menu and no plugin, at least, in pixels.
MENU_HEIGHT = 60

#: Where a notification has its buttons: how far from its left and from its top, of its width and of its height.
BUTTONS = {"while in use": (0.14, 0.77), "approximate": (0.38, 0.77), "deny": (0.62, 0.77), "more": (0.86, 0.77)}


def the_desktop_is_there(world):
    """alice's desktop starts, with a server of notifications and a host of indicators"""
    world.alice.start("exec Xvfb :1 -screen 0 1024x640x24 -nolisten tcp")
    on_screen(world, "until xdotool getdisplaygeometry; do sleep 0.1; done 2>/dev/null")
    world.alice.start(f"{SCREEN} exec /etc/X11/Xsession startxfce4")
    for name in ["org.kde.StatusNotifierWatcher", "org.freedesktop.Notifications"]:
        world.alice.run(f"until busctl --user status {name} >/dev/null 2>&1; do sleep 0.2; done", 3 * PATIENCE)
    picture(world, "desktop")


def apt_installs_it(world):
    """alice's first command: apt installs the packages, and whoever is logged in has an agent"""
    world.root.run("mkdir /var/tmp/packages && tar -xf /dev/disk/by-id/virtio-packages -C /var/tmp/packages", PATIENCE)
    world.root.run(
        "echo 'deb [trusted=yes] file:/var/tmp/packages/repository '$(. /etc/os-release; echo $VERSION_CODENAME)' main'"
        " > /etc/apt/sources.list; rm -f /etc/apt/sources.list.d/*; apt-get update", 5 * PATIENCE)
    began = time.monotonic()
    on_screen(world, INSTALL, 10 * PATIENCE)
    world.report.measured(f"1. {INSTALL}", time.monotonic() - began)
    world.alice.run("until busctl --user status io.locationd.Agent >/dev/null 2>&1; do sleep 0.2; done", 2 * PATIENCE)
    world.report.measured("until the agent of the session is there", time.monotonic() - began)


def setup_finds_the_receiver(world):
    """she plugs the receiver in; her second command, setup, finds it, and waits for its first fix"""
    dongle = world.machine.dongles[0]
    world.machine.plug(dongle)
    world.root.run("until test -e /dev/ttyUSB0; do sleep 0.1; done", PATIENCE)
    began = time.monotonic()
    transcript = transcribe(world, "setup", 10 * PATIENCE)
    world.report.measured("2. sudo locationctl setup, the first fix included", time.monotonic() - began)
    assert "The receiver has a fix" in transcript, transcript


def an_app_asks_and_is_answered(world):
    """she opens an app: the prompt appears on the desktop, and a click gives the app its location"""
    began = time.monotonic()
    app = world.alice.start(f"{SCREEN} exec {APP}")
    wait_for(world, "locationctl prompts --json", lambda prompts: prompts)
    window = on_screen(world, "xdotool search --sync --onlyvisible --class xfce4-notifyd | tail -n 1")
    world.report.measured("until the prompt is on the screen", time.monotonic() - began)
    picture(world, "prompt")
    assert not COORDINATES.search(app.output), app.output
    clicked = time.monotonic()
    press(world, window, "while in use")
    app.wait_for_line("a latitude", lambda line: "Latitude" in line and COORDINATES.search(line), PATIENCE)
    world.report.measured("from the click to the app's location", time.monotonic() - clicked)
    picture(world, "answered")
    world.streams["app"] = app


def the_indicator_says_who_looks(world):
    """the panel has an item while the app looks, and its menu says so"""
    began = time.monotonic()
    menu = on_screen(world, f"until {MENU} | grep -F 'Where am I?' | grep -F Revoke; do sleep 0.5; done", 2 * PATIENCE)
    world.report.measured("until the indicator says who looks", time.monotonic() - began)
    assert "Approximate only" in menu, menu
    on_screen(world, f"xdotool mousemove $({PLUGINS} | head -n 1 | cut -d ' ' -f 1,2) click 1; "
                     f"until {PLUGINS} | awk '$3 >= {MENU_HEIGHT} {{ found = 1 }} END {{ exit !found }}'; "
                     "do sleep 0.1; done; sleep 1")
    picture(world, "menu")
    on_screen(world, "xdotool key Escape; pkill -x where-am-i")
    world.streams.pop("app").wait_for_end(PATIENCE)


def an_app_that_asks_for_always_is_answered_while_in_use(world):
    """another app asks for the location always, she answers "while in use": tray and dashboard say what that means"""
    app = world.alice.start(f"{SCREEN} exec {ASKS_ALWAYS}")
    wait_for(world, "locationctl prompts --json", lambda prompts: prompts)
    window = on_screen(world, "xdotool search --sync --onlyvisible --class xfce4-notifyd | tail -n 1; sleep 1")
    picture(world, "always-prompt")
    press(world, window, "while in use")
    app.wait_for_line("a location", lambda line: '"latitude"' in line, PATIENCE)
    world.alice.run("until locationctl apps | grep -F perl | grep -F 'asks before the background'; do sleep 0.5; done")
    # The tray reads the decisions after the list of who looks.
    on_screen(world, f"until {MENU} | grep -F perl | grep -F 'asks before the background'; do sleep 0.5; done",
              2 * PATIENCE)
    on_screen(world, f"xdotool mousemove $({PLUGINS} | head -n 1 | cut -d ' ' -f 1,2) click 1; "
                     f"until {PLUGINS} | awk '$3 >= {MENU_HEIGHT} {{ found = 1 }} END {{ exit !found }}'; "
                     "do sleep 0.1; done; sleep 1")
    picture(world, "provisional-menu")
    on_screen(world, "xdotool key Escape")
    terminal = world.alice.start(f"{SCREEN} exec xterm -geometry 150x36+0+0 -e locationctl dashboard")
    on_screen(world, "xdotool search --sync --onlyvisible --class XTerm; sleep 5")
    picture(world, "provisional-dashboard")
    on_screen(world, "pkill -x xterm; pkill -x perl")
    terminal.wait_for_end(PATIENCE)
    app.wait_for_end(PATIENCE)


def the_prompt_is_in_the_language_of_the_session(world):
    """her session speaks German, and so does the prompt about an app from the menu; a click is understood"""
    world.alice.run(f"systemctl --user set-environment LANG={LOCALE} && systemctl --user restart locationctl-agent")
    bus = world.alice.start("exec busctl --user --json=short monitor org.freedesktop.Notifications")
    world.alice.run("until busctl --user status io.locationd.Agent >/dev/null 2>&1; do sleep 0.2; done", PATIENCE)
    app = world.alice.start(f"{SCREEN} exec {APP_OF_DESKTOP}")
    wait_for(world, "locationctl prompts --json", lambda prompts: prompts)
    words = [translation("While in use"), translation("Deny")]
    bus.wait_for_line(f"a notification with {words}", lambda line: all(word in line for word in words), PATIENCE)
    window = on_screen(world, "xdotool search --sync --onlyvisible --class xfce4-notifyd | tail -n 1; sleep 1")
    picture(world, "prompt-in-german")
    press(world, window, "while in use")
    app.wait_for_line("a latitude", lambda line: "Latitude" in line, PATIENCE)
    on_screen(world, "pkill -x busctl; pkill -x where-am-i")
    app.wait_for_end(PATIENCE)


def translation(text):
    """Returns a text in the language of the session. It must be a single line of the file."""
    return re.search(rf'^msgid "{re.escape(text)}"\nmsgstr "(.+)"$', TEXTS.read_text(), re.M)[1]


def on_screen(world, script, seconds=PATIENCE):
    """Runs a shell script as alice, on her screen, and returns its output."""
    return world.alice.run(SCREEN + script, seconds)


def press(world, window, button):
    """Clicks at a button of a notification."""
    across, down = BUTTONS[button]
    on_screen(world, f"eval $(xdotool getwindowgeometry --shell {window}); "
                     f"xdotool mousemove $((X + WIDTH * {int(across * 100)} / 100)) "
                     f"$((Y + HEIGHT * {int(down * 100)} / 100)) click 1")


def picture(world, name):
    """Keeps a picture of the screen in the logs."""
    image = on_screen(world, "rm -f /tmp/screen.png; scrot /tmp/screen.png && base64 --wrap=0 /tmp/screen.png")
    (world.machine.logs / f"{name}.png").write_bytes(base64.b64decode(image))


def transcribe(world, name, seconds):
    """Has alice go through setup, and keeps what she sees in the logs. Returns it."""
    world.alice.run(f"cat > /tmp/setup.expect <<'END'\n{SETUP}END")
    status, output = world.alice.try_run("TERM=xterm exec expect /tmp/setup.expect", seconds)
    text = output.replace("\r", "")
    (world.machine.logs / f"{name}.txt").write_text(f"$ sudo locationctl setup\n{text}\n[exit status {status}]\n")
    return text
