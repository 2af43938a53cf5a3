// A match in the browser: a turn is built by picking what the board marks and the chips name, and the page keeps itself
// up to date. An action is a bag of (field, value) pairs; what is picked narrows the list of legal actions, and the one
// that is left joins the turn. Nothing here knows a game, and without this script the page's forms do the same.

if (!Map.groupBy || !CSS.supports("selector(:has(a))")) throw new Error("Of before 2024: this browser has the forms.");
const page = document.getElementById("match");
const words = document.getElementById("words").dataset;
const called = JSON.parse(words.called); // what the game calls fields and values: {"deck": "Deck", "deck=coal": "Coal"}
const byId = (id) => document.getElementById(id);
const KEPT = `turn ${page.dataset.match} ${page.dataset.player}`; // nobody is shown what another has begun
const TYPED = `typed in ${KEPT}`;
const LAYOUT = matchMedia("(max-width: 40rem)");
const FEW = 6; // so many moves that fit are shown whole
const MOST_CHIPS = 14; // a field with more values is folded; on a phone one with more than FEW
const MANY = 24; // with more marks each is shown lightly
const FINGER = 12; // half of the size of a mark as it is pointed at, at least, in pixels
const RETRY = 3000, LONGEST = 30_000; // milliseconds
// In what is live, what is another in each answer, or was opened or closed by hand: no change.
const PASSING = / open=""|(?<=name="(?:nonce|key)" value=")[^"]*/g;

// The finished actions, as lines of notation; and what was sent of them, until it is known whether it was played.
let { turn, sent } = JSON.parse(sessionStorage.getItem(KEPT) ?? '{ "turn": [], "sent": null }');
let picked = []; // what was picked of the next one: [{pairs, name, of}]
let legal = []; // what may follow: [{action, notation, group, label, counts}]
let trial = null; // what the service says of `turn`
let asking = 0; // counts questions, so that a late answer is dropped
let looking = 0, looked = 0; // counts looks at the page; the newest that is shown
let begun = ""; // what the match asked when the picture and the form that are shown were begun with
let failures = 0; // how often in a row the service did not answer
let gone = false; // whether the player is no longer signed in here
let busy = false; // while the service is asked what follows, nothing more is picked
let sending = false; // while a turn is on its way, which shows itself what is new
let source = null, next = null; // the stream of what happens, and when it is begun again
let posted = null, anew = false; // the form with which the page is left; whether only the page has to be another
let played = false; // from a turn until something is picked: what the turn has led to is said, too

// ---- the service

const nonce = () => document.querySelector("meta[name=overland-nonce]");

// What the service answers. Where it has no time, the page says so, in words for people, and asks `again`: ever later.
async function ask(address, options, again) {
  const answer = await fetch(address, options).catch(() => null);
  const isJson = answer?.headers.get("Content-Type")?.includes("json");
  const content = (await answer?.[isJson ? "json" : "text"]().catch(() => null)) ?? null;
  const isForeign = content?.code === "foreign_page"; // the cookie that the page goes with is another: its nonce is old
  if (content !== null && !isForeign && (answer.ok || (isJson && answer.status < 500 && answer.status !== 429))) {
    failures = 0;
    if (byId("away").textContent && !gone) away("");
    return { ok: answer.ok, status: answer.status, content };
  }
  away(isForeign ? "" : (!/Idempotency-Key/.test(content?.detail) && content?.detail) || words.unreachable);
  const wanted = 1000 * Number(answer?.headers.get("Retry-After")) || 0;
  const retry = isForeign ? () => refresh().then(() => gone || again()) : again;
  setTimeout(retry, Math.max(wanted, Math.min(RETRY * 2 ** failures++, LONGEST)));
  return { ok: false, isLate: true, content: {} };
}

function api(path, body, again, headers = {}) {
  const ours = page.dataset.player && { "X-Overland-Nonce": nonce().content };
  return ask(`/v1/matches/${page.dataset.match}/${path}`, {
    method: body ? "POST" : "GET",
    headers: { ...ours, ...(body && { "Content-Type": "application/json" }), ...headers },
    body: body && JSON.stringify(body),
  }, again);
}

// ---- bags of (field, value) pairs

