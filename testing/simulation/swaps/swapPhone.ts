import { Driver } from '#client/driver/driver.ts'
import type { Fix } from '#contract/positions.ts'
import type { Session } from '#contract/sessions.ts'
import { maxFixesPerCall } from '#contract/shared/bounds.ts'
import { AppPage } from '../appPage.ts'
import type { Device } from '../device.ts'
import type { Person } from '../people.ts'
import type { RaceWorld } from '../race/raceWorld.ts'
import type { Random } from '../random.ts'
import type { TruthRecord } from '../record.ts'
import type { SentFix } from './phoneFixes.ts'
import type { PersonIndex, SwapDay, TrueSession } from './swapDay.ts'
import type { SwapTeam } from './swapRace.ts'

/** Time until a frame is painted. */
const frameMs = 20

/** After a failed request the session is requested again. */
const retryMs = 3000

/** The drive screen of one session, as far as orders need it: the app's own driver logic, which paints each message. */
class OrderScreen {
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

/** A phone uploads its new positions at this interval. */
export const uploadEveryMs = 12_000

/** The phone of one person: starts and ends sessions, uploads positions, and shows orders while it is on. */
export class SwapPhone {
  readonly person: PersonIndex
  /** Fixes that the server has accepted, by session. */
  readonly accepted = new Map<string, Fix[]>()
  readonly #world: RaceWorld
  readonly #team: SwapTeam
  readonly #day: SwapDay
  readonly #random: Random
  readonly #member: Person
  readonly #device: Device
  /** Positions that are not uploaded yet. */
  #unsent: readonly SentFix[]
  /** Ids that the server has chosen, by those of the day. */
  readonly #ids = new Map<string, string>()
  #session: TrueSession | null = null
  #screen: { readonly sessionId: string; readonly page: OrderScreen } | null = null
  /** A phone does one thing after the other. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(
    person: PersonIndex,
    {
      world,
      team,
      day,
      sent,
    }: { world: RaceWorld; team: SwapTeam; day: SwapDay; sent: readonly SentFix[] },
  ) {
    const member = team.members[person]
    if (!member) throw new Error('Nobody owns the phone.')
    this.person = person
    this.#world = world
    this.#team = team
    this.#day = day
    this.#random = world.random.fork(`phone ${person}`)
    this.#member = member
    this.#device = world.device(`phone ${person + 1}`, member)
    this.#unsent = sent
  }

  /** Its active session; null without one. */
  get session(): TrueSession | null {
    return this.#session
  }

  /** True if it shows the orders to a session, and has done so since a time. */
  hasShown(sessionIds: readonly string[], sinceMs: number): boolean {
    const { sessionId = '', page } = this.#screen ?? {}
    return sessionIds.includes(sessionId) && (page?.openedAt ?? Infinity) <= sinceMs
  }

  /** Schedules everything that happens to it. */
  schedule() {
    for (const session of this.#day.sessions) {
      if (session.person !== this.person) continue
      this.#at(session.startedAt, () => this.#start(session))
      if (session.endedAt < this.#day.endsAt) this.#at(session.endedAt, () => this.#end(session))
    }
    for (const { person, from } of this.#day.stays)
      if (person === this.person) this.#at(from, async () => this.#showOrders())
    for (let ms = this.#day.startsAt; ms < this.#day.endsAt; ms += uploadEveryMs)
      this.#at(ms + this.person * 1000, () => this.#upload(ms))
  }

  /** Uploads everything. */
  uploadRest(): Promise<unknown> {
    return this.#then(() => this.#upload(Number.POSITIVE_INFINITY))
  }

  #at(ms: number, act: () => Promise<unknown>) {
    const { time } = this.#world
    time.after(ms - time.now, () => void this.#then(act))
  }

  #then(act: () => Promise<unknown>): Promise<unknown> {
    this.#queue = this.#queue.then(act)
    return this.#queue
  }

  async #start(session: TrueSession) {
    const { teamId, carId } = this.#team
    const name = `Phone ${this.person + 1}`
    const body = { teamId, name, carId }
    const started = (await this.#command('sessions.start', body)) as Session | null
    if (!started) return
    this.#ids.set(session.id, started.id)
    session.id = started.id
    session.startedAt = started.startedAt
    this.#session = session
    this.#showOrders()
  }

  async #end(session: TrueSession) {
    await this.#upload(session.endedAt)
    await this.#command('sessions.end', { sessionId: session.id })
    session.endedAt = Math.max(session.endedAt, Math.floor(this.#world.time.now))
    this.#session = null
    this.#showOrders()
  }

  #command(path: string, body: object): Promise<unknown> {
    return this.#world.command(this.#member, path, body)
  }

  /** Opens the drive screen while the phone is on and has a session, else closes it. */
  #showOrders() {
    const { time, record } = this.#world
    const stay = this.#day.stays.findLast(
      ({ person, from }) => person === this.person && from <= time.now + 1,
    )
    const sessionId = stay?.isOn ? (this.#session?.id ?? null) : null
    if (sessionId === (this.#screen?.sessionId ?? null)) return
    this.#screen?.page.close()
    const phone = { device: this.#device, userId: this.#member.id, record }
    this.#screen =
      sessionId === null ? null : { sessionId, page: new OrderScreen(phone, sessionId) }
  }

  /** Uploads what has arrived by a time, in portions in any order, some of them twice. */
  async #upload(untilMs: number) {
    const random = this.#random
    const isDue = ({ sessionId, arrivesAt }: SentFix) =>
      arrivesAt <= untilMs && this.#ids.has(sessionId)
    const due = this.#unsent.filter(isDue)
    this.#unsent = this.#unsent.filter(each => !isDue(each))
    const portions: SentFix[][] = []
    for (const sent of due) {
      const last = portions.at(-1)
      const isFull = (last?.length ?? maxFixesPerCall) >= random.whole(20, maxFixesPerCall)
      if (last && !isFull && last[0]?.sessionId === sent.sessionId) last.push(sent)
      else portions.push([sent])
    }
    const again = portions.filter(() => random.chance(0.05))
    for (const portion of shuffled([...portions, ...again], random)) {
      const sessionId = this.#ids.get(portion[0]?.sessionId ?? '') ?? ''
      const fixes = portion.map(({ fix }) => fix)
      const answer = await this.#command('sessions.storeFixes', { sessionId, fixes })
      const { refused = [] } = (answer ?? {}) as { refused?: readonly { at: number }[] }
      const isStored = ({ at }: Fix) => !refused.some(each => each.at === at)
      const known = this.accepted.get(sessionId) ?? []
      this.accepted.set(sessionId, [...known, ...fixes.filter(isStored)])
      this.#world.record.count('portions')
      this.#world.record.count('refused positions', refused.length)
    }
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map(item => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
