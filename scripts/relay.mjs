// npm run relay -- --from HOST:PORT --to URL --race ID --token TOKEN: sends the lines of a timekeeper's RMonitor server to
// a race. It needs nothing but Node 20, and only connects outwards: copy this file to a computer of the timekeeper's network.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const usage =
  'node relay.mjs --from HOST:PORT --to https://pitboard.example.com --race ID --token TOKEN'

/** The limits of one batch. */
const maxLines = 500
const maxLetters = 2000
const maxBytes = 250_000
const maxAgeMs = 24 * 60 * 60 * 1000

/** The queue while the server cannot be reached; the oldest lines are dropped beyond it. */
const maxPending = 100_000

/** The server accepts 120 batches a minute. */
const sendEveryMs = 600
const retryMs = 2000
/** Idle timeout of the connection, which is then replaced: RMonitor sends a line a second. */
const idleTimeoutMs = 30_000

const { from, url, race, token } = settings()
/** Lines with the time at which they were received. @type {{ line: string, at: number }[]} */
const pending = []
// Higher than the number of any batch of an earlier run.
let number = Date.now()
let reported = ''

receive()
for (;;) {
  await send()
  await wait(sendEveryMs)
}

/** Returns the settings of the command line; ends with a sentence if they are wrong. */
function settings() {
  try {
    const { values } = parseArgs({
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        race: { type: 'string' },
        token: { type: 'string' },
      },
    })
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(values.from ?? '') ?? []
    if (!values.from || !values.to || !values.race || !values.token)
      throw new Error('Name --from, --to, --race and --token.')
    if (!host || !port || Number(port) > 65_535)
      throw new Error(`--from ${values.from} is not an address such as 192.168.1.5:50000.`)
    if (!URL.canParse(values.to) || !/^https?:$/.test(new URL(values.to).protocol))
      throw new Error(`--to ${values.to} is not an address such as https://pitboard.example.com.`)
    return {
      from: { host, port: Number(port) },
      url: new URL('/api/timing.push', values.to),
      race: values.race,
      token: values.token,
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

/** Connects to the timekeeper, again and again, and collects its lines. */
function receive() {
  const socket = connect(from)
  // The timekeeper repeats everything to a new connection: the first line marks it.
  let rest = '$I,"",""\n'
  socket.setEncoding('utf8')
  socket.setTimeout(idleTimeoutMs, () => socket.destroy(new Error('no line for 30 s')))
  socket.on('connect', () => report(`Connected to ${from.host}:${from.port}`))
  socket.on('data', (/** @type {string} */ data) => {
    const lines = (rest + data).split(/\r\n|\n|\r/)
    rest = lines.pop() ?? ''
    if (rest.length > maxLetters) {
      lines.push(rest)
      rest = ''
    }
    const at = Date.now()
    for (const each of lines) {
      const line = each.slice(0, maxLetters).replaceAll('\0', '').toWellFormed()
      if (line !== '') pending.push({ line, at })
    }
    const tooMany = pending.length - maxPending
    if (tooMany > 0) pending.splice(0, tooMany)
  })
  socket.on('error', error => report(`The timekeeper: ${error.message}`))
  socket.on('close', () => setTimeout(receive, retryMs))
}

/** Sends the oldest lines as one batch, until the server has it. A batch that arrives twice counts once. */
async function send() {
  const batch = pending.splice(0, countOfBatch())
  const newest = batch.at(-1)
  if (!newest) return
  number += 1
  for (;;) {
    const retryAfterMs = await post(
      batch.map(({ line }) => line),
      newest.at,
    )
    if (retryAfterMs === null) return
    await wait(retryAfterMs)
  }
}

/** Returns how many of the oldest lines fit into one batch. */
function countOfBatch() {
  let bytes = 0
  let count = 0
  for (const { line } of pending.slice(0, maxLines)) {
    bytes += Buffer.byteLength(JSON.stringify(line)) + 1
    if (bytes > maxBytes) break
    count += 1
  }
  return count
}

/**
 * Returns when to try again; null if the server has the lines. Ends where only a person can help. The age of the
 * newest line is sent, too: a flag that waited for a connection may be another one by now.
 * @param {string[]} lines
 * @param {number} at
 * @returns {Promise<number | null>}
 */
async function post(lines, at) {
  const ageMs = Math.min(maxAgeMs, Math.max(0, Date.now() - at))
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ raceId: race, number, lines, ageMs }),
      redirect: 'manual',
      signal: AbortSignal.timeout(20_000),
    })
    if (response.ok) {
      const { number: newest } = await response.json()
      // A clock that is behind that of an earlier run: the batch did not count.
      if (newest > number) {
        number = newest + 1
        return sendEveryMs
      }
      report(`Sending to ${url.origin}`)
      return null
    }
    const { message = '' } = await response.json().catch(() => ({}))
    report(`${url.origin} answers ${response.status}. ${message}`.trim())
    const { status } = response
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) process.exit(1)
    return Number(response.headers.get('retry-after') ?? 0) * 1000 || retryMs
  } catch (error) {
    report(`${url.origin}: ${error instanceof Error ? error.message : String(error)}`)
    return retryMs
  }
}

/**
 * Prints a state when it changes.
 * @param {string} text
 */
function report(text) {
  if (text !== reported) console.log(`${new Date().toTimeString().slice(0, 8)} ${text}`)
  reported = text
}