const canonical = (value) => JSON.stringify(value, (_, part) => (part?.constructor === Object
  ? Object.fromEntries(Object.entries(part).sort()) : part));

function pairsOf(action) {
  return Object.entries(action).flatMap(([field, value]) => (Array.isArray(value) ? value : [value])
    .filter((each) => each !== null && each !== false)
    .map((each) => `${field}=${typeof each === "object" ? canonical(each) : each}`));
}

const counted = (pairs) => new Map([...Map.groupBy(pairs, (pair) => pair)].map(([pair, all]) => [pair, all.length]));
const soFar = () => picked.flatMap((each) => each.pairs);
const fieldOf = (pair) => pair.slice(0, pair.indexOf("="));

// The moves that have these pairs: each as often as it is wanted, where its field is a list.
function fitting(pairs) {
  const wanted = [...counted(pairs)];
  const has = ({ action, counts }, pair, number) =>
    (counts.get(pair) ?? 0) >= (Array.isArray(action[fieldOf(pair)]) ? number : 1);
  return legal.filter((each) => wanted.every(([pair, number]) => has(each, pair, number)));
}

// Of the alternatives of a mark, such as "space=A1 land=coal|start=A1", whose values are percent-encoded, the first
// that tells some of the moves that fit from others.
function choice(mark, fit) {
  const alternatives = mark.dataset.pick.split("|").map((pairs) => pairs.split(" ").map(decodeURIComponent));
  return alternatives.find((pairs) => {
    const left = fitting([...soFar(), ...pairs]).length;
    return left > 0 && (left < fit.length || fit.length === 1);
  });
}

// ---- building a turn

function take(pairs, name, of = null) {
  if (busy) return null;
  picked.push({ pairs, name, of });
  const fit = fitting(soFar());
  return fit.length === 1 ? finish(fit[0].notation) : show();
}

const finish = (notation) => busy || changed([...turn, notation]);

const undo = () => busy || (picked.pop() ? show() : turn.length && changed(turn.slice(0, -1)));

function changed(lines) {
  [turn, picked, sent] = [lines, [], null];
  keep();
  return follow();
}

function keep() {
  if (written()) byId("line").value = turn.join("; ");
  if (turn.length) sessionStorage.setItem(KEPT, JSON.stringify({ turn, sent }));
  else sessionStorage.removeItem(KEPT);
}

// Asks what the turn would do, and what may follow it. Returns whether all of it is legal; null where nobody knows.
async function follow() {
  const question = ++asking, hadFocus = inChips();
  const again = () => question === asking && follow();
  wait(true);
  const answer = turn.length
    ? await api("turns", { ply: Number(page.dataset.ply), notation: turn, dry_run: true, picture: layout() }, again)
    : await api("legal-actions", null, again);
  if (question !== asking) return null;
  wait(false);
  trial = turn.length && answer.ok ? answer.content : null;
  legal = ((trial ? trial.next : answer.ok && answer.content)?.items ?? [])
    .map((each) => ({ ...each, counts: counted(pairsOf(each.action)) }));
  draw(trial?.picture ?? null);
  complain(answer.ok ? (trial?.violation?.detail ?? "") : answer.content.detail, answer.content.changes);
  show();
  if (hadFocus) byId("tray-title").focus({ preventScroll: true });
  return answer.isLate ? null : answer.ok && !trial?.violation;
}

// Sends the turn. Until it is known what became of it, only the same is sent again, by the same key: it is played once.
async function confirm() {
  if (sending || gone) return;
  sent ??= { key: crypto.getRandomValues(new Uint32Array(4)).join("-"), ply: Number(page.dataset.ply), notation: turn,
    confirmation: trial.confirmation };
  keep();
  const { key, ...body } = sent, mine = sent, headers = { Prefer: "wait=10", "Idempotency-Key": `page-${key}` };
  sending = true;
  looked = ++looking; // what was looked at before is out of date
  wait(true);
  const answer = await api("turns", body, () => (sent === mine ? confirm() : refresh()), headers);
  sending = false;
  wait(false);
  gone = answer.status === 401;
  if (gone || answer.isLate) return away(gone ? words.signedOut : byId("away").textContent);
  const judged = answer.ok ? answer.content : answer.content.turn;
  sent = null;
  if (judged) {
    [turn, picked, trial, begun, played] = [[], [], null, "", true];
    history.replaceState(null, "", `${address()}?turn=${judged.id}`);
  }
  keep();
  await refresh();
  if (judged) byId("title").focus();
  else complain(answer.content.detail, answer.content.changes);
}

