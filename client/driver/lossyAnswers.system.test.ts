import { expect, test } from 'vitest'
import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { Down, Up } from '#contract/live.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { protocol } from '#contract/shared/liveRules.ts'
import { answerKinds } from '#contract/shared/messageTypes.ts'
import { seeded } from '#testing/drives.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import { room, sessionId, snapshotOf } from '#testing/live/channelScene.ts'
import { LossyNetwork, type ServerEnd } from '#testing/lossyNetwork.ts'
import { Timeline } from '#testing/timeline.ts'
import { Channel } from '../channel/channel.ts'
import { SessionAnswers } from '../channel/sessionAnswers.ts'
import { answersKey } from '../storedKeys.ts'
import { DriverAnswers } from './driverAnswers.ts'

const schedules = 10_000
const startMs = 1_700_000_000_000
const question = 3
/** Presses and accidents happen within this time. */
const accidentsMs = 10_000
/** After this further time without losses each press must be stored and shown. */
const settleMs = 14_000

interface Press {
  readonly id: string
  readonly kind: AnswerKind
}

/** A server of answers (A2): it stores each id once, and publishes the answer again when the id is repeated. */
class AnswerServer {
  readonly stored: Answer[] = []
  readonly #subscribers = new Set<ServerEnd>()
  readonly #time: Timeline
  readonly #random: () => number
  /** Probability that an answer is refused temporarily, stored or not. */
  refusal = 0
  /** Probability that an event is lost on its way to one subscriber, as if from another node. */
  eventLoss = 0

  constructor(time: Timeline, random: () => number) {
    this.#time = time
    this.#random = random
  }

  onFrame(up: Up, end: ServerEnd) {
    const now = this.#time.now()
    if (up.t === 'hello') end.send({ t: 'welcome', protocol, now, user: 'u1' })
    if (up.t === 'subscribe' && up.room === room) this.#subscribe(end)
    if (up.t === 'drive') this.#subscribe(end, up.since ?? null)
    if (up.t === 'heartbeat')
      end.send({
        t: 'heartbeat',
        at: up.at,
        now,
        versions: { [sessionId]: question },
        answers: { [sessionId]: this.stored.length },
      })
    if (up.t === 'answer') this.#answer(up, end)
  }

  #subscribe(end: ServerEnd, since?: number | null) {
    this.#subscribers.add(end)
    const snapshot = snapshotOf({ version: question, type: 'Pit', ask: true })
    if (snapshot.snapshot.of !== 'session') return
    const { session } = snapshot.snapshot
    const answer = this.stored.at(-1)
    const problem = this.stored.findLast(({ kind }) => kind === 'Problem' || kind === 'TakenBack')
    const known = { ...session, ...(answer && { answer }), ...(problem && { problem }) }
    end.send({
      ...snapshot,
      now: this.#time.now(),
      snapshot: { ...snapshot.snapshot, session: known },
      ...(since !== undefined && { drive: { since } }),
    })
  }

  #answer({ id, kind, version, at }: Extract<Up, { t: 'answer' }>, end: ServerEnd) {
    const isRefused = this.#random() < this.refusal
    if (isRefused) {
      const code: RefusalCode = this.#random() < 0.5 ? 'too-many' : 'server-error'
      end.send({ t: 'refused', re: 'answer', code, message: '' })
      // After a server error the answer may be stored all the same.
      if (code === 'too-many' || this.#random() < 0.5) return
    }
    let answer = this.stored.find(each => each.id === id)
    if (!answer) {
      answer = { id, number: this.stored.length + 1, kind, version, at, receivedAt: at }
      this.stored.push(answer)
    }
    if (isRefused) return
    const event: Down = { t: 'answer', session: sessionId, answer }
    for (const each of this.#subscribers) {
      if (!each.isOpen()) this.#subscribers.delete(each)
      else if (this.#random() >= this.eventLoss) each.send(event)
    }
  }
}

/** The parts that the devices of one schedule share. */
interface Setting {
  readonly time: Timeline
  readonly random: () => number
  readonly network: LossyNetwork
  /** Survives a reload of the phone. */
  readonly store: ReturnType<typeof memoryTextStore>
  /** Receives problems of the app, and refusals. */
  readonly report: (problem: string) => void
}

const neverFires = () => () => undefined
const onlinePage = {
  isOnline: () => true,
  onOnline: neverFires,
  onOffline: neverFires,
  onVisible: neverFires,
  onNetwork: neverFires,
}

