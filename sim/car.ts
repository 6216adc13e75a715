import { trustedReading } from '#contract/fix.ts'
import type { Down } from '#contract/live.ts'
import { CloseCode, fixIntervalMs } from '#contract/liveRules.ts'
import type { Message } from '#contract/messages.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { type Drive, loopOf, sampleAt } from '#testing/drives.ts'
import { LiveConnection } from './connection.ts'
import { DriverScreen } from './driverScreen.ts'

export interface CarOptions {
  /** `http://localhost:3000` */
  readonly url: string
  /** Bearer token of the driver's login. */
  readonly token: string
  readonly sessionId: string
  readonly drive: Drive
  /**
   * How many times faster than real the car moves. Fixes are still sent `hz` times per real second, with
   * the recorded speed: the car jumps further, but never reports impossible speeds.
   */
  readonly speed?: number
  /** Fixes per second of real time. */
  readonly hz?: number
  /** Delay before the driver acknowledges a message. */
  readonly copyAfterMs?: number
  /** Timeout of a silent connection. */
  readonly deadAfterMs?: number
  /** Called for each new message; its `type` is null when the screen was cleared. */
  readonly onMessage?: (message: Message) => void
  /** Called with a description of each problem that the car recovers from by itself. */
  readonly onProblem?: (sentence: string) => void
}

/** Why a car stopped driving. */
export type CarEnd =
  | { readonly why: 'stopped' | 'session-ended' | 'signed-out' | 'outdated' }
  | { readonly why: 'refused'; readonly code: RefusalCode; readonly sentence: string }

/** Temporary refusals, which are worth a retry. */
const temporaryRefusals: readonly RefusalCode[] = ['server-error', 'not-ready', 'too-many']

/** Starts a car that reports until it is stopped, its session ends, or the server refuses it. */
export function startCar(options: CarOptions): Car {
  const car = new Car(options)
  car.start()
  return car
}

/** A driver's phone in a car that follows a drive, lap after lap. */
export class Car {
  /** Resolves when the car no longer drives. Never rejects. */
  readonly ended: Promise<CarEnd>
  readonly #options: CarOptions
  readonly #drive: Drive
  readonly #connection: LiveConnection
  readonly #end: (end: CarEnd) => void
  #startedAt = 0
  /** Whether the server confirmed that this connection drives. */
  #driving = false
  readonly #screen: DriverScreen
  #fixes: NodeJS.Timeout | undefined

  constructor(options: CarOptions) {
    this.#options = options
    this.#drive = loopOf(options.drive)
    const { promise, resolve } = withResolver<CarEnd>()
    this.ended = promise
    this.#end = resolve
    this.#screen = new DriverScreen({
      now: () => this.#connection.serverNow,
      sendReceipt: receipt => this.#connection.send({ t: 'receipt', ...receipt }),
      ...(options.copyAfterMs !== undefined && { copyAfterMs: options.copyAfterMs }),
      ...(options.onMessage && { onMessage: options.onMessage }),
    })
    this.#connection = new LiveConnection({
      server: { url: options.url, token: options.token },
      ...(options.deadAfterMs && { deadAfterMs: options.deadAfterMs }),
      onWelcome: () => this.#claimDriving(),
      onFrame: frame => this.#onFrame(frame),
      onProblem: sentence => this.#report(sentence),
      onRejected: code => this.#finish(endOf(code)),
    })
  }

  start() {
    this.#startedAt = performance.now()
    this.#connection.start()
    this.#fixes = setInterval(() => this.#sendFix(), fixIntervalMs / (this.#options.hz ?? 1))
  }

  /** The message on the driver's screen; null before the first snapshot. */
  get message(): Message | null {
    return this.#screen.message
  }

  /** Stops driving, closes the connection, and waits until it is closed. */
  async stop(): Promise<void> {
    this.#connection.send({ t: 'park' })
    this.#finish({ why: 'stopped' })
    await this.#connection.stop()
  }

  #claimDriving() {
    this.#driving = false
    this.#requestDriving()
  }

  /** The response is a snapshot, also if this connection already drives. */
  #requestDriving() {
    this.#connection.send({ t: 'drive', session: this.#options.sessionId })
  }

  #onFrame(frame: Down) {
    const session = this.#options.sessionId
    switch (frame.t) {
      case 'snapshot':
        if (frame.snapshot.of !== 'session' || frame.snapshot.session.id !== session) return
        if (frame.snapshot.session.status === 'Complete') {
          return this.#finish({ why: 'session-ended' })
        }
        this.#screen.apply(frame.snapshot.session.message)
        return frame.drive ? this.#onDriving() : undefined
      case 'message':
        return frame.session === session ? this.#screen.apply(frame.message) : undefined
      case 'beat':
        return this.#compareVersion(frame.versions[session] ?? 0)
      case 'session-ended':
        return frame.session === session ? this.#finish({ why: 'session-ended' }) : undefined
      case 'refused':
        return this.#onRefused(frame.re, frame.code, frame.message)
      case 'welcome':
      case 'fix':
      case 'receipt':
      case 'driving':
      case 'test-seen':
      case 'team-added':
      case 'team-removed':
      case 'invitation-added':
      case 'invitation-removed':
      case 'invited-added':
      case 'invited-removed':
      case 'member-added':
      case 'member-removed':
      case 'session-started':
      case 'session-changed':
      case 'phone':
      case 'test':
        return
    }
  }

  #onDriving() {
    const first = !this.#driving
    this.#driving = true
    // Sent at once, so that the team does not wait for the next full second.
    if (first) this.#sendFix()
  }

  #sendFix() {
    if (!this.#driving) return
    const { speed = 1 } = this.#options
    const sample = sampleAt(this.#drive, (performance.now() - this.#startedAt) * speed)
    const reading = trustedReading({
      ...sample,
      accuracy: receiverAccuracyM,
      speed: sample.speedMps,
    })
    this.#connection.send({
      t: 'fix',
      at: this.#connection.serverNow,
      la: reading.latitude,
      lo: reading.longitude,
      v: reading.speedKmh,
      ac: reading.accuracyM,
    })
  }

  /** A heartbeat reveals a missed message: a new snapshot contains it. */
  #compareVersion(newest: number) {
    if (this.#driving && newest > (this.#screen.message?.version ?? 0)) this.#requestDriving()
  }

  #onRefused(re: string, code: RefusalCode, sentence: string) {
    if (code === 'session-ended') return this.#finish({ why: 'session-ended' })
    if (re === 'drive' && !temporaryRefusals.includes(code)) {
      return this.#finish({ why: 'refused', code, sentence })
    }
    this.#report(`The server refused a ${re}: ${sentence}`)
    if (re === 'drive') this.#connection.drop()
    else if (code === 'not-the-driver') this.#claimDriving()
  }

  #finish(end: CarEnd) {
    this.#driving = false
    clearInterval(this.#fixes)
    this.#screen.stop()
    this.#end(end)
    void this.#connection.stop()
  }

  #report(sentence: string) {
    this.#options.onProblem?.(sentence)
  }
}

/** Typical accuracy of a phone on a windscreen, in metres. */
const receiverAccuracyM = 4

function endOf(closeCode: number): CarEnd {
  return { why: closeCode === CloseCode.wrongProtocol ? 'outdated' : 'signed-out' }
}

function withResolver<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