function wait(is) {
  busy = is;
  if (!byId("play")) return;
  byId("play").setAttribute("aria-busy", String(is));
  byId("line").readOnly = sending;
  if (is) byId("confirm").disabled = byId("undo").disabled = true;
}

// ---- showing it

const marks = () => [...byId("board").querySelectorAll("[data-pick]")];
const isOpen = (mark) => mark.hasAttribute("aria-pressed"); // can be picked, or taken back
const inChips = () => byId("chips").contains(document.activeElement);
const layout = () => (LAYOUT.matches ? "phone" : "desktop");
let present = null; // the picture of the match as it is, while that of a trial is shown

function draw(svg) {
  const hadFocus = byId("board").contains(document.activeElement);
  present ??= byId("board").firstElementChild;
  byId("board").replaceChildren(svg === null ? present : pictureOf(svg));
  if (hadFocus) byId("tray-title")?.focus({ preventScroll: true });
  const free = new Set(marks());
  for (const each of picked) { // in a picture that may be another
    each.of = [...free].find((mark) => mark.dataset.pick === each.of?.dataset.pick);
    free.delete(each.of);
  }
}

const pictureOf = (svg) => new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;

// Draws the board for this window, where the page came with that for another.
async function fitBoard() {
  const wanted = layout(), { at } = page.dataset;
  if (!byId("board") || page.dataset.layout === wanted) return;
  const answer = await api(`board.svg?layout=${wanted}&ply=${at}`, null, fit);
  if (!answer.ok || wanted !== layout() || at !== page.dataset.at) return;
  page.dataset.layout = wanted;
  present = pictureOf(answer.content);
  draw(null);
}

// The same when the window has become another: what is picked stays.
async function fit() {
  await fitBoard();
  if (page.dataset.asked && !sent) await follow();
}

function show() {
  const fit = fitting(soFar()), found = marks(), lit = new Set(found.filter((mark) => choice(mark, fit)));
  const pressed = new Set(picked.map((each) => each.of));
  byId("board").classList.toggle("many", lit.size > MANY);
  for (const mark of found) {
    const can = lit.has(mark) || pressed.has(mark);
    mark.classList.toggle("lit", can);
    for (const [name, value] of [["role", "button"], ["tabindex", "-1"], ["aria-pressed", pressed.has(mark)]]) {
      if (can) mark.setAttribute(name, value);
      else mark.removeAttribute(name);
    }
  }
  // What is written on the board, its description and the board as text say to a screen reader.
  const drawn = byId("board").querySelectorAll("text, svg svg:not(:has([data-pick]))");
  for (const each of drawn) each.setAttribute("aria-hidden", "true");
  const focused = found.find((mark) => mark === document.activeElement);
  (focused ?? found.find(isOpen))?.setAttribute("tabindex", "0");
  showChips(fit);
  showTurn(fit);
}

function showTurn(fit) {
  const parts = [], names = picked.map((each) => each.name).join(", ");
  if (names) parts.push(`${names}: ${words.fit.replace("{number}", fit.length)}`);
  parts.push(...(trial?.entries ?? []));
  if (trial?.drawing) parts.push(words.drawing);
  else if (trial?.next?.detail) parts.push(trial.next.detail);
  played &&= !parts.length;
  if (!parts.length) parts.push(asked(), words.begin);
  say(parts.join(" "));
  const isComplete = turn.length && !picked.length && trial && !trial.violation;
  byId("confirm").disabled = busy || gone || !(sent || (isComplete && byId("away").textContent === ""));
  byId("undo").disabled = !turn.length && !picked.length;
}

