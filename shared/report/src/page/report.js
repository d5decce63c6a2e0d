'use strict';
(() => {
// Whatever comes from a record is put in by `textContent` or `createTextNode`; nothing here parses markup.
const $ = (id) => document.getElementById(id);
const live = document.documentElement.dataset.live !== undefined;
function el(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === 'class') node.className = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat()) if (child !== undefined && child !== null && child !== '') node.append(child);
  return node;
}
// Letters that steer a terminal or a browser's layout, or that no one sees.
const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const code = (letter) => 'U+' + letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
/** A string of a record on one line, as plain text. */
const line = (text) => String(text ?? '').replace(/\r\n|\n/g, '⏎').replace(ODD, (letter) => `‹${code(letter)}›`);
/** The same as nodes: what is odd stands out, what was searched for is marked. */
function shown(text, words) {
  const out = document.createDocumentFragment();
  let from = 0;
  const plain = (part) => {
    const found = words && words.find((word) => part.toLowerCase().includes(word));
    if (!found) { out.append(part); return; }
    const at = part.toLowerCase().indexOf(found);
    out.append(part.slice(0, at), el('mark', {}, part.slice(at, at + found.length)));
    plain(part.slice(at + found.length));
  };
  for (const odd of text.matchAll(ODD)) {
    plain(text.slice(from, odd.index));
    out.append(el('span', { class: 'odd', title: 'a letter that is not seen' }, code(odd[0])));
    from = odd.index + 1;
  }
  plain(text.slice(from));
  return out;
}

// ---- what decisions mean -------------------------------------------------------------------------------------------
const MEANS = {
  deny: ['deny', 'denied', 9], block: ['deny', 'held back', 8], ask: ['ask', 'asked', 6], refused: ['deny', 'refused', 7],
  approved: ['fine', 'let through', 5], granted: ['fine', 'granted', 5], allow: ['fine', 'allowed', 2],
  keep: ['keep', 'saved first', 4], restored: ['keep', 'restored', 4], dropped: ['ask', 'dropped', 4],
};
const WOULD = { deny: 'would deny', block: 'would hold', ask: 'would ask' };
/** What a table of ours says about a word of a record, which may be any. */
const of = (table, word) => (Object.hasOwn(table, word) ? table[word] : undefined);
function means(decision) {
  const known = of(MEANS, decision.value) || ['plain', line(decision.value), 1];
  return decision.observed ? ['watch', of(WOULD, decision.value) || known[1], known[2] - 10] : known;
}
const main = (row) => row.decisions && row.decisions.reduce((best, one) => (means(one)[2] > means(best)[2] ? one : best));
const several = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many || one + 's'}`;

// ---- times, in the zone of whoever looks ---------------------------------------------------------------------------
const format = (options) => { const one = new Intl.DateTimeFormat(undefined, options); return (time) => one.format(new Date(time)); };
const clock = format({ hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const minute = format({ hour: '2-digit', minute: '2-digit', hour12: false });
const day = format({ day: 'numeric', month: 'short', year: 'numeric' });
const dayMinute = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false });
const whole = format({ dateStyle: 'full', timeStyle: 'long' });
function lasted(ms) {
  const s = Math.round(ms / 1000);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.round(s / 60)} min`;
  const two = (large, one, small, other) => (small ? `${large} ${one} ${small} ${other}` : `${large} ${one}`);
  if (s < 86400) return two(Math.floor(s / 3600), 'h', Math.floor((s % 3600) / 60), 'min');
  return two(Math.floor(s / 86400), 'd', Math.floor((s % 86400) / 3600), 'h');
}
const base = (path) => (path || '').replace(/[/\\]+$/, '').split(/[/\\]/).pop();
const person = (user) => (user || '').replace(/:\d+$/, '') || 'unknown';

// ---- state ---------------------------------------------------------------------------------------------------------
let data, rows, sessions, lines = [], offsets = [0], at = -1, current = null, view = 'sessions';
const open = new Set();
const choice = { words: [], keys: [], host: '', repo: '', user: '', outcome: '', from: 0, to: 0 };
const TILES = [
  ['calls', 'plain', 'calls'], ['deny', 'deny', 'denied'], ['ask', 'ask', 'asked about'], ['fine', 'fine', 'let through by a person'],
  ['keep', 'keep', 'saved before they ran'], ['watch', 'watch', 'only observed'],
];
const VIEWS = [['sessions', 'Sessions'], ['rules', 'Denials by rule'], ['people', 'Questions & approvals'], ['records', 'All entries']];

