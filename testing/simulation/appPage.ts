import { Channel } from '#client/channel/channel.ts'
import { FixUploader, type UploadAnswer } from '#client/fixes/fixUploader.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import type { Device } from './device.ts'
import type { Page } from './page.ts'
import type { TruthRecord } from './record.ts'

const clockKey = 'pitboard.clock'

interface AppPageSettings {
  page: Page
  userId: string
  record: TruthRecord
  /** True for error reports that this schedule's accidents explain. */
  isExpectedReport: (problem: string) => boolean
}

/** The common part of every signed-in page: one channel, and HTTP calls. */
export class AppPage {
  readonly page: Page
  readonly channel: Channel
  readonly userId: string

  constructor({ page, userId, record, isExpectedReport }: AppPageSettings) {
    this.page = page
    this.userId = userId
    const offset = Number(page.store.read(clockKey))
    this.channel = new Channel({
      url: 'wss://pit.example/live',
      WebSocket: page.Socket,
      page: page.signals,
      userId,
      store: page.store,
      tabStore: page.tabStore,
      clock: page.clock,
      random: page.device.settings.random.next,
      report: problem => {
        if (isExpectedReport(problem)) return
        record.violate('a page reported an error', `${page.device.name}: ${problem}`)
      },
      clockOffsetMs: Number.isFinite(offset) ? offset : 0,
    })
    page.id = this.channel.clock.pageId
    this.channel.onConnectionState(() => {
      if (this.channel.connectionState.status !== 'open') return
      page.store.write(clockKey, String(Math.round(this.channel.clock.offsetMs)))
    })
  }

  /** Sends a command; null if the call got no response. */
  post(path: string, body: object) {
    return this.page.call({ method: 'POST', url: `/api/${path}`, body })
  }

  /** Uploads the unsent fixes of a device. */
  startUploads(
    device: Device,
    reports: { report: (problem: string) => void; onLost: (count: number) => void },
  ) {
    const { channel, page, userId } = this
    new FixUploader({
      userId,
      queue: device.fixes,
      serverClock: channel.clock,
      openPages: async () => device.openPageIds(),
      upload: async (sessionId, fixes): Promise<UploadAnswer> => {
        const answer = await this.post('sessions.storeFixes', { sessionId, fixes: [...fixes] })
        if (answer?.status === 200) return answer.body as UploadAnswer
        return { failed: answer ? (answer.body as { code: RefusalCode }).code : null }
      },
      signedIn: async () => userId,
      ...reports,
    }).start(channel, page.clock)
  }

  /** Fetches the session; null if the call failed. */
  async fetchSession(sessionId: string): Promise<Session | null> {
    const answer = await this.page.call({
      method: 'GET',
      url: `/api/sessions.get?sessionId=${sessionId}`,
    })
    return answer?.status === 200 ? (answer.body as Session) : null
  }
}