// What can be picked beside the board, field by field: its values, as far as they tell the moves that fit apart; and
// these themselves, where they are few or nothing more has to be picked.
function showChips(fit) {
  const focused = inChips(), known = counted(soFar());
  const having = (pair) => fit.filter((each) => each.counts.get(pair) > (known.get(pair) ?? 0)).length;
  const telling = [...new Set(fit.flatMap((each) => [...each.counts.keys()]))]
    .filter((pair) => having(pair) > 0 && having(pair) < fit.length);
  const fields = Map.groupBy(telling, fieldOf);
  const first = fields.has("type") ? [["type", fields.get("type")]] : [...fields];
  const values = (pairs) => pairs.map((pair) => chip(wordOf(pair), nameOf(pair), () => take([pair], nameOf(pair))));
  const rows = fit.length > FEW ? first.map(([field, pairs]) => row(called[field] ?? field, values(pairs))) : [];
  const isWhole = ({ counts }) => [...counts].every(([pair, number]) => (known.get(pair) ?? 0) >= number);
  const whole = fit.filter((each) => fit.length <= FEW || isWhole(each));
  const moves = Map.groupBy(whole, (each) => each.group || words.moves);
  const moved = (each) => chip(each.label, each.notation, () => finish(each.notation));
  byId("chips").replaceChildren(...rows, ...[...moves].map(([title, some]) => row(title, some.map(moved))));
  if (focused) (byId("chips").querySelector("button") ?? byId("tray-title")).focus({ preventScroll: true });
}

const wordOf = (pair) => called[pair] ?? pair.slice(pair.indexOf("=") + 1);
const nameOf = (pair) => called[pair] ?? `${called[fieldOf(pair)] ?? fieldOf(pair)} ${wordOf(pair)}`; // Slot 2

function row(title, chips) {
  const folded = chips.length > (LAYOUT.matches ? FEW : MOST_CHIPS);
  const made = document.createElement(folded ? "details" : "div");
  const head = document.createElement(folded ? "summary" : "span");
  head.textContent = `${title}${folded ? ` (${chips.length})` : ""}`;
  Object.assign(made, { className: "chip-row" }, folded ? {} : { role: "group", ariaLabel: title });
  made.append(head, ...chips);
  return made;
}

function chip(text, name, act) {
  const made = document.createElement("button");
  return Object.assign(made, { type: "button", className: "chip", textContent: text, ariaLabel: name, onclick: act });
}

const textOf = (element) => (element?.textContent ?? "").replace(/\s+/g, " ").trim();
const asked = () => `${textOf(played && byId("verdict"))} ${textOf(byId("asked").querySelector(".awaited"))}`.trim();
const say = (text) => { if (byId("status").textContent !== text) byId("status").textContent = text; };
const complain = (text, changes = []) => { byId("trouble").textContent = [text, ...changes].join(" "); };

// ---- pointer and keyboard: arrows go to the nearest mark in that direction

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The middle of a mark in the window, and half of its size.
function boxOf(mark) {
  const { x, y, width, height } = mark.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, wide: width / 2, high: height / 2 };
}

// The mark below a pointer; where there is none, the nearest of the small ones, as if these were of a finger's size.
function pointed({ target, clientX, clientY }) {
  const mark = target.closest("#board [data-pick]");
  if (!target.closest("#board") || (mark && isOpen(mark))) return mark;
  const far = ({ x, y }) => Math.hypot(x - clientX, y - clientY);
  const isNear = ({ x, y, wide, high }) => Math.min(wide, high) < FINGER
    && Math.abs(x - clientX) <= Math.max(FINGER, wide) && Math.abs(y - clientY) <= Math.max(FINGER, high);
  const near = marks().filter((each) => isOpen(each) && isNear(boxOf(each)));
  return near.sort((one, other) => far(boxOf(one)) - far(boxOf(other)))[0];
}

function choose(mark) {
  if (busy || !mark) return;
  const before = picked.length;
  picked = picked.filter((each) => each.of !== mark);
  if (picked.length < before) return show();
  const pairs = isOpen(mark) && choice(mark, fitting(soFar()));
  if (pairs) take(pairs, mark.querySelector(":scope > title")?.textContent ?? pairs.join(" "), mark);
}

function step(from, [dx, dy]) {
  const here = boxOf(from);
  const far = (mark) => {
    const there = boxOf(mark), x = there.x - here.x, y = there.y - here.y;
    const along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    return along > 1 ? along + 3 * aside : Infinity;
  };
  const others = marks().filter((mark) => mark !== from && isOpen(mark));
  const nearest = others.reduce((best, mark) => (far(mark) < far(best) ? mark : best), others[0] ?? from);
  if (far(nearest) === Infinity) return;
  from.setAttribute("tabindex", "-1");
  nearest.setAttribute("tabindex", "0");
  nearest.focus();
}

