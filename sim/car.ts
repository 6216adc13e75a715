import type { CurrentReading } from '#client/fixes/fixReporter.ts'
import type { Message } from '#contract/messages.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { fullCircleDeg } from '#contract/shared/bounds.ts'
import { trustedReading } from '#contract/shared/fix.ts'
import { type Position, planeAround } from '#contract/shared/geo.ts'
import { fixIntervalMs } from '#contract/shared/liveRules.ts'
import { testClock } from '#testing/clock.ts'
import { type Drive, loopOf, sampleAt } from '#testing/drives.ts'
import { Phone } from './phone.ts'

export interface CarOptions {
  /** `http://localhost:3000` */
  readonly url: string
  /** Bearer token of the driver's login. */
  readonly token: string
  /** The driver. */
  readonly userId: string
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
  /** The driver answers Yes to questions, instead of acknowledging them. */
  readonly answers?: boolean
  /** Times without a network, since the start. */
  readonly deadZone?: { readonly everyMs: number; readonly forMs: number }
  /** Called for each new message; its `type` is null when the screen was cleared. */
  readonly onMessage?: (message: Message) => void
  /** Called with a description of each problem that the car recovers from by itself. */
  readonly onProblem?: (sentence: string) => void
}

/** Why a car stopped driving. */
export type CarEnd =
  | { readonly why: 'stopped' | 'session-ended' | 'signed-out' | 'outdated' }
  | { readonly why: 'refused'; readonly code: RefusalCode; readonly sentence: string }

/** Time until a frame is painted. */
const frameMs = 17

/** Typical accuracy of a phone on a windscreen, in metres. */
const receiverAccuracyM = 4

/** A car's heading is the direction of its next tenth of a second. */
const headingAfterMs = 100

/** Starts a car that reports until it is stopped, its session ends, or the server refuses it. */
export function startCar(options: CarOptions): Car {
  const car = new Car(options)
  car.start()
  return car
}

/** A driver and a phone in a car that follows a drive, lap after lap. */
export class Car {
  /** Resolves when the car no longer drives. Never rejects. */
  readonly ended: Promise<CarEnd>
  readonly #options: CarOptions
  readonly #drive: Drive
  readonly #intervalMs: number
  readonly #phone: Phone
  readonly #end: (end: CarEnd) => void
  readonly #startedAt = testClock.monotonicMs()
  #reading: ReturnType<CurrentReading> = null
  #isInDeadZone = false
  #stopReceiver = () => {}
  #scheduledVersion = 0
  #cancelPaint = () => {}
  #cancelCopy = () => {}

  constructor(options: CarOptions) {
    const { url, token, userId, sessionId, hz = 1, onProblem = () => undefined } = options
    this.#options = options
    this.#drive = loopOf(options.drive)
    this.#intervalMs = fixIntervalMs / hz
    const { promise, resolve } = withResolver<CarEnd>()
    this.ended = promise
    this.#end = resolve
    this.#phone = new Phone({
      server: { url, token },
      userId,
      sessionId,
      fixIntervalMs: this.#intervalMs,
      currentReading: () => this.#reading,
      onRefused: code => this.#finish(endOf(code)),
      onSessionEnded: () => this.#finish({ why: 'session-ended' }),
      onProblem,
    })
  }

  start() {
    const { channel, message } = this.#phone
    channel.onConnectionState(() => {
      const state = channel.connectionState
      if (state.status === 'closed') this.#finish({ why: state.reason })
    })
    message.onChange(() => this.#render())
    this.#stopReceiver = testClock.every(this.#intervalMs, () => this.#receive())
    this.#receive()
    this.#phone.start()
  }

  /** Stops driving, closes the connection, and waits until it is closed. */
  async stop(): Promise<void> {
    this.#finish({ why: 'stopped' })
    await this.#phone.stop()
  }

  /** The GPS receiver: takes a reading where the car is now. */
  #receive() {
    const { speed = 1 } = this.#options
    const sample = sampleAt(this.#drive, (testClock.monotonicMs() - this.#startedAt) * speed)
    const reading = trustedReading({
      ...sample,
      accuracy: receiverAccuracyM,
      speed: sample.speedMps,
      heading: headingDeg(sample, sampleAt(this.#drive, sample.atMs + headingAfterMs)),
    })
    const wallMs = testClock.now()
    this.#reading = {
      reading,
      arrival: this.#phone.channel.clock.timeOf(),
      arrivalWallMs: wallMs,
      receiverMs: wallMs,
    }
    this.#phone.readingChanged()
    this.#followNetwork()
  }

  #followNetwork() {
    const { deadZone } = this.#options
    if (!deadZone) return
    const intoMs = (testClock.monotonicMs() - this.#startedAt) % deadZone.everyMs
    const isInDeadZone = intoMs >= deadZone.everyMs - deadZone.forMs
    if (isInDeadZone === this.#isInDeadZone) return
    this.#isInDeadZone = isInDeadZone
    this.#phone.setNetwork(!isInDeadZone)
  }

  /** The phone's screen: paints a new message one frame later. */
  #render() {
    const { message, isWithheld } = this.#phone.message.state
    if (!message || isWithheld || message.version === this.#scheduledVersion) return
    this.#scheduledVersion = message.version
    this.#cancelPaint()
    this.#cancelCopy()
    this.#cancelPaint = testClock.after(frameMs, () => this.#paint(message))
  }

  /** The driver sees a message, and acknowledges it after a delay. */
  #paint(message: Message) {
    this.#options.onMessage?.(message)
    this.#phone.message.painted(message.version)
    const { answers = false, copyAfterMs = 2000 } = this.#options
    const react = () => {
      if (answers && message.ask) this.#phone.answers.give('Yes', message.version)
      // Does nothing if the screen was cleared, or the message was acknowledged before.
      else void this.#phone.message.copy()
    }
    this.#cancelCopy = testClock.after(copyAfterMs, react)
  }

  #finish(end: CarEnd) {
    this.#end(end)
    this.#stopReceiver()
    this.#cancelPaint()
    this.#cancelCopy()
    void this.#phone.stop()
  }
}

function headingDeg(from: Position, to: Position): number {
  const { eastM, northM } = planeAround(from).toPoint(to)
  return ((Math.atan2(eastM, northM) * 180) / Math.PI + fullCircleDeg) % fullCircleDeg
}

function endOf(code: RefusalCode): CarEnd {
  if (code === 'session-ended') return { why: 'session-ended' }
  return { why: 'refused', code, sentence: new Refusal(code).message }
}

function withResolver<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
