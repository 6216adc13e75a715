import { randomBytes, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { WebSocket } from 'ws'
import { heartbeatIntervalMs, protocol } from '#contract/shared/liveRules.ts'

/** The attacker: a signed-in user with a session of their own, or a client without a login. */
export interface Attacker {
  url: string
  token: string
  session: string
  team: string
  race: string
  /** The network address they share with others. */
  from: string
}

/** Counts of sent requests and their outcomes. */
export interface Tally {
  sent: number
  /** Answered with another status than 200; `failed` of them with 500, which is an error of the server. */
  refused: number
  failed: number
  closed: number
}

export type Attack =
  | { do: 'nothing' }
  | { do: 'subscribe'; connections: number; perSecond: number }
  | { do: 'fixes'; connections: number; perSecond: number }
  | { do: 'log'; perSecond: number }
  | { do: 'messages'; perSecond: number }
  | { do: 'upgrades'; perSecond: number }
  | { do: 'calls'; perSecond: number }
  | { do: 'anonymous'; perSecond: number }
  | { do: 'uploads'; count: number }
  | { do: 'reads'; perSecond: number; paths: readonly string[] }
  | { do: 'circuits'; perSecond: number; file: keyof typeof circuitFiles }
  | { do: 'pages'; perSecond: number }

/** Attacks until the process is ended; keeps `tally` up to date. */
export function startAttack(attack: Attack, who: Attacker, tally: Tally) {
  switch (attack.do) {
    case 'nothing':
      return
    case 'subscribe':
      return flood(attack, who, tally, () => ({ t: 'subscribe', room: `session:${who.session}` }))
    case 'fixes':
      return flood(attack, who, tally, fixFrame)
    case 'log':
      return repeat(attack.perSecond, () =>
        call(who, tally, `messages.log?sessionId=${who.session}`, { login: true }),
      )
    case 'messages':
      return repeat(attack.perSecond, () => sendMessage(who, tally))
    case 'upgrades':
      return repeat(attack.perSecond, () => upgrade(who, tally))
    case 'calls':
      return repeat(attack.perSecond, () => call(who, tally, 'auth.login', {}))
    case 'anonymous':
      return repeat(attack.perSecond, () =>
        call(who, tally, 'auth.signInAnonymously', { body: {} }),
      )
    case 'uploads':
      for (let n = 0; n < attack.count; n++) uploadWithoutEnd(who, tally)
      return
    case 'reads':
      return inTurn(attack, path => call(who, tally, pathOf(path, who), { login: true }))
    case 'circuits':
      return repeat(attack.perSecond, () => importCircuit(who, tally, circuitFiles[attack.file]))
    case 'pages':
      return repeat(attack.perSecond, () => page(who, tally))
  }
}

/** Calls `act` at a rate, in batches of the calls that are due. */
function repeat(perSecond: number, act: () => unknown) {
  const startedAt = performance.now()
  let done = 0
  setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    for (; done < due; done++) void act()
  }, 5)
}

/** Requests paths one after the other, over and over. */
function inTurn(
  { perSecond, paths }: { perSecond: number; paths: readonly string[] },
  request: (path: string) => unknown,
) {
  let next = 0
  repeat(perSecond, () => request(paths[next++ % paths.length] ?? ''))
}

function pathOf(path: string, { session, team, race }: Attacker): string {
  return path.replace('{session}', session).replace('{team}', team).replace('{race}', race)
}

/** Files within the size of a circuit's file that take long to parse. */
const circuitFiles = {
  tags: '<a>'.repeat(333_000),
  numbers: JSON.stringify(Array<number>(400_000).fill(1)),
  keys: JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`k${n}`, 1]))),
}

function importCircuit(who: Attacker, tally: Tally, file: string) {
  const body = { teamId: who.team, name: 'Circuit', file }
  return call(who, tally, 'circuits.import', { login: true, body })
}

/** Requests a page of the app. */
function page(who: Attacker, tally: Tally) {
  tally.sent += 1
  const headers = { ...headersOf(who, {}), accept: 'text/html' }
  const sent = request(`${who.url}/teams`, { agent, headers })
  sent.on('response', response => {
    if (response.statusCode !== 200) tally.refused += 1
    response.resume()
  })
  sent.on('error', () => (tally.closed += 1))
  sent.end()
}

