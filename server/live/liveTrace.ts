import { randomUUID } from 'node:crypto'
import type { SessionId } from '#contract/ids.ts'
import type { Down, Up } from '#contract/live.ts'
import type { CloseCode } from '#contract/shared/liveRules.ts'
import type { Caller } from '../context.ts'
import type { Log } from '../log.ts'
import { frameAccess } from '../rights/frameAccess.ts'
import { type Frame, jsonsIn } from './publish/frame.ts'
import { type BadFrame, parseUp } from './up.ts'

/**
 * Returns a function that starts to follow a connection, before its login is checked. Undefined unless the log has level
 * debug, so that connections do no work for it.
 */
export function connectionTracer(log: Log): (() => ConnectionTrace) | undefined {
  return log.isLevelEnabled('debug') ? () => new ConnectionTrace(log) : undefined
}

/** Logs the steps and frames of one connection at level debug, and its heartbeats at level trace. */
export class ConnectionTrace {
  readonly connectionId = randomUUID()
  #log: Log
  /** The session this connection drives. */
  #driving: SessionId | undefined

  constructor(log: Log) {
    this.#log = log.child({ connectionId: this.connectionId })
    this.#log.debug('connection requested')
  }

  authenticated(caller: Caller | null) {
    if (!caller) return this.#log.debug('connection refused: no valid login')
    this.#log = this.#log.child({ userId: caller.userId })
    this.#log.debug('connection authenticated')
  }

  received(text: string) {
    const up = jsonOf(text) === null ? null : parseUp(text)
    if (!up) return this.#log.debug('received a frame that is not JSON')
    const driven = isPhoneFrame[up.t] && { sessionId: this.#driving }
    this.#log[levelOf(up)]({ ...logFieldsOf(up), ...driven }, 'received')
    if (up.t === 'stop-driving') this.#driving = undefined
  }

  /** Logs the frames of one write, which may join several. */
  sent(write: Frame) {
    for (const json of jsonsIn(write)) {
      const down = jsonOf(json.toString()) as Down | null
      if (!down) continue
      if (down.t === 'snapshot' && down.drive && down.snapshot.of === 'session')
        this.#driving = down.snapshot.session.id
      this.#log[levelOf(down)](logFieldsOf(down), 'sent')
    }
  }

  /** The server closes the connection. */
  closing(code: CloseCode) {
    this.#log.debug({ code }, 'closing connection')
  }

  closed(code: number) {
    this.#log.debug({ code }, 'connection closed')
  }
}

/** Null if it is not JSON: debugging must not close a connection or end the process. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** True for frames of the phone in the car: they belong to the session that its connection drives. */
const isPhoneFrame: Readonly<Record<(Up | BadFrame)['t'], boolean>> = {
  hello: false,
  bad: false,
  heartbeat: false,
  subscribe: false,
  unsubscribe: false,
  // These two contain their session.
  drive: false,
  'test-seen': false,
  'stop-driving': true,
  fix: true,
  receipt: true,
  answer: true,
  'flag-shown': true,
  phone: true,
  test: true,
}

/** Heartbeats are most of the frames and rarely of interest. */
function levelOf({ t }: { t: string }): 'trace' | 'debug' {
  return t === 'heartbeat' ? 'trace' : 'debug'
}

type AnyFrame = Up | Down | BadFrame

/** Returns the type, ids and versions of a frame as fields for the log: no names, positions or texts. */
function logFieldsOf(frame: AnyFrame): Record<string, unknown> {
  const sessionId = sessionIn(frame)
  return {
    frame: frame.t,
    ...('room' in frame && { room: frame.room }),
    ...(sessionId !== undefined && { sessionId }),
    ...detailsIn(frame),
  }
}

function sessionIn(frame: AnyFrame): SessionId | undefined {
  if ('s' in frame) return frame.s
  if ('session' in frame && frame.session !== undefined)
    return typeof frame.session === 'string' ? frame.session : frame.session.id
  if ('room' in frame && frame.room?.startsWith('session:'))
    return frame.room.slice('session:'.length)
  return undefined
}

function detailsIn(frame: AnyFrame) {
  if (frame.t === 'hello') return { protocol: frame.protocol, pageId: frame.page }
  if (frame.t === 'message') return { version: frame.message.version }
  if (frame.t === 'receipt')
    return { version: frame.version, ...('stage' in frame && { stage: frame.stage }) }
  // The type of an unknown frame is a text of the client.
  if (frame.t === 'refused')
    return { code: frame.code, ...(Object.hasOwn(frameAccess, frame.re) && { re: frame.re }) }
  return {}
}