function take(fresh) {
  data = fresh; rows = data.rows; sessions = data.sessions;
  sessions.forEach((session, index) => { session.index = index; session.rows = []; });
  for (const row of rows) {
    row.session = sessions[row.s];
    row.session.rows.push(row);
    row.decision = main(row);
    row.tone = row.decision ? means(row.decision)[0] : 'plain';
    row.called = row.tool !== undefined && row.event !== 'approval';
  }
  for (const session of sessions) {
    session.first = session.rows.length ? session.rows[0].t : 0;
    session.last = session.rows.reduce((last, row) => Math.max(last, row.end || row.t), session.first);
    session.key = `${session.machine}/${session.host}/${session.id}`;
  }
}
/** All that a search looks through. */
const hay = (row) => row.hay ??= [row.what, row.tool, row.kind, row.event, row.call, row.cwd, row.error, row.session.host, row.session.id,
  row.session.repo, row.session.branch, row.session.user, ...(row.paths || []),
  ...(row.decisions || []).flatMap((one) => [one.value, one.rule, one.reason, one.approval, one.by]), ...row.records.map((one) => one.id),
].filter(Boolean).join('\n').toLowerCase();
const FIELDS = {
  host: (row) => [row.session.host], tool: (row) => [row.tool, row.kind], repo: (row) => [row.session.repo], user: (row) => [row.user, row.session.user],
  session: (row) => [row.session.id], event: (row) => [row.event], rule: (row) => (row.decisions || []).map((one) => one.rule),
  decision: (row) => (row.decisions || []).flatMap((one) => [one.value, means(one)[1]]), path: (row) => [row.what, row.cwd, ...(row.paths || [])],
};
function fits(row) {
  if (choice.host && row.session.host !== choice.host) return false;
  if (choice.repo && (row.session.repo || '') !== choice.repo) return false;
  if (choice.user && person(row.user || row.session.user) !== choice.user) return false;
  if (choice.outcome === 'calls' ? !row.called : choice.outcome && !(row.decisions || []).some((one) => means(one)[0] === choice.outcome)) return false;
  if (choice.to && (row.t < choice.from || row.t >= choice.to)) return false;
  return choice.keys.every(([key, word]) => FIELDS[key](row).some((text) => text && text.toLowerCase().includes(word)))
    && choice.words.every((word) => hay(row).includes(word));
}
const tally = (list) => {
  const sums = { calls: 0, deny: 0, ask: 0, fine: 0, keep: 0, watch: 0, plain: 0 };
  for (const row of list) {
    if (row.called) sums.calls++;
    if (row.decisions) for (const tone of new Set(row.decisions.map((one) => means(one)[0]))) sums[tone]++;
  }
  return sums;
};

// ---- the views, as one list of lines ------------------------------------------------------------------------------
const narrow = () => innerWidth <= 860;
const HEIGHT = { session: () => (narrow() ? 98 : 74), rule: () => (narrow() ? 92 : 74), person: () => 62, call: () => 33 };
function build() {
  const kept = rows.filter(fits);
  const out = [];
  const group = (type, key, head, members) => {
    const is = open.has(key);
    out.push({ type, key, members, is, level: 1, ...head });
    if (is) for (const row of members) out.push({ type: 'call', row, level: 2 });
  };
  const grouped = (list, key) => {
    const map = new Map();
    for (const [name, row] of list.flatMap(key)) map.has(name) ? map.get(name).push(row) : map.set(name, [row]);
    return map;
  };
  const counts = { records: kept.length };
  const bySession = grouped(kept, (row) => [[row.s, row]]);
  counts.sessions = bySession.size;
  const held = kept.flatMap((row) => [...new Set((row.decisions || []).filter((one) => ['deny', 'watch'].includes(means(one)[0]) && row.event !== 'approval')
    .map((one) => one.rule || '(no rule)'))].map((rule) => [rule, row]));
  const byRule = grouped(held, (one) => [one]);
  counts.rules = byRule.size;
  const asked = kept.filter((row) => row.event === 'approval' || row.event === 'kept' || (row.decisions || []).some((one) => ['ask', 'approved'].includes(one.value)));
  const byPerson = grouped(asked, (row) => [[person(row.user || row.session.user), row]]);
  counts.people = byPerson.size;
  if (view === 'sessions') {
    for (const [index, members] of [...bySession].sort((one, other) => sessions[other[0]].last - sessions[one[0]].last)) {
      group('session', 's' + sessions[index].key, { session: sessions[index] }, members);
    }
  } else if (view === 'rules') {
    const sorted = [...byRule].sort((one, other) => other[1].length - one[1].length || (one[0] < other[0] ? -1 : 1));
    for (const [rule, members] of sorted) group('rule', 'r' + rule, { rule, most: sorted[0][1].length }, members.slice().reverse());
  } else if (view === 'people') {
    for (const [name, members] of [...byPerson].sort((one, other) => other[1].length - one[1].length)) group('person', 'p' + name, { name }, members.slice().reverse());
  } else {
    for (let index = kept.length - 1; index >= 0; index--) out.push({ type: 'call', row: kept[index], level: 1, flat: true });
  }
  lines = out;
  offsets = [0];
  for (const one of lines) offsets.push(offsets[offsets.length - 1] + HEIGHT[one.type]());
  return [kept, counts];
}