interface Flood {
  do: 'subscribe' | 'fixes'
  connections: number
  perSecond: number
}

/** Sends frames at a rate on each of some connections, which reconnect as soon as they are closed. */
function flood(
  { do: kind, connections, perSecond }: Flood,
  who: Attacker,
  tally: Tally,
  frame: () => object,
) {
  for (let n = 0; n < connections; n++) {
    let socket = openConnection()
    repeat(perSecond, () => {
      if (socket.readyState === WebSocket.CLOSED) {
        tally.closed += 1
        socket = openConnection()
      } else if (socket.readyState === WebSocket.OPEN) {
        tally.sent += 1
        socket.send(JSON.stringify(frame()))
      }
    })
    setInterval(() => {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ t: 'heartbeat', at: 1 }))
    }, heartbeatIntervalMs)
  }

  function openConnection() {
    const opened = new WebSocket(liveUrl(who), { headers: headersOf(who, { login: true }) })
    opened.on('error', () => {})
    opened.on('open', () => {
      opened.send(JSON.stringify({ t: 'hello', protocol }))
      if (kind === 'fixes') opened.send(JSON.stringify({ t: 'drive', session: who.session }))
    })
    opened.on('message', (data: Buffer) => {
      if (data.includes('"refused"')) tally.refused += 1
    })
    return opened
  }
}

function fixFrame() {
  const la = 50 + Math.random() / 10
  return { t: 'fix', at: Date.now(), la: Number(la.toFixed(6)), lo: 5.97, v: 120, ac: 4, h: 0 }
}

function sendMessage(who: Attacker, tally: Tally) {
  const body = { sessionId: who.session, type: 'Pit', commandId: randomUUID() }
  return call(who, tally, 'messages.set', { login: true, body })
}

/** Upgrades with a cookie that looks like a login's, but is invalid. */
function upgrade(who: Attacker, tally: Tally) {
  tally.sent += 1
  const cookie = `pitboard_login=${randomBytes(32).toString('base64url')}`
  const socket = new WebSocket(liveUrl(who), { headers: { ...headersOf(who, {}), cookie } })
  socket.on('unexpected-response', (request, response) => {
    tally.refused += 1
    response.resume()
    request.destroy()
  })
  socket.on('error', () => {})
  socket.on('close', () => (tally.closed += 1))
}

interface CallOptions {
  login?: boolean
  body?: object
}

/** Keep-alive connections: a new one for each request would cost more than the request. */
const agent = new Agent({ keepAlive: true, maxSockets: 50 })

function call(who: Attacker, tally: Tally, path: string, { login = false, body }: CallOptions) {
  tally.sent += 1
  const headers = {
    ...headersOf(who, { login }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const method = body ? 'POST' : 'GET'
  const sent = request(`${who.url}/api/${path}`, { agent, method, headers })
  sent.on('response', response => {
    if (response.statusCode !== 200) tally.refused += 1
    if (response.statusCode === 500) tally.failed += 1
    response.resume()
  })
  sent.on('error', () => (tally.closed += 1))
  sent.end(body && JSON.stringify(body))
}

/** Uploads four megabytes of a file that never ends. */
function uploadWithoutEnd(who: Attacker, tally: Tally) {
  tally.sent += 1
  const fields = [
    `name="teamId"\r\n\r\n${who.team}`,
    `name="name"\r\n\r\n${randomUUID()}.bin`,
    'name="file"; filename="a.bin"\r\n\r\n',
  ]
  const upload = request(`${who.url}/api/files.upload`, {
    method: 'POST',
    headers: {
      ...headersOf(who, { login: true }),
      'content-type': 'multipart/form-data; boundary=x',
    },
  })
  upload.on('response', response => {
    if (response.statusCode !== 200) tally.refused += 1
    response.resume()
  })
  upload.on('error', () => (tally.closed += 1))
  upload.write(fields.map(each => `--x\r\ncontent-disposition: form-data; ${each}`).join('\r\n'))
  upload.write(Buffer.alloc(4 * 1024 * 1024))
}

function headersOf({ token, from }: Attacker, { login }: { login?: boolean }) {
  return { 'x-forwarded-for': from, ...(login && { authorization: `Bearer ${token}` }) }
}

function liveUrl({ url }: Attacker): string {
  return `${url.replace(/^http/, 'ws')}/live`
}
