// The page of one table: listens to the feed, draws the camera picture, hands the visitor's presses and drags over.
"use strict";

const $ = (id) => document.getElementById(id);
const canvas = $("camera"), pen = canvas.getContext("2d");
const GRAB = 34;          // how near, in picture pixels, a press must be to a token
const SHAPES = [
  '<circle cx="12" cy="12" r="10"/>', '<rect x="2.5" y="2.5" width="19" height="19"/>', '<path d="M12 2 22.5 21.5h-21z"/>',
  '<path d="m12 1.5 3.1 7 7.4.8-5.5 5 1.6 7.400L12 18l-6.6 3.700L7 14.300l-5.5-5 7.4-.8z"/>',
];

let asks = new Set();   // what a visitor of this table may ask for
let texts = {};         // everything that is written on the page, in the language of the table
let board = null, game = null, state = null, picture = null, asked = 0, loading = false, connected = false;
let held = null;      // {id, foot, grip}: the token in the visitor's hand
let chosen = null;    // the token chosen with the keyboard

// Requests go out one after the other, so that they arrive in order; of several waiting carries only the last is sent.
const waiting = [];
let sending = false;

function ask(name, values) {
  if (name === "carry" && waiting.length && waiting[waiting.length - 1][0] === "carry") waiting.pop();
  waiting.push([name, values]);
  send();
}

async function send() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const [name, values] = waiting.shift();
    try {
      const answer = await fetch(`/ask/${name}`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values), keepalive: true,
      });
      if (!answer.ok) console.warn(name, answer.status);
    } catch (error) { console.warn(name, error); }
  }
  sending = false;
}

// --- the feed -----------------------------------------------------------------------------------------------------------

function listen() {
  const feed = new EventSource("/events");
  const on = (event, act) => feed.addEventListener(event, (message) => act(JSON.parse(message.data)));
  feed.onopen = () => { connected = true; showTexts(); };
  feed.onerror = () => { connected = false; showTexts(); };
  on("texts", (value) => { texts = value; showTexts(); });
  on("asks", (value) => { asks = new Set(value); showAsks(); });
  on("state", (value) => { state = value; showState(); draw(); });
  on("board", (value) => { board = value; drawBoard(); });
  on("game", (value) => { game = value; showSeats(); drawBoard(); });
  on("screen", (value) => { $("screen").src = value.png; $("screen").alt = `${texts.display}: ${value.text}`; });
  on("die", (text) => { $("die").textContent = text; });
  on("trouble", (text) => { $("trouble").textContent = text; $("trouble").hidden = !text; });
  on("picture", (number) => { asked = number; load(); });
  on("clear", () => { $("log").replaceChildren(); });
  on("log", addLine);
}

function showTexts() {
  document.documentElement.lang = texts.language ?? "en";
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts[element.dataset.text] ?? "";
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", texts[element.dataset.label] ?? "");
  $("connection").textContent = (connected ? texts.live : texts.lost) ?? "…";
  $("connection").classList.toggle("lost", !connected);
}

async function load() {
  if (loading) return;
  loading = true;
  let number;
  do {
    number = asked;
    try {
      const answer = await fetch(`/picture.jpg?n=${number}`);
      if (answer.ok) { picture = await createImageBitmap(await answer.blob()); showAsks(); draw(); }
    } catch { break; }
  } while (number !== asked);
  loading = false;
}

// --- drawing ------------------------------------------------------------------------------------------------------------

function draw() {
  if (!picture) return;
  if (canvas.width !== picture.width || canvas.height !== picture.height) { canvas.width = picture.width; canvas.height = picture.height; }
  pen.drawImage(picture, 0, 0);
  const token = held ? null : state && state.tokens.find((one) => one.id === chosen);
  if (token && document.activeElement === canvas) ring(token.foot);
  if (held) ring(held.foot);
}

function ring([x, y]) {
  pen.lineWidth = 3;
  for (const [colour, radius] of [["#000a", 20], ["#ffd54a", 17]]) {
    pen.strokeStyle = colour;
    pen.beginPath();
    pen.ellipse(x, y, radius, radius * 0.8, 0, 0, 7);
    pen.stroke();
  }
}