/** Opens a channel that follows the session. */
function openChannel({ time, random, network, store, report }: Setting): Channel {
  const channel = new Channel({
    url: '',
    WebSocket: network.Socket,
    page: onlinePage,
    userId: 'u1',
    store,
    tabStore: memoryTextStore(),
    clock: time,
    random,
    report,
  })
  channel.follow(sessionId, () => undefined)
  channel.start()
  return channel
}

/** Opens the drive screen on the driver's phone. */
function openPhone(setting: Setting, newId: () => string) {
  const { store, report } = setting
  const channel = openChannel(setting)
  channel.drive(sessionId, report)
  const answers = new DriverAnswers({ channel, sessionId, store, newId, report })
  const stop = answers.start()
  return {
    answers,
    close: () => {
      stop()
      channel.stop()
    },
  }
}

/** Schedules one to five presses of the driver. Returns the list to which each is added when it happens. */
function schedulePresses({ time, random }: Setting, press: (kind: AnswerKind) => string): Press[] {
  const presses: Press[] = []
  const count = 1 + Math.floor(5 * random())
  for (let index = 0; index < count; index++)
    time.after(accidentsMs * random(), () => {
      const kind = answerKinds[Math.floor(random() * answerKinds.length)] ?? 'Yes'
      presses.push({ id: press(kind), kind })
    })
  return presses
}

/** Schedules up to three accidents: reloads of the phone, broken connections and outages of the network. */
function scheduleAccidents({ time, random, network }: Setting, reloadPhone: () => void) {
  const count = Math.floor(4 * random())
  for (let index = 0; index < count; index++)
    time.after(accidentsMs * random(), () => {
      const kind = random()
      if (kind < 0.35) reloadPhone()
      else if (kind < 0.7) network.breakAll(random() < 0.5)
      else {
        network.isUp = false
        network.breakAll(random() < 0.5)
        time.after(4000 * random(), () => {
          network.isUp = true
        })
      }
    })
}

/** Runs one schedule. Returns what is wrong at its end; null if each press became one answer. */
function failureOf(seed: number): string | null {
  const random = seeded(seed)
  const time = new Timeline(startMs)
  const server = new AnswerServer(time, random)
  const network = new LossyNetwork({
    time,
    random,
    onFrame: (up, end) => server.onFrame(up, end),
  })
  const store = memoryTextStore()
  const reports: string[] = []
  const setting = { time, random, network, store, report: (what: string) => reports.push(what) }
  let ids = 0
  const newId = () => `press-${++ids}`
  let phone = openPhone(setting, newId)
  const teamChannel = openChannel(setting)
  const team = new SessionAnswers(teamChannel, sessionId)
  team.start()

  network.loss = 0.25 * random()
  server.refusal = random() < 0.5 ? 0.3 * random() : 0
  server.eventLoss = random() < 0.5 ? 0.3 * random() : 0
  const presses = schedulePresses(setting, kind => phone.answers.give(kind, question))
  scheduleAccidents(setting, () => {
    phone.close()
    phone = openPhone(setting, newId)
  })
  time.advance(accidentsMs)

  network.loss = 0
  server.refusal = 0
  server.eventLoss = 0
  time.advance(settleMs)

  const given = presses.map(({ id, kind }) => `${id} ${kind}`).join(', ')
  const stored = server.stored.map(({ id, kind }) => `${id} ${kind}`).join(', ')
  const due = phone.answers.due.length
  const shown = team.state.answer?.number ?? 0
  phone.close()
  teamChannel.stop()
  if (stored !== given) return `seed ${seed}: ${given} became ${stored}`
  if (due > 0 || store.read(answersKey) !== null) return `seed ${seed}: ${due} answers are due`
  if (shown !== presses.length) return `seed ${seed}: the team has answer ${shown}`
  return reports.length > 0 ? `seed ${seed}: ${reports.join(', ')}` : null
}

// rules: A2 A5
test('one press is one answer in 10,000 lossy schedules (A2, A5)', () => {
  const first = Math.floor(Math.random() * 1e9)
  const failures: string[] = []
  for (let seed = first; seed < first + schedules && failures.length < 5; seed++) {
    const failure = failureOf(seed)
    if (failure) failures.push(failure)
  }
  expect(failures).toEqual([])
})
