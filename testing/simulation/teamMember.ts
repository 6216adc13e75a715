import { mergeMessage } from '#client/channel/messageState.ts'
import { type KnownAnswers, SessionAnswers } from '#client/channel/sessionAnswers.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import {
  isDriverOnline,
  offlineAfterMs,
  onlineRecheckIntervalMs,
} from '#contract/shared/liveRules.ts'
import { AppPage } from './appPage.ts'
import type { Device } from './device.ts'
import type { PressRecord, TruthRecord } from './record.ts'

/** The driver must be shown offline this soon after the last contact. */
const offlineWithinMs = offlineAfterMs + onlineRecheckIntervalMs

interface MemberSettings {
  device: Device
  userId: string
  sessionId: string
  teamId: string
  record: TruthRecord
  /** For a mutation: leaving is confirmed, but the server does nothing. */
  staysInTeam?: true
}

/** A team member with the message screen open: sends messages, checks receipts and the driver's state. */
export class TeamMember {
  readonly settings: MemberSettings
  #app: AppPage | null = null
  #fetched: Message | null = null
  #answers: SessionAnswers | null = null
  #next: PressRecord | null = null
  #failed: PressRecord | null = null
  #isSending = false
  #leaves = 0

  constructor(settings: MemberSettings) {
    this.settings = settings
  }

  get name(): string {
    return this.settings.device.name
  }

  get channel() {
    return this.#app?.channel ?? null
  }

  /** The newest message known to this screen. */
  get message(): Message | null {
    const live = this.channel?.session(this.settings.sessionId).session?.message ?? null
    return live && this.#fetched ? mergeMessage(live, this.#fetched) : (live ?? this.#fetched)
  }

  /** The newest answers known to this screen. */
  get answers(): KnownAnswers | null {
    return this.#answers?.state ?? null
  }

  open() {
    const { device, userId, sessionId, teamId, record } = this.settings
    const page = device.openPage()
    const app = new AppPage({ page, userId, record, isExpectedReport: () => false })
    this.#app = app
    this.#fetched = null
    this.#isSending = false
    this.#next = null
    app.channel.follow(sessionId, () => {})
    this.#answers = new SessionAnswers(app.channel, sessionId)
    this.#answers.start()
    app.channel.subscribe(`team:${teamId}`, () => {})
    app.channel.start()
    void app.fetchSession(sessionId).then(session => {
      if (session && this.#app === app) this.#fetched = session.message
    })
    app.page.clock.every(onlineRecheckIntervalMs, () => this.#checkHeader())
  }

  reload(isSilent: boolean) {
    this.#app?.channel.stop()
    this.#app?.page.end(isSilent)
    this.open()
  }

  /** Whether this screen shows the driver as online, which the app's header updates every 2.5 s. */
  showsOnline(): boolean {
    const { channel } = this
    if (!channel) return false
    const { lastContactAt, session } = channel.session(this.settings.sessionId)
    const lastAt = lastContactAt ?? session?.lastDriverContactAt ?? null
    return isDriverOnline(lastAt, channel.clock.now())
  }

  /** Checks that the header does not show the driver online for too long. */
  #checkHeader() {
    const { record } = this.settings
    record.count('header checks')
    const sinceContactMs = record.time.now - record.lastContactMs
    if (
      !this.channel?.clock.isSynchronized ||
      sinceContactMs <= offlineWithinMs ||
      !this.showsOnline()
    )
      return
    const errorMs = this.channel.clock.errorMs ?? 0
    if (sinceContactMs > offlineWithinMs + errorMs)
      record.violate(
        'the driver is shown online',
        `${this.name}, ${Math.round(sinceContactMs)} ms after the last contact`,
      )
  }

  press(type: MessageType | null, ask = false) {
    const { record, device } = this.settings
    const app = this.#app
    if (!app) return
    app.page.run(() => {
      const press: PressRecord = {
        by: this.name,
        commandId: device.settings.random.uuid(),
        type,
        ask,
        pressedAtMs: record.time.now,
        answer: null,
      }
      record.presses.push(press)
      record.count('presses')
      this.#send(press)
    })
  }

  /** Retries the failed command with the same id. */
  retryPress() {
    const failed = this.#failed
    if (failed) this.#app?.page.run(() => this.#send(failed))
  }

  /** Leaves the team; true if the server confirms it. */
  async leave(): Promise<boolean> {
    const { teamId, record, staysInTeam } = this.settings
    const app = this.#app
    if (!app) return false
    this.#leaves += 1
    const answer = staysInTeam ? { status: 200 } : await app.post('teams.leave', { teamId })
    if (answer?.status !== 200) return false
    record.left.set(this.name, record.time.now)
    record.count('members left')
    return true
  }

  get mayHaveLeft(): boolean {
    return this.#leaves > 0
  }

  #send(press: PressRecord) {
    this.#failed = null
    this.#next = press
    if (!this.#isSending) void this.#sendPending()
  }

  /** Sends one command at a time; of the pending ones only the newest, like the app. */
  async #sendPending() {
    const app = this.#app
    this.#isSending = true
    for (let press = this.#next; press && this.#app === app; press = this.#next) {
      this.#next = null
      await this.#sendOne(press)
    }
    if (this.#app === app) this.#isSending = false
  }

  async #sendOne(press: PressRecord) {
    const { sessionId, record } = this.settings
    const app = this.#app
    if (!app) return
    const { commandId, type, ask } = press
    const pressedAt = app.channel.clock.now()
    const body = { sessionId, type, ask, commandId, pressedAt }
    const answer = await app.post('messages.set', body)
    if (answer?.status === 200) {
      const message = answer.body as Message
      press.answer ??= { version: message.version, atMs: record.time.now }
      record.count('messages acknowledged')
      app.channel.mergeMessage(sessionId, message)
    } else if (!this.#next) this.#failed = press
  }
}