// What is written in the line, where that is not the turn as it is known.
function written() {
  const lines = (byId("line")?.value ?? turn.join(";")).split(";").map((line) => line.trim()).filter(Boolean);
  return lines.join(";") === turn.join(";") ? null : lines;
}

const typed = () => written() && changed(written());

page.addEventListener("click", (event) => (event.target.id === "undo" ? undo() : choose(pointed(event))));
page.addEventListener("change", (event) => { if (event.target.id === "line") typed(); });
page.addEventListener("submit", (event) => {
  if (!event.target.contains(byId("line"))) return void (posted = event.target);
  event.preventDefault();
  if (event.submitter?.id === "confirm") confirm();
  else typed(); // Enter in the line looks at it, and plays nothing
});
page.addEventListener("keydown", (event) => {
  const mark = event.target.closest("#board [data-pick]"), isPick = event.key === "Enter" || event.key === " ";
  if (event.key === "Escape" && page.dataset.asked && !event.target.matches("input, textarea")) undo();
  if (!mark || (!isPick && !ARROWS[event.key])) return;
  event.preventDefault();
  if (!isPick) step(mark, ARROWS[event.key]);
  else if (!event.repeat) choose(mark);
});

// ---- keeping the page up to date

const address = () => `/matches/${page.dataset.match}`; // the window may have that of a form, which the page answers
const state = ({ ply, asked: isAsked }) => `${ply} ${isAsked}`;
const reload = () => { anew = true; location.replace(address() + location.search); };

// Shows what is new of the page. A turn that is begun is kept as far as it is still legal.
async function refresh() {
  if (sending) return;
  const question = ++looking, again = () => question === looking && refresh();
  const answer = await ask(address() + location.search, { headers: { Accept: "text/html" } }, again);
  if (answer.isLate || question < looked) return;
  looked = question;
  const fresh = new DOMParser().parseFromString(answer.content, "text/html"), now = fresh.getElementById("match");
  gone = now?.dataset.player !== page.dataset.player;
  if (gone && page.dataset.player) return away(words.signedOut);
  if (gone || !byId("board") !== !fresh.getElementById("board")) return reload();
  const moved = state(now.dataset) !== begun, hadFocus = document.activeElement !== document.body;
  if (moved && written()) [turn, sent] = [written(), null]; // of a line that goes with its form
  document.title = fresh.title;
  nonce().content = fresh.querySelector("meta[name=overland-nonce]").content;
  document.getElementsByName("nonce").forEach((each) => { each.value = nonce().content; });
  for (const part of document.querySelectorAll(".bar nav, [data-live]")) {
    const other = part.id ? fresh.getElementById(part.id) : fresh.querySelector(".bar nav");
    if (other && part.dataset.live !== "turn") renew(part, other);
    else if (other && moved) part.replaceChildren(...other.childNodes);
  }
  if (moved) present = null;
  if (fresh.querySelector("meta[http-equiv=refresh]")) setTimeout(refresh, RETRY);
  Object.assign(page.dataset, now.dataset, moved ? {} : { layout: page.dataset.layout });
  byId("away").textContent = "";
  await (moved || sent ? begin() : away("")); // a turn that was not heard is sent as soon as the service answers
  if (hadFocus && document.activeElement === document.body) byId("title").focus({ preventScroll: true });
}

// What an element looks like, and what it is for: what stays itself when it looks otherwise.
const looks = (node) => (node.outerHTML ?? node.data).replace(PASSING, "");
const kind = (node) => (node.id === undefined ? node : [node.nodeName, node.id, ...(!node.matches("form, li") ? []
  : [...node.querySelectorAll("a, button, [type=hidden]")].map((each) => looks(each.cloneNode())))].join());

// Finds the nodes that are the same in a way, each once.
function finding(nodes, how) {
  const found = Map.groupBy(nodes, how);
  return (node) => found.get(how(node))?.shift();
}