// ---- drawing lines ------------------------------------------------------------------------------------------------
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
let colours = {};
const tint = () => { for (const name of ['deny', 'ask-mark', 'fine', 'keep', 'watch', 'call', 'line', 'quiet', 'paper']) colours[name] = css('--' + name); colours.ask = colours['ask-mark']; };
/** Times to places: what happened is spread out, long pauses are cut short, and where they were is kept. */
function axis(members, width) {
  const longest = 90000, cuts = [];
  let spent = 0;
  const places = members.map((row, index) => {
    const gap = index ? Math.max(0, row.t - members[index - 1].t) : 0;
    // Even what happens at once stands side by side.
    const step = Math.max(index ? 400 : 0, Math.min(gap, longest));
    if (gap > longest * 4) cuts.push([spent + step / 2, gap]);
    return (spent += step);
  });
  const scale = (place) => 7 + (spent ? (place / spent) * (width - 14) : 0);
  return [places.map(scale), cuts.map(([place, gap]) => [scale(place), gap])];
}
function lane(canvas, members) {
  const box = canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1, width = box.width, height = box.height;
  if (!width) return;
  canvas.width = width * ratio; canvas.height = height * ratio;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  const middle = Math.round(height * .56), [places, cuts] = axis(members, width);
  pen.fillStyle = colours.line;
  pen.fillRect(0, middle, width, 1);
  pen.font = '10.5px ' + css('--sans'); pen.textAlign = 'center';
  let free = 0;
  for (const [x, gap] of cuts) {
    pen.fillStyle = colours.paper; pen.fillRect(x - 3, middle - 1, 6, 3);
    pen.strokeStyle = colours.quiet; pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(x - 3, middle + 3.5); pen.lineTo(x - 1, middle - 3.5); pen.moveTo(x + 1, middle + 3.5); pen.lineTo(x + 3, middle - 3.5); pen.stroke();
    const words = lasted(gap), half = pen.measureText(words).width / 2;
    if (x - half > free && x + half < width) { pen.fillStyle = colours.quiet; pen.fillText(words, x, height - 1); free = x + half + 6; }
  }
  const draw = (wanted) => members.forEach((row, index) => {
    if ((row.tone === 'plain') !== wanted) return;
    const x = places[index];
    pen.fillStyle = pen.strokeStyle = colours[row.tone] || colours.call;
    if (row.tone === 'plain') {
      if (row.called) pen.fillRect(x - 1, middle - 5, 2, 11);
      else { pen.beginPath(); pen.arc(x, middle + .5, 1.8, 0, 7); pen.fill(); }
    } else if (row.tone === 'fine') { pen.beginPath(); pen.arc(x, middle + .5, 5, 0, 7); pen.fill(); }
    else if (row.tone === 'watch') { pen.lineWidth = 1.5; pen.strokeRect(x - 2, middle - 11, 4, 22); }
    else { const tall = row.tone === 'deny' ? 15 : 11; pen.beginPath(); pen.roundRect(x - 2.5, middle - tall, 5, tall * 2 - 4, 2); pen.fill(); }
  });
  draw(true); draw(false);
  canvas.places = places;
}
const tag = (decision) => { const [tone, word] = means(decision); return el('span', { class: 'tag ' + tone }, word); };
function badge(row) {
  if (row.decision) return tag(row.decision);
  if (row.outcome === 'failed') return el('span', { class: 'tag plain ask' }, 'failed');
  if (row.called) return el('span', { class: 'tag plain plain' }, row.outcome === 'done' ? 'ran' : '');
  return el('span', { class: 'tag plain plain' }, '');
}
const sumOf = (sums, tone, word) => sums[tone] ? el('span', { class: tone }, el('b', {}, sums[tone].toLocaleString()), ' ' + word) : '';
function draw(one, index) {
  const top = offsets[index], height = offsets[index + 1] - top;
  const props = { role: 'treeitem', id: 'l' + index, 'aria-level': one.level, 'aria-setsize': lines.length, 'aria-posinset': index + 1, 'data-i': index };
  let node;
  if (one.type === 'call') {
    const row = one.row, what = line(row.what).slice(0, 400);
    // What the group says already is not said again: there it is where it happened.
    const dated = one.flat || view !== 'sessions';
    const rule = (view === 'rules' ? [base(row.session.repo || row.cwd), person(row.session.user)].filter(Boolean).join(' · ') : row.decision && row.decision.rule) || '';
    node = el('div', { ...props, class: `row call ${row.decision ? '' : 'dim'} ${one.flat ? 'flat' : ''} ${dated ? 'dated' : ''}` },
      el('time', { datetime: new Date(row.t).toISOString() }, dated ? dayMinute(row.t) : clock(row.t)),
      el('span', {}, badge(row)),
      el('span', { class: 't' }, line(row.called ? row.tool : row.event)),
      el('span', { class: 'what', dir: 'ltr' }, what),
      el('span', { class: 'rule' }, line(rule)));
  } else if (one.type === 'session') {
    const session = one.session, sums = tally(one.members), repo = line(base(session.repo || session.cwd)) || 'no repository';
    const times = `${dayMinute(session.first)} – ${day(session.first) === day(session.last) ? minute(session.last) : dayMinute(session.last)} · ${lasted(session.last - session.first)}`;
    const canvas = el('canvas', { role: 'img', 'aria-label': `${several(sums.calls, 'call')}, ${sums.deny} denied, ${sums.ask} asked about, over ${lasted(session.last - session.first)}` });
    canvas.members = one.members;
    node = el('div', { ...props, class: 'row group', 'aria-expanded': String(one.is) },
      el('span', { class: 'fold', 'aria-hidden': 'true' }, one.is ? '▼' : '▶'),
      el('div', { class: 'name' }, el('b', {}, repo, session.branch ? el('em', {}, line(session.branch)) : ''), el('small', {}, times),
        el('small', {}, [line(session.host) || 'unknown host', line(person(session.user)), of({ observe: 'observing only', off: 'guard off' }, session.mode) || ''].filter(Boolean).join(' · '))),
      el('div', { class: 'lane' }, canvas),
      el('div', { class: 'sums' }, el('span', {}, sums.calls.toLocaleString() + (sums.calls === 1 ? ' call' : ' calls')), sumOf(sums, 'deny', 'denied'), sumOf(sums, 'ask', 'asked'), sumOf(sums, 'fine', 'let through'), sumOf(sums, 'watch', 'observed')));
  } else if (one.type === 'rule') {
    const last = one.members.find((row) => row.decisions.some((decision) => (decision.rule || '(no rule)') === one.rule && decision.reason));
    const reason = last ? last.decisions.find((decision) => (decision.rule || '(no rule)') === one.rule && decision.reason).reason : '';
    const share = el('div', { class: 'share deny' });
    share.style.width = `${Math.max(2, (one.members.length / one.most) * 100)}%`;
    const places = new Set(one.members.map((row) => row.s)).size;
    node = el('div', { ...props, class: 'row group', 'aria-expanded': String(one.is) },
      el('span', { class: 'fold', 'aria-hidden': 'true' }, one.is ? '▼' : '▶'),
      el('div', { class: 'name' }, el('b', { class: 'rule' }, line(one.rule)), share),
      el('div', { class: 'why' }, line(reason)),
      el('div', { class: 'sums' }, el('span', { class: 'deny' }, el('b', {}, one.members.length.toLocaleString()), one.members.length === 1 ? ' call' : ' calls'), el('span', {}, several(places, 'session'))));
  } else {
    const sums = Object.create(null);
    for (const row of one.members) for (const decision of row.decisions || []) sums[decision.value] = (sums[decision.value] || 0) + 1;
    const asked = one.members.filter((row) => (row.decisions || []).some((decision) => decision.value === 'ask' && !decision.observed));
    const part = (value, tone, word) => sums[value] ? el('span', { class: tone }, el('b', {}, sums[value].toLocaleString()), ' ' + word) : '';
    node = el('div', { ...props, class: 'row group', 'aria-expanded': String(one.is) },
      el('span', { class: 'fold', 'aria-hidden': 'true' }, one.is ? '▼' : '▶'),
      el('div', { class: 'name' }, el('b', {}, line(one.name)), el('small', {}, `last ${dayMinute(one.members[0].t)}`)),
      el('div', { class: 'why' }, sums.ask ? `${asked.filter((row) => row.outcome).length} of ${several(asked.length, 'call')} ran after the question` : ''),
      el('div', { class: 'sums' }, part('ask', 'ask', 'asked'), part('granted', 'fine', 'granted'), part('refused', 'deny', 'refused'), part('approved', 'fine', 'used')));
  }
  node.style.top = top + 'px'; node.style.height = height + 'px';
  if (index === at) node.classList.add('at');
  return node;
}
let drawn = new Map();
/** Only what is seen is in the document. */
function paint(anew) {
  const list = $('list');
  if (anew) { drawn.clear(); list.replaceChildren(); list.style.height = offsets[lines.length] + 'px'; }
  const top = -list.getBoundingClientRect().top - 400, bottom = top + innerHeight + 800;
  const place = (y) => { let low = 0, high = lines.length; while (low < high) { const mid = (low + high) >> 1; if (offsets[mid + 1] <= y) low = mid + 1; else high = mid; } return low; };
  const first = place(top), last = Math.min(lines.length, place(bottom) + 1);
  for (const [index, node] of drawn) if (index < first || index >= last) { node.remove(); drawn.delete(index); }
  const added = [];
  for (let index = first; index < last; index++) if (!drawn.has(index)) { const node = draw(lines[index], index); drawn.set(index, node); list.append(node); added.push(node); }
  for (const node of added) { const canvas = node.querySelector('canvas'); if (canvas) lane(canvas, canvas.members); }
}
function point(index, scroll) {
  const old = drawn.get(at);
  if (old) old.classList.remove('at');
  at = Math.max(0, Math.min(lines.length - 1, index));
  if (scroll) {
    const list = $('list').getBoundingClientRect().top + scrollY, bar = narrow() ? 0 : 120;
    const y = list + offsets[at];
    if (y < scrollY + bar) scrollTo(0, y - bar); else if (y + HEIGHT[lines[at].type]() > scrollY + innerHeight) scrollTo(0, y + HEIGHT[lines[at].type]() - innerHeight + 8);
    paint(false);
  }
  const node = drawn.get(at);
  if (node) { node.classList.add('at'); $('list').setAttribute('aria-activedescendant', 'l' + at); }
}
function act(index) {
  const one = lines[index];
  if (!one) return;
  point(index, false);
  if (one.type === 'call') { detail(one.row); return; }
  open.has(one.key) ? open.delete(one.key) : open.add(one.key);
  build(); paint(true); point(index, false);
}

