import type { Channel } from '#client/channel/channel.ts'
import { Driver } from '#client/driver/driver.ts'
import { DriverAnswers } from '#client/driver/driverAnswers.ts'
import type { DriverMessage } from '#client/driver/driverMessage.ts'
import { PhoneReporter } from '#client/driver/phoneReporter.ts'
import { DriverFixes } from '#client/fixes/driverFixes.ts'
import type { CurrentReading } from '#client/fixes/fixReporter.ts'
import { FixUploader, type UploadAnswer } from '#client/fixes/fixUploader.ts'
import type { Fix } from '#contract/positions.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { testClock } from '#testing/clock.ts'
import { MemoryFixes } from '#testing/live/memoryFixes.ts'
import { call, type Server } from './api.ts'
import { type NodeChannel, nodeChannel } from './nodeChannel.ts'

interface PhoneOptions {
  readonly server: Required<Server>
  /** The id of the driver, whose token it is. */
  readonly userId: string
  readonly sessionId: string
  /** Interval between two fixes. */
  readonly fixIntervalMs: number
  /** The receiver's newest reading. */
  readonly currentReading: CurrentReading
  /** Called when the server does not let this phone drive, or lets a newer drive screen. */
  readonly onRefused: (code: RefusalCode) => void
  readonly onSessionEnded: () => void
  /** Called with a description of each problem that the phone recovers from by itself. */
  readonly onProblem: (sentence: string) => void
}

/** The app's drive screen in Node, without a display. Unsent fixes are stored in memory. */
export class Phone {
  readonly channel: Channel
  readonly message: DriverMessage
  readonly answers: DriverAnswers
  readonly #options: PhoneOptions
  readonly #connection: NodeChannel
  readonly #driver: Driver
  readonly #fixes: DriverFixes
  readonly #uploader: FixUploader
  readonly #reporter: PhoneReporter
  #cleanups: (() => void)[] = []
  #hasNetwork = true

  constructor(options: PhoneOptions) {
    const { server, userId, sessionId, fixIntervalMs, onProblem } = options
    const queue = new MemoryFixes()
    this.#options = options
    this.#connection = nodeChannel({ server, userId, report: onProblem })
    const { channel } = this.#connection
    const { store, clock: serverClock } = channel
    this.channel = channel
    this.#driver = new Driver({
      channel,
      sessionId,
      clock: testClock,
      store,
      isVisible: () => true,
    })
    this.message = this.#driver.message
    this.answers = new DriverAnswers({
      channel,
      sessionId,
      store,
      newId: () => crypto.randomUUID(),
      report: onProblem,
    })
    this.#fixes = new DriverFixes({
      channel,
      sessionId,
      clock: testClock,
      fixStore: queue,
      report: onProblem,
      fixIntervalMs,
    })
    this.#uploader = new FixUploader({
      userId,
      queue,
      serverClock,
      // No other page shares this queue.
      openPages: async () => new Set(),
      upload: (id, fixes) => this.#upload(id, fixes),
      // A token is of one user.
      signedIn: async () => userId,
      report: onProblem,
      // Reported above.
      onLost: () => undefined,
    })
    this.#reporter = new PhoneReporter(channel)
  }

  /** Connects, and drives the session as its newest drive screen. */
  start() {
    const { channel } = this
    const { sessionId, currentReading, onRefused, onSessionEnded, onProblem } = this.#options
    this.#reporter.setGps('good')
    this.#reporter.report('shown')
    this.#cleanups = [
      channel.onConnectionState(() => {
        if (channel.connectionState.status === 'lost') onProblem('Connection lost, reconnecting.')
      }),
      channel.follow(sessionId, () => {
        if (channel.session(sessionId).session?.status === 'Complete') onSessionEnded()
      }),
      this.#uploader.start(channel, testClock),
      this.#driver.start(),
      this.answers.start(),
      this.#fixes.start(currentReading),
      this.#driver.drive(onRefused),
    ]
    channel.start()
  }

  /** Call when the receiver has a new reading. */
  readingChanged() {
    this.#fixes.readingChanged()
  }

  /** Without a network, positions, receipts and answers wait. */
  setNetwork(isThere: boolean) {
    this.#hasNetwork = isThere
    this.#connection.setNetwork(isThere)
  }

  /** Leaves the car. Resolves when the connection is closed. */
  async stop(): Promise<void> {
    const cleanups = this.#cleanups
    this.#cleanups = []
    if (cleanups.length > 0) this.#reporter.report('leaving')
    for (const cleanup of cleanups) cleanup()
    await this.#connection.stop()
  }

  async #upload(sessionId: string, fixes: readonly Fix[]): Promise<UploadAnswer> {
    if (!this.#hasNetwork) return { failed: null }
    try {
      const { server } = this.#options
      return await call(server, 'sessions.storeFixes', { sessionId, fixes: [...fixes] })
    } catch (error) {
      return { failed: error instanceof Refusal ? error.code : null }
    }
  }
}
