import { Driver } from '#client/driver/driver.ts'
import { DriverAnswers } from '#client/driver/driverAnswers.ts'
import { PhoneReporter } from '#client/driver/phoneReporter.ts'
import { DriverFixes } from '#client/fixes/driverFixes.ts'
import type { AnswerKind } from '#contract/answers.ts'
import type { Presence } from '#contract/phone.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { AppPage } from './appPage.ts'
import type { Device } from './device.ts'
import type { Page } from './page.ts'
import { Receiver } from './receiver.ts'
import type { TruthRecord } from './record.ts'

interface DriverSettings {
  device: Device
  tab: string
  userId: string
  sessionId: string
  record: TruthRecord
  /** Reports a message before it is painted: the invariants must detect that. */
  reportsUnpainted?: boolean
}

/** Refusals after which this screen shows no message. */
const over: readonly RefusalCode[] = [
  'session-ended',
  'not-the-driver',
  'not-a-member',
  'not-found',
  'driven-elsewhere',
]

/** True for refusals after a newer message, or the session's end, overtook a tap or a receipt. */
function isTooLate(problem: string): boolean {
  return /refused a (receipt: (not-found|session-ended)|fix: session-ended)/.test(problem)
}

/** Time until a frame is painted. */
const frameMs = [8, 34] as const

/** The drive screen: the app's own driver logic, with a simulated display. */
export class DriverScreen {
  readonly settings: DriverSettings
  readonly app: AppPage
  readonly driver: Driver
  readonly answers: DriverAnswers
  readonly #fixes: DriverFixes
  readonly #receiver: Receiver
  readonly #phone: PhoneReporter
  #stopReporting: (() => void) | null = null
  #refused: RefusalCode | null = null
  #undoDrive: () => void = () => undefined
  #cancelPaint: () => void = () => undefined
  #shown = ''
  #paintedVersion = 0