// ---- one call in full ----------------------------------------------------------------------------------------------
function facts(pairs) {
  const list = el('dl');
  for (const [name, value, mono] of pairs) if (value !== undefined && value !== null && value !== '') {
    list.append(el('dt', {}, name), el('dd', {}, mono ? el('code', {}, value instanceof Node ? value : shown(String(value))) : value instanceof Node ? value : shown(String(value))));
  }
  return list;
}
function detail(row) {
  current = row;
  const session = row.session, decided = (row.decisions || []).slice().sort((one, other) => means(other)[2] - means(one)[2]);
  const box = $('detail'), words = choice.words;
  box.replaceChildren(
    el('div', { class: 'head' }, el('h2', { id: 'd-title' }, row.decision ? tag(row.decision) : '', ' ', line(row.called ? row.tool : row.event)),
      el('button', { class: 'tool', type: 'button', 'aria-label': 'The one before', on: { click: () => step(-1) } }, '↑'),
      el('button', { class: 'tool', type: 'button', 'aria-label': 'The next one', on: { click: () => step(1) } }, '↓'),
      el('button', { class: 'tool', type: 'button', autofocus: true, on: { click: () => box.close() } }, 'Close')),
    el('div', { class: 'in' },
      row.what ? el('div', {}, el('h3', {}, row.tone === 'deny' ? 'What would have run' : row.called ? 'What ran' : 'About'), el('pre', { dir: 'ltr' }, shown(row.what, words))) : '',
      decided.length ? el('h3', {}, decided.length > 1 ? 'Decisions' : 'Decision') : '',
      decided.map((one) => el('div', { class: 'decided ' + means(one)[0] }, tag(one), ' ', one.rule ? el('code', {}, shown(one.rule)) : '',
        one.reason ? el('p', {}, shown(one.reason, words)) : '',
        facts([['decided by', [one.by, one.version].filter(Boolean).join(' ')], ['policy', one.policy], ['approval code', one.approval, true], ['took', one.took_us === undefined ? '' : `${(one.took_us / 1000).toFixed(1)} ms`],
          ['observed', one.observed ? 'the host did not receive it; the call went on' : '']]))),
      row.files ? el('div', {}, el('h3', {}, 'Files that it would have run'), facts(row.files.map((file) => [several(file.bytes, 'byte'), el('span', {}, file.path ? shown(file.path) : '', el('br'), file.sha256 || ''), true]))) : '',
      row.error ? el('div', {}, el('h3', {}, 'Error'), el('pre', {}, shown(row.error))) : '',
      el('h3', {}, 'Where and when'),
      facts([['when', whole(row.t)], ['ended', row.end ? `${row.outcome === 'failed' ? 'failed' : 'done'} after ${lasted(row.end - row.t)}` : ''], ['host', session.host], ['person', row.user || session.user], ['e-mail', session.email], ['machine', [session.name, session.machine].filter(Boolean).join(' '), true],
        ['repository', session.repo, true], ['branch', session.branch, true], ['folder', row.cwd, true], ['sub-agent', row.agent], ['model', session.model], ['session', session.id, true], ['call', row.call, true],
        ['secrets', row.secrets ? `${several(row.secrets, 'secret')} removed` : '']]),
      el('h3', {}, row.records.length > 1 ? 'Records' : 'Record'),
      facts(row.records.map((one) => [one.seq ? '№ ' + one.seq : 'waiting', el('span', {}, shown(one.id), one.hash ? el('br') : '', one.hash || ''), true]))));
  if (!box.open) box.showModal();
  box.scrollTop = 0;
  history.replaceState(null, '', '#r=' + encodeURIComponent(row.records[0].id));
}
function step(by) {
  let index = at + by;
  while (lines[index] && lines[index].type !== 'call') index += by;
  if (lines[index]) { point(index, true); detail(lines[index].row); }
}

