import { randomUUID } from 'node:crypto'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { Down, Up } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { CloseCode } from '#contract/shared/liveRules.ts'
import type { Caller } from '../context.ts'
import type { Log } from '../log.ts'
import { logFieldsOf } from './logFields.ts'
import { type Frame, jsonsIn } from './publish/frame.ts'
import { type BadFrame, parseUp } from './up.ts'

/** One frame as it was received (`in`) or sent (`out`). */
export interface TracedFrame {
  at: EpochMs
  connectionId: string
  userId: UserId | undefined
  direction: 'in' | 'out'
  /** Its JSON, cut off after `maxTextLength`. */
  text: string
}

/** Maximum number of frames kept, without heartbeats, which would soon replace all others. */
const maxFrames = 500

const maxTextLength = 500

interface Options {
  log: Log
  clock: Clock
  /** Keeps the newest frames with their contents: only for a server that other machines cannot reach. */
  keepFrames: boolean
}

/**
 * Creates a trace if somebody may look at it: at log level debug, or if frames are kept. Otherwise undefined,
 * so that connections do no work for it.
 */
export function createLiveTrace(options: Options): LiveTrace | undefined {
  const { log, keepFrames } = options
  return keepFrames || log.isLevelEnabled('debug') ? new LiveTrace(options) : undefined
}

/** Follows the connections of this node. */
export class LiveTrace {
  readonly #options: Options
  #frames: TracedFrame[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** The kept frames, oldest first. */
  get frames(): readonly TracedFrame[] {
    return this.#frames
  }

  /** Starts to follow a connection, before its login is checked. */
  connect(): ConnectionTrace {
    const { log, clock, keepFrames } = this.#options
    return new ConnectionTrace(log, frame => {
      if (!keepFrames) return
      this.#frames.push({ ...frame, at: clock.now() })
      if (this.#frames.length > maxFrames) this.#frames.shift()
    })
  }
}

/** Logs the steps and frames of one connection at level debug, and its heartbeats at level trace. */
export class ConnectionTrace {
  readonly connectionId = randomUUID()
  readonly #keep: (frame: Omit<TracedFrame, 'at'>) => void
  #log: Log
  #userId: UserId | undefined
  /** The session this connection drives. */
  #driving: SessionId | undefined

  constructor(log: Log, keep: (frame: Omit<TracedFrame, 'at'>) => void) {
    this.#log = log.child({ connectionId: this.connectionId })
    this.#keep = keep
    this.#log.debug('connection requested')
  }

  authenticated(caller: Caller | null) {
    if (!caller) return this.#log.debug('connection refused: no valid login')
    this.#userId = caller.userId
    this.#log = this.#log.child({ userId: caller.userId })
    this.#log.debug('connection authenticated')
  }

  received(text: string) {
    this.#record('in', text)
    if (!this.#log.isLevelEnabled('debug')) return
    const up = jsonOf(text) === null ? null : parseUp(text)
    if (!up) return this.#log.debug('received a frame that is not JSON')
    const driven = isPhoneFrame[up.t] && { sessionId: this.#driving }
    this.#log[levelOf(up)]({ ...logFieldsOf(up), ...driven }, 'received')
    if (up.t === 'stop-driving') this.#driving = undefined
  }

  /** Logs the frames of one write, which may join several. */
  sent(write: Frame) {
    for (const json of jsonsIn(write)) {
      const text = json.toString()
      this.#record('out', text)
      if (!this.#log.isLevelEnabled('debug')) continue
      const down = jsonOf(text) as Down | null
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

  #record(direction: TracedFrame['direction'], text: string) {
    if (text.startsWith('{"t":"heartbeat"')) return
    const { connectionId } = this
    this.#keep({
      connectionId,
      userId: this.#userId,
      direction,
      text: text.slice(0, maxTextLength),
    })
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
  phone: true,
  test: true,
}

/** Heartbeats are most of the frames and rarely of interest. */
function levelOf({ t }: { t: string }): 'trace' | 'debug' {
  return t === 'heartbeat' ? 'trace' : 'debug'
}
