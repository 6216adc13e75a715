import { mergeMessage } from '#client/session/messageState.ts'
import { offlineAfterMs, onlineRecheckIntervalMs } from '#contract/liveRules.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import type { PressRecord, TruthRecord } from '../checks/record.ts'
import { AppPage } from '../devices/appPage.ts'
import type { Device } from '../devices/device.ts'

/** So soon after the last contact the driver must be shown offline. */
const offlineWithinMs = offlineAfterMs + onlineRecheckIntervalMs

interface MemberSettings {
  device: Device
  userId: string
  sessionId: string
  teamId: string
  record: TruthRecord
}

/** A team member with the message screen open: presses messages, watches receipts and the driver. */
export class TeamMember {
  readonly settings: MemberSettings
  #app: AppPage | null = null
  #asked: Message | null = null
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

  /** The newest message that this screen knows of. */
  get message(): Message | null {
    const live = this.channel?.session(this.settings.sessionId).session?.message ?? null
    return live && this.#asked ? mergeMessage(live, this.#asked) : (live ?? this.#asked)
  }

  open() {
    const { device, userId, sessionId, teamId, record } = this.settings
    const page = device.openPage()
    const app = new AppPage({ page, userId, record, isExpectedReport: () => false })
    this.#app = app
    this.#asked = null
    this.#isSending = false
    this.#next = null
    app.channel.follow(sessionId, () => {})
    app.channel.watch(`team:${teamId}`, () => {})
    app.channel.start()
    void app.askSession(sessionId).then(session => {
      if (session && this.#app === app) this.#asked = session.message
    })
    app.page.clock.every(onlineRecheckIntervalMs, () => this.#look())
  }

  reload(isSilent: boolean) {
    this.#app?.channel.stop()
    this.#app?.page.end(isSilent)
    this.open()
  }

  /** Whether this screen shows the driver as online, as its header does every 2.5 s. */
  showsOnline(): boolean {
    const { channel } = this
    if (!channel) return false
    const { lastContactAt, session } = channel.session(this.settings.sessionId)
    const lastAt = lastContactAt ?? session?.lastDriverContactAt ?? null
    return lastAt !== null && channel.clock.now() - lastAt < offlineAfterMs
  }

  /** What the header shows must not be older than the app promises. */
  #look() {
    const { record } = this.settings
    record.count('looks at the header')
    const silentMs = record.time.now - record.lastContactMs
    if (!this.channel?.clock.isSynchronized || silentMs <= offlineWithinMs || !this.showsOnline()) return
    const errorMs = this.channel.clock.errorMs ?? 0
    if (silentMs > offlineWithinMs + errorMs)
      record.violate(
        'the driver is shown online',
        `${this.name}, ${Math.round(silentMs)} ms after the last contact`,
      )
  }

  press(type: MessageType | null) {
    const { record, device } = this.settings
    const app = this.#app
    if (!app) return
    app.page.run(() => {
      const press: PressRecord = {
        by: this.name,
        commandId: device.settings.random.uuid(),
        type,
        pressedAtMs: record.time.now,
        answer: null,
      }
      record.presses.push(press)
      record.count('presses')
      this.#send(press)
    })
  }

  /** The failed press once more, under its own id. */
  tryAgain() {
    const failed = this.#failed
    if (failed) this.#app?.page.run(() => this.#send(failed))
  }

  /** Leaves the team; true if the server says so. */
  async leave(): Promise<boolean> {
    const { teamId, record } = this.settings
    const app = this.#app
    if (!app) return false
    this.#leaves += 1
    const answer = await app.page.call({
      method: 'POST',
      url: '/api/teams.leave',
      body: { teamId },
    })
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
    if (!this.#isSending) void this.#work()
  }

  /** One after the other; of those that wait only the newest, as the app does. */
  async #work() {
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
    const { commandId, type } = press
    const pressedAt = app.channel.clock.now()
    const answer = await app.page.call({
      method: 'POST',
      url: '/api/messages.set',
      body: { sessionId, type, commandId, pressedAt },
    })
    if (answer?.status === 200) {
      const message = answer.body as Message
      press.answer ??= { version: message.version, atMs: record.time.now }
      record.count('messages acknowledged')
      app.channel.mergeMessage(sessionId, message)
    } else if (!this.#next) this.#failed = press
  }
}