// ---- the top -------------------------------------------------------------------------------------------------------
function proofs() {
  const tones = { intact: 'fine', broken: 'deny', unknown: 'ask' };
  $('proofs').replaceChildren(...data.proofs.map((proof) => {
    const anchored = proof.anchored;
    const tone = proof.state === 'intact' && anchored !== proof.last ? 'fine' : tones[proof.state];
    return el('div', { class: 'proof ' + tone, role: proof.state === 'broken' ? 'alert' : undefined },
      el('span', { class: 'word' }, proof.state === 'intact' ? '✓ Intact' : proof.state === 'broken' ? '✕ Not intact' : '? Not verified'),
      el('span', { class: 'said' }, shown(proof.said)),
      el('span', { class: 'more' }, shown(proof.anchor || ''), proof.head ? el('span', {}, proof.anchor ? ' · ' : '', 'head ', el('code', {}, `${proof.last}:${proof.head}`)) : '', proof.log ? el('span', {}, ' · ', shown(proof.log)) : '',
        proof.findings && proof.findings.length ? el('ul', {}, proof.findings.map((one) => el('li', {}, shown(one)))) : ''));
  }));
}
function tiles(sums) {
  $('tiles').replaceChildren(...TILES.map(([name, tone, word]) => el('button', {
    type: 'button', class: `tile ${tone} ${sums[name] ? '' : 'none'}`, 'aria-pressed': String(choice.outcome === name),
    on: { click: () => { choice.outcome = choice.outcome === name ? '' : name; refresh(); } },
  }, el('b', {}, sums[name].toLocaleString()), el('span', {}, word))));
}
const SVG = 'http://www.w3.org/2000/svg';
const svg = (tag, props) => { const node = document.createElementNS(SVG, tag); for (const [name, value] of Object.entries(props)) node.setAttribute(name, value); return node; };
function when(kept) {
  const box = $('when');
  if (!rows.length) { box.replaceChildren(); return; }
  let from = Infinity, to = 0;
  for (const row of rows) { from = Math.min(from, row.t); to = Math.max(to, row.t); }
  const steps = [60e3, 300e3, 900e3, 3600e3, 3 * 3600e3, 6 * 3600e3, 86400e3, 7 * 86400e3, 30 * 86400e3];
  const size = steps.find((step) => (to - from) / step <= 72) || Math.ceil((to - from) / 72 / 86400e3) * 86400e3;
  const shift = size >= 86400e3 ? new Date(from).getTimezoneOffset() * 60e3 : 0;
  const start = Math.floor((from - shift) / size) * size + shift, count = Math.floor((to - start) / size) + 1;
  const order = ['plain', 'keep', 'fine', 'watch', 'ask', 'deny'], bins = Array.from({ length: count }, () => ({}));
  for (const row of kept) { const bin = bins[Math.floor((row.t - start) / size)]; if (bin && (row.called || row.decision)) bin[row.tone] = (bin[row.tone] || 0) + 1; }
  // Few denials among many calls are still seen.
  const height = (n) => Math.sqrt(n), most = Math.max(1, ...bins.map((bin) => order.reduce((sum, tone) => sum + (bin[tone] ? height(bin[tone]) : 0), 0)));
  const W = 1200, H = 86, wide = W / count, picture = svg('svg', { viewBox: `0 0 ${W} ${H}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Calls over time, ${day(from)} to ${day(to)}` });
  bins.forEach((bin, index) => {
    let y = H;
    for (const tone of order) if (bin[tone]) {
      const tall = Math.max(1.5, (height(bin[tone]) / most) * (H - 6));
      y -= tall;
      picture.append(svg('rect', { x: index * wide + wide * .12, y, width: Math.max(1, wide * .76), height: tall, fill: tone === 'plain' ? colours.call : colours[tone] }));
    }
    const begins = start + index * size, on = choice.from === begins;
    const hit = svg('rect', { class: 'hit' + (on ? ' on' : ''), x: index * wide, y: 0, width: wide, height: H });
    const title = svg('title', {});
    title.textContent = `${dayMinute(begins)}, ${order.filter((tone) => bin[tone]).map((tone) => `${bin[tone]} ${{ plain: 'without a finding', deny: 'denied', ask: 'asked', fine: 'let through', keep: 'saved first', watch: 'observed' }[tone]}`).join(', ') || 'nothing'}`;
    hit.append(title);
    hit.addEventListener('click', () => { [choice.from, choice.to] = on ? [0, 0] : [begins, begins + size]; refresh(); });
    picture.append(hit);
  });
  picture.append(svg('line', { class: 'base', x1: 0, y1: H, x2: W, y2: H }));
  const label = size >= 86400e3 ? day : dayMinute;
  box.replaceChildren(picture, el('div', { class: 'axis' }, el('span', {}, label(start)), el('span', {}, choice.to ? `only ${dayMinute(choice.from)} – ${dayMinute(choice.to)}; press it again for all` : `one bar is ${lasted(size)}; press one to see only that`), el('span', {}, label(to))));
}
function tabs(counts) {
  $('tabs').replaceChildren(...VIEWS.map(([name, word]) => el('button', {
    type: 'button', role: 'tab', id: 'tab-' + name, 'aria-selected': String(view === name), 'aria-controls': 'list', tabindex: view === name ? 0 : -1,
    on: { click: () => { view = name; at = -1; refresh(); }, keydown: (event) => {
      const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!move) return;
      event.preventDefault(); event.stopPropagation();
      view = VIEWS[(VIEWS.findIndex(([other]) => other === view) + move + VIEWS.length) % VIEWS.length][0]; at = -1; refresh(); $('tab-' + view).focus();
    } },
  }, word, el('span', { class: 'n' }, counts[name].toLocaleString()))));
}
function refresh() {
  const [kept, counts] = build();
  const filtered = kept.length !== rows.length;
  const outcome = choice.outcome;
  choice.outcome = ''; tiles(tally(outcome ? rows.filter(fits) : kept)); choice.outcome = outcome;
  for (const [index, tile] of [...$('tiles').children].entries()) tile.setAttribute('aria-pressed', String(TILES[index][0] === outcome));
  tabs(counts); when(kept);
  $('count').textContent = filtered ? `${kept.length.toLocaleString()} of ${several(rows.length, 'entry', 'entries')}` : '';
  $('empty').hidden = lines.length > 0;
  $('empty').textContent = rows.length ? (filtered ? 'Nothing matches. Esc clears the search.' : { rules: 'Nothing was denied.', people: 'No question was asked, and nothing was let through.' }[view] || '') : 'The log has no record of an agent.';
  at = Math.min(at, lines.length - 1);
  paint(true);
  return kept;
}
/** A choice of one of these. They are counted: no attribute holds what a record says. */
function options(id, key, all, values, names) {
  const select = $(id);
  select.values = values;
  select.replaceChildren(el('option', { value: '' }, all), ...values.map((value, index) => el('option', { value: String(index) }, line(names ? names(value) : value))));
  select.value = values.includes(choice[key]) ? String(values.indexOf(choice[key])) : '';
  select.hidden = values.length < 2;
}
const distinct = (list) => [...new Set(list)].filter(Boolean).sort();
function head() {
  const machines = distinct(sessions.map((session) => session.machine)).length, real = sessions.filter((session) => session.id).length;
  const span = rows.length ? `${day(sessions.reduce((least, session) => (session.rows.length ? Math.min(least, session.first) : least), Infinity))} – ${day(sessions.reduce((most, session) => Math.max(most, session.last), 0))}` : '';
  $('title').textContent = ['Audit report', span].filter(Boolean).join(', ');
  $('foot').replaceChildren(`${several(data.records, 'record')} of ${several(real, 'session')} on ${several(machines, 'machine')}`,
    data.limit ? `, the last ${data.limit.toLocaleString()} that match: older ones are left out (--limit)` : '', data.filter ? el('span', {}, '; chosen by ', el('code', {}, line(data.filter))) : '',
    `. Made ${whole(data.made)} by audit-logger ${line(data.version)}. This page loads nothing and sends nothing.`);
  options('f-host', 'host', 'All hosts', distinct(sessions.map((session) => session.host)));
  options('f-repo', 'repo', 'All repositories', distinct(sessions.map((session) => session.repo)), (repo) => (distinct(sessions.map((s) => s.repo)).filter((other) => base(other) === base(repo)).length > 1 ? repo : base(repo)));
  options('f-user', 'user', 'All people', distinct([...rows.map((row) => row.user), ...sessions.map((session) => session.user)].map((user) => user && person(user))));
}

