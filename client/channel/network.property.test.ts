import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Down, Up } from '#contract/live.ts'
import type { Message, MessageType, Receipt } from '#contract/messages.ts'
import { heartbeatIntervalMs, protocol } from '#contract/shared/liveRules.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { testClock } from '#testing/clock.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { Channel } from './channel.ts'
import type { Socket } from './liveSocket.ts'
import { noMessage } from './messageState.ts'
import { applyFrame, type LiveSession, unknownSession } from './sessionState.ts'

type Step =
  | { do: 'send'; type: MessageType | null }
  | { do: 'receive'; stage: 'reachedAt' | 'shownAt' | 'copiedAt' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('send' as const),
    type: fc.constantFrom(...messageTypes, null),
  }),
  fc.record({
    do: fc.constant('receive' as const),
    stage: fc.constantFrom('reachedAt', 'shownAt', 'copiedAt'),
  }),
)

/** One delay, in steps, per delivery of a frame. Empty if the frame is lost, several if it is duplicated. */
const fate = fc.array(fc.nat(30), { maxLength: 3 })

/** Returns the server's successive states, starting without a message, and the frames it publishes. */
function play(steps: readonly Step[]): { states: Message[]; frames: Down[] } {
  const states = [noMessage]
  const frames: Down[] = []
  for (const [at, each] of steps.entries()) {
    const before = states.at(-1) ?? noMessage
    const now = at + 1
    if (each.do === 'send') {
      const message = {
        ...noMessage,
        version: before.version + 1,
        type: each.type,
        pressedAt: now,
        sentAt: now,
      }
      states.push(message)
      frames.push({ t: 'message', session: 's1', message })
    } else if (before.version > 0 && before[each.stage] === null) {
      const message = { ...before, [each.stage]: now }
      const { reachedAt, shownAt, copiedAt } = message
      const receipt: Receipt = { reachedAt, shownAt, copiedAt }
      states.push(message)
      frames.push({ t: 'receipt', session: 's1', version: message.version, receipt })
    }
  }
  return { states, frames }
}

function snapshot(message: Message): Down {
  return {
    t: 'snapshot',
    room: 'session:s1',
    now: 0,
    snapshot: { of: 'session', session: { ...exampleSession, message }, watching: [] },
  }
}

/** Returns the state of a screen that loads a snapshot of `first`, then receives the frames in order. */
function screenAfter(arrivals: readonly Down[], first: Message): LiveSession {
  return arrivals.reduce(applyFrame, applyFrame(unknownSession, snapshot(first)))
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

// A failure prints its seed and path: pass them to fc.assert to replay it.
test('a snapshot corrects screens after lost, late or repeated events (M1, M2, M4, M5)', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.array(fc.record({ begin: fc.nat(), fates: fc.array(fate, { minLength: 20 }) }), {
        minLength: 2,
        maxLength: 4,
      }),
      (steps, screens) => {
        const { states, frames } = play(steps)
        const newest = states.at(-1) ?? noMessage
        for (const { begin, fates } of screens) {
          const first = states[begin % states.length] ?? noMessage
          const arrivals = frames
            .flatMap((frame, at) => (fates[at] ?? []).map(late => ({ frame, at: at + late })))
            .toSorted((a, b) => a.at - b.at)
            .map(({ frame }) => frame)
          const screen = screenAfter(arrivals, first)
          const { message } = screen.session ?? exampleSession
          // The screen never shows an unsent version, or one older than its first.
          expect(message.version).toBeGreaterThanOrEqual(first.version)
          expect(message.version).toBeLessThanOrEqual(newest.version)
          // The client requests a snapshot after a heartbeat with a newer version, and on each reconnect.
          // Late frames may follow it.
          const caughtUp = arrivals.reduce(applyFrame, applyFrame(screen, snapshot(newest)))
          expect(caughtUp.session?.message).toEqual(newest)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('the channel catches up with the next heartbeat, whatever it missed (M1, M5, L5)', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.array(fate, { minLength: 20 }),
      (steps, fates) => {
        const { states, frames } = play(steps)
        const newest = states.at(-1) ?? noMessage
        const server = new OneServer(states[0] ?? noMessage)
        const channel = server.open()
        server.message = newest
        const arrivals = frames
          .flatMap((frame, at) => (fates[at] ?? []).map(late => ({ frame, at: at + late })))
          .toSorted((a, b) => a.at - b.at)
        for (const { frame } of arrivals) server.send(frame)
        vi.advanceTimersByTime(heartbeatIntervalMs)
        // The same frames arrive again, late: they must not revert the message.
        for (const { frame } of arrivals) server.send(frame)
        const { version, type } = channel.session('s1').session?.message ?? noMessage
        channel.stop()
        expect({ version, type }).toEqual({ version: newest.version, type: newest.type })
      },
    ),
    { numRuns: 200 },
  )
})

test('events in any order leave the newest message with all its receipts (M2, M5, S4)', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(30), { minLength: 20, maxLength: 20 }),
      (steps, delays) => {
        const { states, frames } = play(steps)
        const newest = states.at(-1) ?? noMessage
        const server = new OneServer(noMessage)
        const channel = server.open()
        server.message = newest
        const arrivals = frames
          .map((frame, at) => ({ frame, at: at + (delays[at] ?? 0) }))
          .toSorted((a, b) => a.at - b.at)
        for (const { frame } of arrivals) server.send(frame)
        const { message } = channel.session('s1').session ?? exampleSession
        channel.stop()
        expect(message).toEqual(newest)
      },
    ),
    { numRuns: 200 },
  )
})

/** An in-memory server with one connection and one session. It responds at once. */
class OneServer {
  message: Message
  #deliver: (data: string) => void = () => undefined

  constructor(message: Message) {
    this.message = message
  }

  /** Opens a channel that is connected to this server and follows its session. */
  open(): Channel {
    const never = () => () => undefined
    const channel = new Channel({
      url: '',
      WebSocket: this.#socketClass(),
      page: {
        isOnline: () => true,
        onOnline: never,
        onOffline: never,
        onVisible: never,
        onNetwork: never,
      },
      userId: 'u1',
      store: memoryTextStore(),
      tabStore: memoryTextStore(),
      clock: testClock,
      random: Math.random,
      report: () => undefined,
    })
    channel.start()
    vi.advanceTimersByTime(0)
    channel.follow('s1', () => undefined)
    return channel
  }

  send(frame: Down) {
    this.#deliver(JSON.stringify(frame))
  }

  #onMessage(up: Up) {
    const now = Date.now()
    if (up.t === 'hello') this.send({ t: 'welcome', protocol, now, user: 'u1' })
    if (up.t === 'subscribe') this.send(snapshot(this.message))
    if (up.t === 'heartbeat') {
      this.send({ t: 'heartbeat', at: up.at, now, versions: { s1: this.message.version } })
    }
  }

  #socketClass() {
    const setDeliver = (deliver: (data: string) => void) => {
      this.#deliver = deliver
    }
    const receive = (up: Up) => this.#onMessage(up)
    return class implements Socket {
      readonly bufferedAmount = 0
      addEventListener: Socket['addEventListener'] = (type, listener) => {
        if (type === 'message') setDeliver(data => listener({ type, data }))
        if (type === 'open') setTimeout(() => listener({ type }), 0)
      }
      send(data: string) {
        receive(JSON.parse(data) as Up)
      }
      close() {
        setDeliver(() => undefined)
      }
    }
  }
}
