import type { UnsentFix } from '#client/fixes/unsentFixes.ts'
import type { Down, Up } from '#contract/live.ts'
import { SimulatedBus } from './bus.ts'
import { type DatabaseFile, SimulatedDatabase } from './database.ts'
import { Device } from './device.ts'
import type { DeviceSettings, Servers } from './deviceSettings.ts'
import { DriverScreen } from './driverScreen.ts'
import type { Mutation } from './mutations.ts'
import { type LogLine, ServerNode } from './node.ts'
import { type Person, storePeople } from './people.ts'
import { Random } from './random.ts'
import { placeOf } from './receiver.ts'
import { TruthRecord } from './record.ts'
import { isPublic, Stranger } from './stranger.ts'
import { TeamMember } from './teamMember.ts'
import { VirtualTime } from './virtualTime.ts'

export interface WorldSettings {
  seed: number
  file: DatabaseFile
  trace: ((line: string) => void) | null
  mutation: Mutation | null
}

/** One day for all schedules, so that positions need a single partition. */
const dateMs = Date.UTC(2026, 5, 6)

/**
 * A node may miss the notice that a member left: it checks the database every 5 s, and a statement may hang
 * for 4 s.
 */
const evictionTimeoutMs = 10_000

/** Delay before a process that failed to start is restarted. */
const restartDelayMs = 1000

/** The whole system of one schedule: servers, people, their devices and the network. */
export class World {
  readonly settings: WorldSettings
  readonly random: Random
  readonly time: VirtualTime
  readonly record: TruthRecord
  readonly database: SimulatedDatabase
  readonly bus: SimulatedBus | null
  readonly nodes: (ServerNode | null)[] = []
  readonly devices: Device[] = []
  readonly members: TeamMember[] = []
  readonly screens: DriverScreen[] = []
  readonly teamId: string
  readonly sessionId: string
  readonly startMs: number
  #tablet: Device | undefined
  #people = new Map<string, Person>()

  constructor(settings: WorldSettings) {
    this.settings = settings
    this.random = new Random(settings.seed)
    this.startMs = dateMs + this.random.whole(2, 22) * 3_600_000 + this.random.whole(0, 999)
    this.time = new VirtualTime(this.startMs)
    this.record = new TruthRecord(this.time)
    this.database = new SimulatedDatabase(settings.file, this.time, this.random.fork('database'))
    this.bus = this.random.chance(0.5) ? new SimulatedBus(this.time, this.random.fork('bus')) : null
    this.teamId = this.random.uuid()
    this.sessionId = this.random.uuid()
  }

