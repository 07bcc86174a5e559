"use strict";
const steps = [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5,
  216e5, 432e5, 864e5, 1728e5, 432e6, 864e6, 2592e6, 7776e6, 31536e6, 31536e7, 31536e8, 31536e9];
const iso = (section, time) => new Date(section.start + time).toISOString();
function tick(section, time, step) {
  const text = iso(section, time);
  if ((section.start + time) % 864e5 === 0 && section.dated && step >= 6e4) return text.slice(5, 10);
  return text.slice(11, step < 1e3 ? 21 : step < 6e4 ? 19 : 16);
}
function nearest(times, time) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1; else high = middle;
  }
  return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low;
}
function start(root) {
  const data = JSON.parse(root.querySelector(".data").textContent), charts = root.querySelector(".charts");
  const plots = [...charts.querySelectorAll(".plot")], axis = charts.querySelector(".x");
  const least = Math.min(data.length, 2000), find = name => root.querySelector(name);
  let from = 0, to = data.length;
  function draw() {
    const width = plots.length ? plots[0].clientWidth : 600, span = to - from;
    const count = Math.max(2, Math.floor(width / 90));
    const step = steps.find(step => step * count >= span) || steps.at(-1);
    const first = Math.ceil((data.start + from) / step) * step - data.start;
    const x = time => time / data.length * 1e4;
    let grid = "";
    axis.replaceChildren();
    for (let time = first; time <= to; time += step) {
      grid += `M${x(time)} 0v1000`;
      const endsBesideThePage = (to - time) / span * width < 16;
      if (endsBesideThePage) continue;
      const label = document.createElement("span");
      label.textContent = tick(data, time, step);
      label.style.left = (time - from) / span * 100 + "%";
      axis.append(label);
    }
    for (const plot of plots) {
      plot.querySelector("svg").setAttribute("viewBox", `${x(from)} 0 ${x(span)} 1000`);
      plot.querySelector(".time").setAttribute("d", grid);
    }
    const isWhole = span >= data.length;
    root.classList.toggle("zoomed", !isWhole);
    find(".part")?.setAttribute("d", isWhole ? "" : part());
    const text = time => iso(data, time).slice(data.dated ? 0 : 11, 19).replace("T", " ");
    const end = data.dated && span < 864e5 ? text(to).slice(11) : text(to);
    charts.querySelector(".when").textContent = isWhole ? "" : `${text(from)} to ${end}`;
  }
  function part() {
    const starts = new Set(data.lineStarts), times = data.lineTimes;
    let path = "", isOpen = false;
    for (let index = 0; index < times.length; index++) {
      const isSeen = (times[index + 1] ?? times[index]) >= from && (times[index - 1] ?? times[index]) <= to;
      const place = `${data.lineX[index]} ${data.lineY[index]}`;
      if (isSeen) path += (isOpen && !starts.has(index) ? "L" : "M") + place;
      isOpen = isSeen;
    }
    return path;
  }
  function show(a, span) {
    span = Math.min(data.length, Math.max(least, span));
    from = Math.min(data.length - span, Math.max(0, a));
    to = from + span;
    draw();
  }
  function zoom(factor, share = 0.5) {
    const span = Math.min(data.length, Math.max(least, (to - from) * factor));
    show(from + (to - from - span) * share, span);
  }
  const move = share => show(from + (to - from) * share, to - from);
  const actions = {in: () => zoom(0.5), out: () => zoom(2), left: () => move(-0.25), right: () => move(0.25),
    all: () => show(0, data.length)};
  const keys = {"+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right", "0": "all"};
  const share = (plot, event) => {
    const box = plot.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const number = value => value == null ? "–" : value.toFixed(value < 100 ? 1 : 0);
  const whole = value => value == null ? "–" : value.toFixed(0);
  const units = {speed: " m/s", altitude: " m", accuracy: " m", signal: " dB-Hz"};
  function value(name, index) {
    if (name === "satellites")
      return `${whole(data.used?.[index])} used, ${whole(data.satellites?.[index])} in view`;
    return number(data[name]?.[index]) + units[name];
  }
  function hover(share) {
    const isOver = share != null && data.times.length > 0;
    const index = isOver ? nearest(data.times, from + share * (to - from)) : -1;
    const left = isOver ? (data.times[index] - from) / (to - from) : -1;
    for (const plot of plots) {
      const cursor = plot.querySelector(".cursor"), figure = plot.parentElement;
      cursor.style.display = left >= 0 && left <= 1 ? "block" : "none";
      cursor.style.left = left * 100 + "%";
      figure.querySelector("output").textContent = isOver
        ? `${iso(data, data.times[index]).slice(11, 19)}  ${value(figure.dataset.name, index)}` : "";
    }
    const x = isOver ? data.x?.[index] : null;
    find(".here")?.setAttribute("d", x == null ? "" : `M${x} ${data.y[index]}h0`);
  }
  const pointers = new Map();
  const apart = ([a, b]) => Math.max(8, Math.abs(a - b));
  for (const plot of plots) {
    plot.addEventListener("pointerdown", event => {
      pointers.set(event.pointerId, event.clientX);
      plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointermove", event => {
      hover(share(plot, event));
      if (!pointers.has(event.pointerId)) return;
      const before = [...pointers.values()], last = pointers.get(event.pointerId);
      pointers.set(event.pointerId, event.clientX);
      const after = [...pointers.values()];
      if (after.length === 1) show(from - (event.clientX - last) / plot.clientWidth * (to - from), to - from);
      if (after.length === 2) zoom(apart(before) / apart(after), share(plot, event));
    });
    for (const end of ["pointerup", "pointercancel"])
      plot.addEventListener(end, event => pointers.delete(event.pointerId));
    plot.addEventListener("pointerleave", () => hover(null));
    plot.addEventListener("dblclick", event => zoom(0.5, share(plot, event)));
    plot.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 0.8 : 1.25, share(plot, event));
    }, {passive: false});
  }
  charts.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  for (const button of charts.querySelectorAll("button"))
    button.addEventListener("click", () => actions[button.dataset.do]());
  for (const hidden of charts.querySelectorAll("[hidden]")) hidden.hidden = false;
  addEventListener("resize", draw);
  draw();
}
for (const root of document.querySelectorAll(".log")) if (root.querySelector(".data")) start(root);
