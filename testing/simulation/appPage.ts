import { Channel } from '#client/channel/channel.ts'
import type { Session } from '#contract/sessions.ts'
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

  constructor({ page, userId, record, isExpectedReport }: AppPageSettings) {
    this.page = page
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

  /** Fetches the session; null if the call failed. */
  async fetchSession(sessionId: string): Promise<Session | null> {
    const answer = await this.page.call({
      method: 'GET',
      url: `/api/sessions.get?sessionId=${sessionId}`,
    })
    return answer?.status === 200 ? (answer.body as Session) : null
  }
}