// ---- on paper: everything that matters, without folding --------------------------------------------------------------
function paper() {
  const kept = rows.filter(fits), section = $('paper'), MOST = 40;
  const table = (heads, list) => el('table', {}, el('thead', {}, el('tr', {}, heads.map((name) => el('th', {}, name)))), el('tbody', {}, list.map((cells) => el('tr', {}, cells.map((cell, index) => el('td', { class: heads[index] === 'What' ? 'w' : undefined }, line(cell).slice(0, 1200)))))));
  const byRule = new Map();
  for (const row of kept) for (const one of row.decisions || []) if (means(one)[0] === 'deny' && row.event !== 'approval') {
    const known = byRule.get(one.rule) || byRule.set(one.rule, { reason: one.reason, list: [] }).get(one.rule);
    if (known.list[known.list.length - 1] !== row) known.list.push(row);
  }
  section.replaceChildren(el('h2', {}, 'Denials by rule'));
  if (!byRule.size) section.append(el('p', {}, 'Nothing was denied.'));
  for (const [rule, { reason, list }] of [...byRule].sort((one, other) => other[1].list.length - one[1].list.length)) {
    section.append(el('h3', {}, `${line(rule) || '(no rule)'} · ${several(list.length, 'call')}`), el('p', {}, line(reason || '')),
      table(['When', 'Who', 'Where', 'What'], list.slice(-MOST).map((row) => [dayMinute(row.t), person(row.session.user), base(row.session.repo || row.cwd), row.what || ''])));
    if (list.length > MOST) section.append(el('p', {}, `and ${list.length - MOST} before them`));
  }
  const asked = kept.filter((row) => row.event === 'approval' || (row.decisions || []).some((one) => ['ask', 'approved'].includes(one.value)));
  section.append(el('h2', {}, 'Questions and approvals'), asked.length ? table(['When', 'Who', 'Decision', 'Rule', 'What'], asked.slice(-400).map((row) => [dayMinute(row.t), person(row.user || row.session.user), row.decision ? means(row.decision)[1] : '', row.decision && row.decision.rule || '', row.what || ''])) : el('p', {}, 'None.'));
  const used = sessions.filter((session) => session.rows.some((row) => kept.length === rows.length || fits(row)));
  section.append(el('h2', {}, 'Sessions'), table(['Began', 'Lasted', 'Host', 'Who', 'Repository', 'Calls', 'Denied', 'Asked'], used.slice(-400).map((session) => {
    const sums = tally(session.rows);
    return [dayMinute(session.first), lasted(session.last - session.first), session.host, person(session.user), base(session.repo || session.cwd), sums.calls, sums.deny, sums.ask].map(String);
  })));
}