  /** Stores the people, starts the servers, and opens the app for everyone. */
  async open() {
    this.#people = await storePeople(this)
    for (let index = 0; index < (this.bus ? 2 : 1); index++) {
      this.nodes.push(null)
      await this.startNode(index)
    }
    for (const name of ['Ana', 'Ben']) this.#openMember(name)
    this.openDriver(this.#device('Leo', 'phone'))
    this.#openStranger()
  }

  async startNode(index: number) {
    if (this.nodes[index]) return
    const { time } = this
    const node = await time.work(() => ServerNode.start(this.#nodeSettings(index)))
    // The process exits without a database; its supervisor restarts it.
    if (!node) return void time.after(restartDelayMs, () => void this.startNode(index))
    if (this.nodes[index]) return node.kill(false)
    this.nodes[index] = node
    this.trace('world', `node ${index} runs`)
  }

  #nodeSettings(index: number) {
    const { time, database, bus } = this
    return {
      name: `node ${index}`,
      time,
      clockOffsetMs: index === 0 ? 0 : this.random.between(-20, 20),
      database,
      bus,
      onLog: (node: string, line: LogLine) => this.#checkLog(node, line),
      onFailedStart: (isOpen: boolean) => {
        this.record.count('failed starts')
        if (isOpen) this.record.violate('a server whose start failed does not exit')
      },
      keepsBus: this.settings.mutation === 'keep-failed-server',
    }
  }

  killNode(index: number, isSilent: boolean) {
    this.nodes[index]?.kill(isSilent)
    this.nodes[index] = null
  }

  /** Opens a drive screen; the newest one drives. */
  openDriver(device: Device, tab = 'first') {
    const { id } = this.#person('Leo')
    const { record, sessionId } = this
    const screen = new DriverScreen({
      device,
      tab,
      userId: id,
      sessionId,
      record,
      ...(this.settings.mutation === 'report-unpainted' && { reportsUnpainted: true }),
    })
    this.screens.push(screen)
    return screen
  }

  /** The screen that drives: the last one that was opened or took over. */
  currentScreen(): DriverScreen | undefined {
    const alive = this.screens.filter(({ page }) => page.isAlive)
    return alive.findLast(({ refused }) => refused === null) ?? alive.at(-1)
  }

  /** Takes over driving if another screen took over and was then closed. */
  resumeDriving() {
    const screen = this.currentScreen()
    if (screen?.refused === 'driven-elsewhere') screen.takeOver()
  }

  async deletePositions() {
    const { record, time } = this
    const fromMs = time.now
    // Until the response arrives the deletion may happen at any moment.
    const deletion = { fromMs, toMs: Number.POSITIVE_INFINITY }
    record.deletions.push(deletion)
    const answer = await this.currentScreen()?.page.call({
      method: 'POST',
      url: '/api/sessions.deletePositions',
      body: { sessionId: this.sessionId },
    })
    if (answer?.status === 200) deletion.toMs = time.now
  }

  /** Breaks durability on purpose. */
  async loseMessage() {
    await this.database.run('delete from messages where version = 1')
  }

  async endSession() {
    await this.currentScreen()?.app.post('sessions.end', { sessionId: this.sessionId })
  }

  trace(who: string, text: string) {
    this.settings.trace?.(
      `${((this.time.now - this.startMs) / 1000).toFixed(3).padStart(8)} ${who}: ${text}`,
    )
  }

  close() {
    this.time.stop()
    for (const node of this.nodes) node?.kill(true)
  }

  /** The driver's second device. */
  tablet(): Device {
    return (this.#tablet ??= this.#device('Leo', 'tablet'))
  }

  #openMember(name: string) {
    const { sessionId, teamId, record } = this
    const member = new TeamMember({
      device: this.#device(name, 'laptop'),
      userId: this.#person(name).id,
      sessionId,
      teamId,
      record,
      ...(this.settings.mutation === 'keep-former-member' && { staysInTeam: true }),
    })
    this.members.push(member)
    member.open()
  }

  #openStranger() {
    const rooms = [`session:${this.sessionId}`, `team:${this.teamId}`] as const
    new Stranger({ device: this.#device('Zoe', 'phone'), rooms, record: this.record })
  }

  #device(owner: string, kind: string): Device {
    const { time } = this
    const random = this.random.fork(`${owner} ${kind}`)
    const isWrong = random.chance(0.5)
    const name = `${owner}'s ${kind}`
    const settings: DeviceSettings = {
      name,
      token: this.#person(owner).token,
      time,
      random,
      servers: this.#servers(random.fork('servers')),
      wallOffsetMs: isWrong ? random.between(-600_000, 600_000) : random.between(-300, 300),
      driftPpm: random.between(-100, 100),
      pausesMonotonic: random.chance(0.5),
      trace: (what, text) => this.#traceDevice(name, what, text),
      // Frames are parsed only for this mutation, to save time.
      ...(this.settings.mutation === 'swallow-shown' && {
        filterUp: (frame: Up, text: string) => (isLateReceipt(frame) ? [] : [text]),
      }),
      onFixStored: fix => this.#fixStored(fix),
      onServerReceive: text => {
        if (owner === 'Leo' && text.startsWith('{"t":"fix"')) this.record.lastContactMs = time.now
      },
      onServerSend: text => {
        if (this.#isNonMember(owner, name)) this.#checkNonMember(name, text)
      },
    }
    const device = new Device(settings)
    this.devices.push(device)
    return device
  }

  #fixStored({ at, latitude, longitude, unsynced }: UnsentFix) {
    const fix = this.record.fixes.get(placeOf(latitude ?? 0, longitude ?? 0))
    if (!fix) return this.record.violate('a fix was stored that no receiver measured')
    if (!fix.isStored) this.record.count('fixes stored on the phone')
    fix.isStored = true
    fix.storedAtMs.push(at)
    if (unsynced) fix.isClockSynchronized = false
  }

  #checkNonMember(name: string, text: string) {
    const frame = JSON.parse(text) as Down
    if (isPublic(frame)) return
    const who = this.record.left.has(name) ? 'former member' : 'stranger'
    this.record.violate(`a ${who} received an event`, `${name}: ${text}`)
  }

  /** True if this person must not receive any data of the team. */
  #isNonMember(owner: string, device: string): boolean {
    if (owner === 'Zoe') return true
    const leftMs = this.record.left.get(device)
    if (leftMs === undefined || !this.bus) return leftMs !== undefined
    return this.time.now > Math.max(leftMs, this.database.reachableSinceMs) + evictionTimeoutMs
  }

  #servers(random: Random): Servers {
    const pick = () => {
      const alive = this.nodes.filter(node => node !== null)
      // A proxy may still route to a dead node for a while.
      return alive.length === 0 || random.chance(0.02) ? null : random.pick(alive)
    }
    return {
      connect: (connection, token) => {
        const node = pick()
        if (node) node.accept(connection, token)
        else connection.refuse()
      },
      answer: async call => (await pick()?.answer(call)) ?? null,
    }
  }

  #checkLog(node: string, line: LogLine) {
    this.trace(node, `${line.msg} ${line.err?.message ?? ''}`)
    this.record.checkLog(line)
  }

  #traceDevice(name: string, what: 'up' | 'down' | 'page', text: string) {
    if (!this.settings.trace || /^\{"t":"(heartbeat|fix)"/.test(text)) return
    const arrow = { up: '→', down: '←', page: '·' }[what]
    this.trace(name, `${arrow} ${text.slice(0, 240)}`)
  }

  #person(name: string): Person {
    const person = this.#people.get(name)
    if (!person) throw new Error(`There is no ${name}.`)
    return person
  }
}

function isLateReceipt(frame: Up): boolean {
  return frame.t === 'receipt' && frame.stage !== 'reached'
}