function showAsks() {
  $("camera").hidden = $("how").hidden = !picture && !asks.has("take");
  $("print").toggleAttribute("hidden", !$("camera").hidden);  // SVG elements have no property for it
  $("controls").hidden = !asks.has("who");
  $("own").hidden = !asks.has("throw");
  $("record").hidden = !asks.has("record");
  $("button").hidden = !asks.has("button") && !asks.has("press");
}

function showSeats() {
  $("seats").replaceChildren(...game.seats.map((seat) => {
    const item = document.createElement("li");
    item.className = seat.turn ? "turn" : "";
    if (seat.turn) item.setAttribute("aria-current", "true");
    item.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${SHAPES[seat.shape % 4]}</svg>`;
    item.firstChild.style.fill = ink(seat.colour);
    const name = document.createElement("span"), score = document.createElement("span");
    name.className = "name"; name.textContent = seat.name;
    score.className = "score"; score.textContent = seat.score;
    item.append(name, score);
    return item;
  }));
}

function showState() {
  if (document.activeElement !== $("who")) $("who").value = state.who;
  if ($("board").options.length === 0) $("board").append(...state.boards.map(([name, title]) => new Option(title, name)));
  if (document.activeElement !== $("board")) $("board").value = state.board;
}

function ink(colour) { return `var(--${CSS.escape(colour)})`; }

// The board as the referee knows it, for tables whose camera picture is not shown.
function drawBoard() {
  if (!board) return;
  const svg = $("print"), make = (name, values, fill) => {
    const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) shape.setAttribute(key, value);
    if (fill) shape.style.fill = fill;
    svg.append(shape);
    return shape;
  };
  svg.replaceChildren();
  svg.setAttribute("viewBox", `-0.4 -0.4 ${board.size + 0.8} ${board.size + 0.8}`);
  const line = { stroke: "#333", "stroke-width": 0.04 };
  for (const place of board.places) {
    const fill = place.colour ? ink(place.colour) : "#fffdf8";
    const xs = place.outline.map((point) => point[0]), ys = place.outline.map((point) => point[1]);
    const x = (Math.min(...xs) + Math.max(...xs)) / 2, y = (Math.min(...ys) + Math.max(...ys)) / 2;
    if (place.round && place.kind === "square") make("circle", { cx: x, cy: y, r: 0.42, ...line }, fill);
    else if (place.kind === "yard") {
      if (board.places.some((one) => one.round)) continue;
      make("polygon", { points: place.outline.join(" "), ...line }, fill);
      const half = (Math.max(...xs) - Math.min(...xs)) * 0.33;
      make("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: 0.2, ...line }, "#fffdf8");
    } else make("polygon", { points: place.outline.join(" "), ...line }, fill);
  }
  for (const [x, y] of board.stars) make("text", { x, y: y + 0.27, "font-size": 0.8, "text-anchor": "middle" }, "#8a8478").textContent = "☆";
  for (const [x, y, colour] of board.nests) make("circle", { cx: x, cy: y, r: 0.42, ...line }, ink(colour)).style.opacity = 0.45;
  for (const [x, y, colour, shape] of game ? game.tokens : []) {
    make("circle", { cx: x, cy: y, r: 0.36, stroke: "#1a1a1a", "stroke-width": 0.07 }, ink(colour));
    const mark = make("g", { transform: `translate(${x - 0.18} ${y - 0.18}) scale(0.015)` }, "#ffffffcc");
    mark.innerHTML = SHAPES[shape % 4];
  }
}

function addLine({ t, kind, text }) {
  const item = document.createElement("li"), time = document.createElement("time"), words = document.createElement("span");
  const seconds = Math.floor(t);
  time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  words.className = kind;
  words.textContent = text;
  item.append(time, words);
  $("log").prepend(item);
  while ($("log").children.length > 200) $("log").lastChild.remove();
}

// --- moving tokens ------------------------------------------------------------------------------------------------------

function spot(event) {
  const box = canvas.getBoundingClientRect();
  return [(event.clientX - box.left) * canvas.width / box.width, (event.clientY - box.top) * canvas.height / box.height];
}

function distance([px, py], [ax, ay], [bx, by]) {
  const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
  const share = length ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length)) : 0;
  return Math.hypot(px - ax - share * dx, py - ay - share * dy);
}

function tokenAt(point) {
  let best = null, least = GRAB;
  for (const token of state ? state.tokens : []) {
    const away = distance(point, token.foot, token.head);
    if (token.free && away < least) { best = token; least = away; }
  }
  return best;
}

function take(token, point) {
  held = { id: token.id, foot: [...token.foot], grip: [token.foot[0] - point[0], token.foot[1] - point[1]], from: [...token.foot] };
  canvas.classList.add("holding");
  ask("take", { id: token.id });
}

function carry(foot) {
  held.foot = [Math.min(canvas.width - 1, Math.max(0, foot[0])), Math.min(canvas.height - 1, Math.max(0, foot[1]))];
  draw();
  ask("carry", { x: held.foot[0], y: held.foot[1] });
}

function put(back) {
  ask(back ? "back" : "put", { x: held.foot[0], y: held.foot[1] });
  held = null;
  canvas.classList.remove("holding");
  draw();
}

canvas.addEventListener("pointerdown", (event) => {
  const token = !held && event.button === 0 ? tokenAt(spot(event)) : null;
  if (!token) return;
  canvas.setPointerCapture(event.pointerId);
  take(token, spot(event));
  event.preventDefault();
});
canvas.addEventListener("pointermove", (event) => {
  const point = spot(event);
  if (held && canvas.hasPointerCapture(event.pointerId)) carry([point[0] + held.grip[0], point[1] + held.grip[1]]);
  else canvas.classList.toggle("over", Boolean(tokenAt(point)));
});
canvas.addEventListener("pointerup", (event) => { if (held && canvas.hasPointerCapture(event.pointerId)) put(false); });
canvas.addEventListener("pointercancel", () => { if (held) put(true); });

canvas.addEventListener("keydown", (event) => {
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const free = state ? state.tokens.filter((token) => token.free) : [];
  if (event.key in arrows) {
    const [dx, dy] = arrows[event.key], step = event.shiftKey ? 4 : 16;
    if (held) carry([held.foot[0] + dx * step, held.foot[1] + dy * step]);
    else if (free.length) {
      const now = free.findIndex((token) => token.id === chosen);
      chosen = free[(now + (dx + dy) + free.length) % free.length].id;
      const token = free.find((one) => one.id === chosen);
      $("hint").textContent = `${token.colour}, ${token.where}`;
      draw();
    }
  } else if (event.key === "Enter" || event.key === " ") {
    const token = free.find((one) => one.id === chosen);
    if (held) put(false); else if (token) take(token, token.foot);
  } else if (event.key === "Escape" && held) put(true);
  else return;
  event.preventDefault();
});
canvas.addEventListener("blur", draw);
canvas.addEventListener("focus", draw);

// --- the button, and the choices -------------------------------------------------------------------------------------------

// A table with a wired button of its own is told the gesture; the simulated one feels the button's edges itself.
let down = false, since = 0, tapped = null;
function press(yes) {
  if (yes === down) return;
  down = yes;
  $("button").classList.toggle("down", yes);
  if (asks.has("button")) { ask("button", { pressed: yes }); return; }
  if (yes) { since = performance.now(); return; }
  const held = performance.now() - since;
  if (held >= 2000) ask("press", { kind: held >= 6000 ? "long_hold" : "hold" });
  else if (tapped) { clearTimeout(tapped); tapped = null; ask("press", { kind: "double_tap" }); }
  else tapped = setTimeout(() => { tapped = null; ask("press", { kind: "tap" }); }, 350);
}
$("button").addEventListener("pointerdown", (event) => { $("button").setPointerCapture(event.pointerId); press(true); });
for (const name of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) $("button").addEventListener(name, () => press(false));
$("button").addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") { press(true); event.preventDefault(); } });
$("button").addEventListener("keyup", (event) => { if (event.key === " " || event.key === "Enter") press(false); });
$("button").addEventListener("contextmenu", (event) => event.preventDefault());

$("who").addEventListener("change", () => ask("who", { who: $("who").value }));
$("board").addEventListener("change", () => ask("new", { board: $("board").value }));
$("record").addEventListener("click", () => ask("record", {}));
$("new").addEventListener("click", () => ask("new", { board: $("board").value }));

for (let face = 1; face <= 6; face += 1) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = face;
  button.addEventListener("click", () => ask("throw", { value: face }));
  $("faces").append(button);
}

listen();