// ---- what people do ------------------------------------------------------------------------------------------------
function search() {
  choice.words = []; choice.keys = [];
  for (const word of $('q').value.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [, key, rest] = word.match(/^([a-z]+):(.+)$/) || [];
    key && Object.hasOwn(FIELDS, key) ? choice.keys.push([key, rest]) : choice.words.push(word);
  }
  at = -1; refresh();
}
let soon;
$('q').addEventListener('input', () => { clearTimeout(soon); soon = setTimeout(search, 90); });
$('seek').addEventListener('submit', (event) => { event.preventDefault(); search(); $('list').focus(); });
for (const [id, name] of [['f-host', 'host'], ['f-repo', 'repo'], ['f-user', 'user']]) $(id).addEventListener('change', () => { choice[name] = $(id).value === '' ? '' : $(id).values[Number($(id).value)]; at = -1; refresh(); });
$('list').addEventListener('click', (event) => { const row = event.target.closest('.row'); if (row) act(Number(row.dataset.i)); });
$('list').addEventListener('mousemove', (event) => {
  const canvas = event.target.closest('canvas');
  if (!canvas || !canvas.places) return;
  const x = event.clientX - canvas.getBoundingClientRect().left;
  let best = 0;
  canvas.places.forEach((place, index) => { if (Math.abs(place - x) < Math.abs(canvas.places[best] - x)) best = index; });
  const row = canvas.members[best];
  canvas.title = `${clock(row.t)}  ${row.decision ? means(row.decision)[1] + ': ' : ''}${line(row.what || row.event).slice(0, 200)}`;
});
function clearAll() {
  $('q').value = ''; for (const id of ['f-host', 'f-repo', 'f-user']) $(id).value = '';
  Object.assign(choice, { words: [], keys: [], host: '', repo: '', user: '', outcome: '', from: 0, to: 0 });
  at = -1; refresh();
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName), inside = $('detail').open;
  if (event.key === 'Escape' && !inside && !$('help').open) { event.preventDefault(); event.target === $('q') && !$('q').value ? $('q').blur() : clearAll(); return; }
  if (writing) return;
  const does = {
    '/': () => { $('q').focus(); $('q').select(); }, '?': () => help(), j: () => (inside ? step(1) : point(at + 1, true)), k: () => (inside ? step(-1) : point(at - 1, true)),
    ArrowDown: () => (inside ? step(1) : point(at + 1, true)), ArrowUp: () => (inside ? step(-1) : point(at - 1, true)),
    Home: () => point(0, true), End: () => point(lines.length - 1, true),
    Enter: () => act(at), ' ': () => act(at),
    ArrowRight: () => { const one = lines[at]; if (one && one.type !== 'call' && !one.is) act(at); else if (one && one.type === 'call') act(at); },
    ArrowLeft: () => { let index = at; while (index > 0 && lines[index].level > 1) index--; if (lines[index] && lines[index].is) act(index); else point(index, true); },
  };
  VIEWS.forEach(([name], index) => { does[String(index + 1)] = () => { view = name; at = -1; refresh(); }; });
  const onButton = event.target.tagName === 'BUTTON' || event.target.getAttribute('role') === 'tab';
  if (!does[event.key] || (onButton && (event.key === 'Enter' || event.key === ' '))) return;
  if (inside && ['Home', 'End', 'Enter', ' ', 'ArrowRight', 'ArrowLeft'].includes(event.key)) return;
  event.preventDefault();
  does[event.key]();
});
function help() {
  const keys = [['/', 'search'], ['1 – 4', 'the four views'], ['j k ↑ ↓', 'move'], ['Enter → ←', 'open and fold'], ['Esc', 'close, or clear the search'], ['?', 'this']];
  $('help').replaceChildren(el('h2', {}, 'Keys'), el('dl', {}, keys.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)])),
    el('p', {}, 'A search takes several words, and host: repo: user: tool: rule: decision: session: event: path: with a part of the value.'));
  $('help').showModal();
}
$('keys').addEventListener('click', help);
$('help').addEventListener('click', (event) => { if (event.target === $('help')) $('help').close(); });
$('detail').addEventListener('click', (event) => { if (event.target === $('detail')) $('detail').close(); });
$('detail').addEventListener('close', () => { current = null; history.replaceState(null, '', location.pathname + location.search); $('list').focus({ preventScroll: true }); });
$('theme').addEventListener('click', () => {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  tint(); refresh();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { tint(); refresh(); });
addEventListener('scroll', () => paint(false), { passive: true });
let width = innerWidth;
addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; build(); paint(true); } else paint(false); });
addEventListener('beforeprint', paper);
addEventListener('afterprint', () => $('paper').replaceChildren());