// Makes an element what another is now. What looks the same stays, with the focus, its ticks, and what is typed in it.
function renew(old, fresh) {
  const isPast = (name) => name !== "open" && !fresh.hasAttribute(name);
  old.getAttributeNames().filter(isPast).forEach((name) => old.removeAttribute(name));
  for (const { name, value } of fresh.attributes) if (name !== "open") old.setAttribute(name, value);
  const ours = [...old.childNodes], theirs = [...fresh.childNodes];
  const same = theirs.map(finding(ours, looks)), rest = ours.filter((each) => !same.includes(each));
  const alike = finding(rest, kind), now = theirs.map((each, index) => same[index] ?? alike(each) ?? each);
  ours.filter((each) => !now.includes(each)).forEach((each) => each.remove());
  let at = old.firstChild;
  now.forEach((each, index) => {
    if (rest.includes(each)) renew(each, theirs[index]);
    if (each === at) at = at.nextSibling;
    else old.insertBefore(each, at);
  });
}

// Keeps what is typed, but for what goes with its form, until this tab shows the match again; a note with its `before`.
addEventListener("pagehide", () => {
  const fields = [...page.querySelectorAll("input[id]:not(#line), textarea")]
    .filter((each) => each.form !== posted && (anew || each.value !== each.defaultValue))
    .map(({ id, value, form }) => [id, value, form.elements.before?.value]);
  sessionStorage.setItem(TYPED, JSON.stringify({ fields, focused: anew && document.activeElement.id }));
});

// Types again what was typed before that.
function retype() {
  const { fields, focused } = JSON.parse(sessionStorage.getItem(TYPED) ?? '{ "fields": [] }');
  sessionStorage.removeItem(TYPED);
  for (const [id, value, before] of fields) {
    const field = byId(id);
    if (!field || field.value === value) continue;
    field.value = value;
    if (before) field.form.elements.before.value = before;
    field.closest("details")?.setAttribute("open", "");
  }
  if (focused) byId(focused)?.focus();
}

function away(text) {
  byId("away").textContent = text;
  if (byId("play") && !busy) showTurn(fitting(soFar()));
}

// Begins with the picture and the form that the page has now, and with the turn that this tab was building.
async function begin() {
  if (sent) return confirm();
  asking++; // an answer about what was shown before is late
  const kept = turn, lost = picked.length > 0;
  begun = state(page.dataset);
  [picked, legal, trial] = [[], [], null];
  await fitBoard();
  if (!page.dataset.asked) {
    if (byId("status")) say(asked());
    if (page.dataset.at !== page.dataset.ply) return; // an earlier board, from which one comes back
    if (kept.length) complain(words.lost.replace("{line}", kept.join("; ")));
    turn = [];
    return keep();
  }
  const made = written()?.length ? written() : [...byId("tray").querySelectorAll(":checked")].map((each) => each.value);
  const isKept = await changed(made.length ? made : kept); // first what was filled in before this script had begun
  if (!made.length && kept.length && isKept === false && page.dataset.asked) {
    const why = byId("trouble").textContent;
    await changed([]);
    complain(`${words.lost.replace("{line}", kept.join("; "))} ${why}`);
  } else if (lost) complain(words.dropped);
}

// A browser has six connections to a service, for all of its tabs: a hidden one listens for a moment in every minute.
function listen() {
  source?.close();
  const { match, cursor } = page.dataset; // what has happened since the page was made is in the stream, too
  source = new EventSource(`/events/stream?match=${match}&after=${encodeURIComponent(cursor)}`);
  let opened = false, due = null;
  const soon = source.onmessage = () => { clearTimeout(due); due = setTimeout(refresh, 200); };
  source.onopen = () => { if (opened) soon(); opened = true; if (document.hidden) later(rest, RETRY); };
  source.onerror = () => source.readyState === EventSource.CLOSED && later(() => refresh().then(listen), 5 * RETRY);
}

const later = (act, after = 20 * RETRY) => { clearTimeout(next); next = setTimeout(act, after); };
const rest = () => { if (document.hidden) source.close(); later(listen); };
document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
LAYOUT.addEventListener("change", fit);
addEventListener("pageshow", (event) => { posted = null; if (event.persisted) refresh(); });
document.documentElement.classList.add("scripted");
retype();
listen();
await begin();
