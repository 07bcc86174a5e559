"""GNOME's settings, on alice's screen: the page Privacy, Location shows her apps, and its switches are decisions."""

import time

from deadline import Deadline
from desktop import APP_OF_DESKTOP, SCREEN, on_screen, picture
from people import wait_for
from world import PATIENCE

#: The app's identity: that of its unit.
APP = "app:geoclue-where-am-i"

#: The page in GNOME 48. GTK draws without a graphics card.
PAGE = "GSK_RENDERER=cairo XDG_CURRENT_DESKTOP=GNOME exec gnome-control-center privacy location"
WINDOW = "xdotool search --onlyvisible --name '^Settings$' | tail -n 1"

#: alice's password, which polkit wants for a decision.
PASSWORD = "alices"

#: The page's switches, of the whole desktop and of its first app: how far from the left and the top of the window, in
#: pixels.
DESKTOP_SWITCH, APP_SWITCH = (914, 152), (914, 303)


def its_page_shows_the_app(world):
    """GNOME's settings are opened at the page about the location: it shows the app, switched on"""
    app = world.streams["app"] = world.alice.start(f"{SCREEN} exec {APP_OF_DESKTOP}")
    app.wait_for_line("a latitude", lambda line: "Latitude" in line, PATIENCE)
    world.streams["page"] = world.alice.start(SCREEN + PAGE)
    on_screen(world, f"until {WINDOW} | grep .; do sleep 0.5; done", 3 * PATIENCE)
    enabled = "gsettings get org.gnome.system.location enabled"
    press(world, DESKTOP_SWITCH, lambda: on_screen(world, enabled).strip() == "true")
    picture(world, "page")
    assert decided(world) == "whenInUse", "the switch of the whole desktop is no decision"


def a_switch_revokes(world):
    """she switches the app off and gives her password: it has lost its grant, and gets nothing any more"""
    world.root.run(f"echo alice:{PASSWORD} | chpasswd")
    press(world, APP_SWITCH, lambda: is_asked_for_password(world))
    picture(world, "password")
    on_screen(world, f"xdotool type {PASSWORD}; xdotool key Return")
    deadline = Deadline(PATIENCE)
    while decided(world) != "denied":
        deadline.remaining("the end of the grant")
        time.sleep(1)
    picture(world, "page-off")
    world.streams.pop("app").wait_for_end(PATIENCE)


def a_switch_grants_nothing(world):
    """she switches it on again, and needs no password for some minutes: nothing is decided, so the app has to ask"""
    press(world, APP_SWITCH, lambda: decided(world) is None)
    app = world.alice.start(f"{SCREEN} exec {APP_OF_DESKTOP}")
    wait_for(world, "locationctl prompts --json", lambda prompts: prompts)
    assert "Latitude" not in app.output, app.output
    on_screen(world, "pkill -x where-am-i; pkill -f '^gnome-control-center'")
    app.wait_for_end(PATIENCE)
    world.streams.pop("page").wait_for_end(PATIENCE)


def decided(world):
    """The level of the decision about the app, or None without one."""
    apps = wait_for(world, "locationctl apps --json", lambda apps: True)
    decisions = [app.get("decision") for app in apps if app["app"] == APP]
    return decisions[0]["level"] if decisions and decisions[0] else None


def is_asked_for_password(world):
    """Returns whether the dialog of the desktop's polkit agent is on the screen."""
    return world.alice.try_run(f"{SCREEN} xdotool search --onlyvisible --class polkit")[0] == 0


def press(world, switch, is_done):
    """Clicks at a switch of the page, and again if nothing comes of it: the page may not be drawn yet."""
    across, down = switch
    deadline = Deadline(3 * PATIENCE)
    while not is_done():
        deadline.remaining("the switch to have an effect")
        on_screen(world, f"eval $(xdotool getwindowgeometry --shell $({WINDOW})); "
                         f"xdotool mousemove $((X + {across})) $((Y + {down})) click 1")
        for _ in range(20):
            if is_done():
                return
            time.sleep(1)