function start(fresh) {
  const first = !data;
  take(fresh); tint(); proofs(); head();
  $('key').replaceChildren(...[['plain', 'call', 'c'], ['deny', 'denied'], ['ask', 'asked about'], ['fine', 'let through'], ['keep', 'saved first'], ['watch', 'only observed']].map(([tone, word, shape]) => el('span', { class: tone }, el('i', { class: shape || tone }), word)));
  refresh();
  if (first) follow();
}
/** A link to one record opens it. */
function follow() {
  const wanted = location.hash.startsWith('#r=') && decodeURIComponent(location.hash.slice(3));
  const views = location.hash.match(/^#view=(\w+)$/);
  if (views && VIEWS.some(([name]) => name === views[1])) { view = views[1]; refresh(); if (lines[0] && lines[0].type !== 'call') { act(0); at = -1; paint(true); } }
  if (!wanted) return;
  const row = rows.find((one) => one.records.some((record) => record.id === wanted || String(record.seq) === wanted || one.call === wanted));
  if (row) detail(row);
}

// ---- live: asks this machine, and no one else ----------------------------------------------------------------------
if (live) {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') || sessionStorage.getItem('token') || '';
  sessionStorage.setItem('token', token);
  history.replaceState(null, '', location.pathname);
  $('live').hidden = false;
  let etag = '';
  const ask = async () => {
    try {
      const answer = await fetch('data', { headers: { Authorization: `Bearer ${token}`, ...(etag ? { 'If-None-Match': etag } : {}) }, cache: 'no-store' });
      if (answer.status === 200) { etag = answer.headers.get('ETag') || ''; start(await answer.json()); }
      else if (answer.status !== 304) throw new Error(answer.status === 401 ? 'The address needs its token: open the one that was printed.' : await answer.text());
      $('live').classList.remove('lost'); $('live').lastChild.textContent = 'live';
    } catch (error) {
      $('live').classList.add('lost'); $('live').lastChild.textContent = 'lost';
      if (!data) { $('empty').hidden = false; $('empty').textContent = String(error.message || error); }
    }
    setTimeout(ask, document.hidden ? 15000 : 2000);
  };
  ask();
} else {
  start(JSON.parse($('data').textContent));
}
/** For tests: when everything stood in its place, in milliseconds since the page was asked for. */
const done = () => { document.documentElement.dataset.drawn = String(Math.round(performance.now())); };
if (data && document.body.offsetHeight) done();
requestAnimationFrame(() => requestAnimationFrame(done));
})();
