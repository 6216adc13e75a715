import { randomUUID } from 'node:crypto'
import { TestConnection } from '#testing/live/testConnection.ts'
import { connect, startPitboard, stopAll } from './load/contenders.ts'
import { racedIn } from './load/raced.ts'
import { connectionsAround } from './load/seed.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const watching = 1000
const seconds = 10
/** Delay between messages, in which the server does its other work. */
const pauseMs = 20
/** Driving of the car with the watchers before the measurement: at least one whole lap. */
const historyS = 300

export const bench: Bench = {
  question:
    "round trip from the team's press via the driver's phone to the receipt, idle and under load",
  async run() {
    const { contender, seeded } = await startPitboard({ cars: 2, watching })
    try {
      const [, car] = seeded.cars
      // Several users take turns, because each may send only one message a second (M7).
      const watchers = seeded.watchers.slice(-20)
      const [watcher] = watchers
      if (!car || !watcher) throw new Error('The seeded data is incomplete')
      const { generator, pids, ports } = contender
      await connect(contender, connectionsAround(seeded, { count: 1, sampled: 10 }))
      await generator.catchUp(historyS)
      const crew = await open(`http://127.0.0.1:${ports[0]}`, { ...car, watcher, watchers })
      await crew.pressFor(2)
      const idle = await crew.pressFor(seconds)
      const load = { pace: { hz: 10 }, warmUpS: 1, seconds: seconds + 1, pids }
      const [fanOut, loaded] = await Promise.all([generator.drive(load), crew.pressFor(seconds)])
      crew.close()
      return {
        presses: idle.length,
        idleP50Ms: percentile(idle, 50),
        idleP99Ms: percentile(idle, 99),
        pressesLoaded: loaded.length,
        loadedP50Ms: percentile(loaded, 50),
        loadedP99Ms: percentile(loaded, 99),
        p99Ratio: Math.round((percentile(loaded, 99) / percentile(idle, 99)) * 100) / 100,
        loadDeliveriesPerS: Math.round(fanOut.deliveries / fanOut.seconds),
        loadCpuPercent: Math.round((fanOut.serverCpuS / fanOut.seconds) * 100),
        ...racedIn(contender, fanOut, 'load'),
      }
    } finally {
      await stopAll([contender])
    }
  },
}

interface Crew {
  token: string
  session: string
  watcher: string
  /** Tokens that send in turn. */
  watchers: readonly string[]
}

/** Connects a driver and a team member to a session of their own. */
async function open(url: string, car: Crew) {
  const room = `session:${car.session}` as const
  const wall = await new TestConnection(url, { authorization: `Bearer ${car.watcher}` }).greet()
  const phone = await new TestConnection(url, { authorization: `Bearer ${car.token}` }).greet()
  wall.send({ t: 'subscribe', room })
  phone.send({ t: 'drive', session: car.session })
  await wall.next('snapshot')
  await phone.next('snapshot')
  const alive = setInterval(() => {
    for (const connection of [wall, phone]) connection.send({ t: 'heartbeat', at: 1 })
  }, 2000)

  /** Sends messages for a duration; returns their round trips in milliseconds. */
  async function pressFor(seconds: number): Promise<number[]> {
    const tookMs: number[] = []
    const endAt = performance.now() + seconds * 1000
    while (performance.now() < endAt) {
      const pressedAt = performance.now()
      const presser = car.watchers[tookMs.length % car.watchers.length] ?? car.watcher
      const sent = press(presser, tookMs.length % 2 ? 'Pit' : 'Go')
      const { message } = await phone.next('message')
      phone.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
      await wall.next(
        'receipt',
        each => each.version === message.version && each.receipt.shownAt !== null,
      )
      tookMs.push(performance.now() - pressedAt)
      await sent
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
    return tookMs
  }

  async function press(token: string, type: 'Pit' | 'Go') {
    const response = await fetch(`${url}/api/messages.set`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId: car.session, type, commandId: randomUUID() }),
    })
    if (!response.ok) throw new Error(`The message was refused: ${await response.text()}`)
  }

  return {
    pressFor,
    close() {
      clearInterval(alive)
      wall.close()
      phone.close()
    },
  }
}