  constructor(settings: DriverSettings) {
    this.settings = settings
    const { device, tab, userId, sessionId, record } = settings
    const page = device.openPage(tab)
    this.app = new AppPage({ page, userId, record, isExpectedReport: isTooLate })
    const { channel } = this.app
    this.driver = new Driver({
      channel,
      sessionId,
      clock: page.clock,
      store: page.store,
      isVisible: () => page.isVisible,
    })
    this.answers = new DriverAnswers({
      channel,
      sessionId,
      store: page.store,
      newId: () => device.settings.random.uuid(),
      report: problem => this.#reportAnswers(problem),
    })
    this.#fixes = new DriverFixes({
      channel,
      sessionId,
      clock: page.clock,
      fixStore: device.fixes,
      report: problem => this.#report(problem),
    })
    this.#receiver = new Receiver({
      page,
      clock: channel.clock,
      record,
      onReading: () => this.#fixes.readingChanged(),
    })
    this.#phone = new PhoneReporter(channel)
    this.#phone.setGps('good')
    this.app.startUploads(device, {
      report: problem => this.#report(problem),
      onLost: count => record.count('fixes refused', count),
    })
    const { message } = this.driver
    message.onChange(() => this.#render())
    for (const event of ['visible', 'hidden'] as const)
      page.on(event, () => {
        message.onVisibilityChange()
        this.#reportPresence(event === 'visible' ? 'shown' : 'hidden')
      })
    this.#phone.report('shown')
    channel.follow(sessionId, () => this.#render())
    channel.start()
    this.driver.start()
    this.answers.start()
    this.#drive()
    void this.#fetch()
    this.#render()
  }

  get page(): Page {
    return this.app.page
  }

  /** Its device and tab. After a reload the screen has the same name. */
  get name(): string {
    return `${this.settings.device.name}, ${this.settings.tab}`
  }

  /** The reason why this screen does not drive, if it does not. */
  get refused(): RefusalCode | null {
    return this.#refused
  }

  /** The version whose message is painted; 0 for none. */
  get paintedVersion(): number {
    return this.#paintedVersion
  }

  /** Presses "Drive here" on the notice: this screen drives as the newest one. */
  takeOver() {
    this.page.run(() => {
      this.#drive()
      this.#render()
    })
  }

  #drive() {
    this.#undoDrive()
    this.#refused = null
    this.#undoDrive = this.driver.drive(code => {
      this.#refused = code
      this.settings.device.settings.trace('page', `refused: ${code}`)
      this.#render()
    })
  }

  /** Taps the screen, which acknowledges the painted message. */
  tap() {
    this.page.run(() => {
      // The notice in place of an ended or handed-over drive acknowledges nothing.
      if (!this.page.isShown || this.#isOver) return
      const version = this.#paintedVersion
      const { record, device } = this.settings
      if (!this.driver.message.copy()) return
      const isStored = !device.storageFails
      record.taps.push({ screen: this.name, version, isStored, atMs: record.time.now })
      record.count('taps')
    })
  }

  /** Answers the painted question, or reports something without one. */
  answer(kind: AnswerKind) {
    this.page.run(() => {
      if (!this.page.isShown || this.#isOver) return
      const { message } = this.driver.message.state
      const isQuestion = message?.ask === true && this.#paintedVersion === message.version
      if ((kind === 'Yes' || kind === 'No') && !isQuestion) return
      const { record, device } = this.settings
      const { clock } = this.app.channel
      const version = message?.version ?? 0
      record.answers.push({
        id: this.answers.give(kind, version),
        kind,
        version,
        device: device.name,
        screen: this.name,
        atMs: record.time.now,
        clockErrorMs: clock.errorMs ?? Number.POSITIVE_INFINITY,
        isClockSynchronized: clock.isSynchronized,
        isStored: !device.storageFails,
      })
      record.count('answers')
    })
  }

  /** Only the end of the session loses answers. */
  #reportAnswers(problem: string) {
    const { record, device } = this.settings
    if (!record.counts['event endSession'])
      record.violate('a page reported an error', `${device.name}: ${problem}`)
  }

  end(isSilent: boolean) {
    this.#cancelPaint()
    if (!isSilent) this.#reportPresence('leaving')
    this.app.channel.stop()
    this.page.end(isSilent)
  }

  #report(problem: string) {
    const { record, device } = this.settings
    if (/could not be stored|QuotaExceeded/.test(problem)) return record.count('storage failures')
    const wasSet = record.clockSets.some(set => set.device === device.name)
    // Dated by a clock that was set before it was ever synchronised, or sent after the session's end.
    const isOutside = wasSet || record.counts['event endSession']
    if (isOutside && /refused: (outside-session|future)/.test(problem)) return
    record.violate('a page reported an error', `${device.name}: ${problem}`)
  }

  /** Reports by the connection, or by HTTP without one: the page may be about to freeze. */
  #reportPresence(presence: Presence) {
    if (this.#phone.report(presence) || presence === 'shown') return
    const phone = this.app.channel.phoneState()
    if (!phone) return
    const { sessionId } = this.settings
    void this.app.post('sessions.reportPhoneState', { sessionId, phone })
  }

  /** The page's initial query. A failure shows the stored message and is retried. */
  async #fetch() {
    const session = await this.app.fetchSession(this.settings.sessionId)
    if (session) {
      this.driver.message.merge(session.message)
    } else {
      this.driver.message.showStored()
      this.page.clock.after(5000, () => void this.#fetch())
    }
    this.#render()
  }

  #render() {
    const isOver = this.#isOver
    if (isOver || !this.driver.message.state.message) {
      this.#stopReporting?.()
      this.#stopReporting = null
    } else if (!this.#stopReporting) {
      this.#stopReporting = this.#fixes.start(() => this.#receiver.current())
      this.driver.message.onScreenShown()
    }
    const { message, isWithheld } = this.driver.message.state
    const version = isOver || !message ? 0 : message.version
    if (message) for (let v = 1; v <= message.version; v++) this.settings.record.reached.add(v)
    const shown = `${version} ${isWithheld}`
    if (shown === this.#shown) return
    this.#shown = shown
    this.#cancelPaint()
    this.#paintedVersion = 0
    if (version === 0 || isWithheld) return
    if (this.settings.reportsUnpainted) this.driver.message.painted(version)
    this.#cancelPaint = this.#afterPaint(() => this.#painted(version))
  }

  get #isOver(): boolean {
    const { session } = this.app.channel.session(this.settings.sessionId)
    return (
      session?.status === 'Complete' || (this.#refused !== null && over.includes(this.#refused))
    )
  }

  #painted(version: number) {
    const { record, device } = this.settings
    const { message } = this.driver.message.state
    if (message?.version !== version) return
    this.#paintedVersion = version
    record.paints.push({
      device: device.name,
      screen: this.name,
      version,
      type: message.type,
      expiresAt: message.expiresAt,
      atMs: record.time.now,
      clockErrorMs: this.app.channel.clock.errorMs ?? Number.POSITIVE_INFINITY,
      isClockSynchronized: this.app.channel.clock.isSynchronized,
      isStored: !device.storageFails,
      wasSeen: message.shownAt !== null || record.paints.some(paint => paint.version === version),
    })
    record.count('messages painted')
    device.settings.trace('page', `painted ${version} ${message.type}`)
    this.driver.message.painted(version)
  }

  /** Calls back once a frame was painted on a visible page, like `afterPaint` of the app. */
  #afterPaint(callback: () => void): () => void {
    const { page } = this
    const [low, high] = frameMs
    let cancelFrame = () => {}
    const wait = () => {
      cancelFrame()
      if (!page.isShown) return
      const delayMs = page.device.settings.random.between(low, high)
      cancelFrame = page.clock.after(delayMs, () => {
        if (!page.isShown) return
        undoVisible()
        callback()
      })
    }
    const undoVisible = page.on('visible', wait)
    wait()
    return () => {
      cancelFrame()
      undoVisible()
    }
  }
}
