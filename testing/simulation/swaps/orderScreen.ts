import { Driver } from '#client/driver/driver.ts'
import { AppPage } from '../appPage.ts'
import type { Device } from '../device.ts'
import type { TruthRecord } from '../record.ts'

/** Time until a frame is painted. */
const frameMs = 20

/** After a failed request the session is requested again. */
const retryMs = 3000

/** The drive screen of one session, as far as orders need it: the app's own driver logic, which paints each message. */
export class OrderScreen {
  readonly openedAt: number
  readonly #app: AppPage
  readonly #driver: Driver

  constructor(
    { device, userId, record }: { device: Device; userId: string; record: TruthRecord },
    sessionId: string,
  ) {
    this.openedAt = record.time.now
    const page = device.openPage()
    // A receipt may arrive after the session has ended.
    const isExpectedReport = (problem: string) => /receipt: (not-found|session-ended)/.test(problem)
    this.#app = new AppPage({ page, userId, record, isExpectedReport })
    const { channel } = this.#app
    this.#driver = new Driver({
      channel,
      sessionId,
      clock: page.clock,
      store: page.store,
      isVisible: () => page.isVisible,
    })
    const { message } = this.#driver
    const paint = () => {
      const { message: shown, isWithheld } = message.state
      if (!shown || isWithheld) return
      page.clock.after(frameMs, () => message.painted(shown.version))
    }
    message.onChange(paint)
    channel.follow(sessionId, paint)
    channel.start()
    this.#driver.start()
    this.#driver.drive(() => {})
    message.onScreenShown()
    const request = async () => {
      const session = await this.#app.fetchSession(sessionId)
      if (session) message.merge(session.message)
      else page.clock.after(retryMs, () => void request())
    }
    void request()
  }

  close() {
    this.#app.channel.stop()
    this.#app.page.end(false)
  }
}
