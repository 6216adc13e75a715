import { randomUUID } from 'node:crypto'
import { TestConnection } from '#testing/live/testConnection.ts'
import { connect, startPitboard, stopAll } from './load/contenders.ts'
import { racedIn } from './load/raced.ts'
import { connectionsAround } from './load/seed.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const watching = 1000
/** Cars whose teams press in turn: a session accepts two messages a second, and a phone ten receipts (M7, L6). */
const pressedCars = 20
const seconds = 10
/** Delay between messages, in which the server does its other work. */
const pauseMs = 20
/** Driving of the car with the watchers before the measurement: at least one whole lap. */
const historyS = 300

export const bench: Bench = {
  question:
    "round trip from the team's press via the driver's phone to the receipt, idle and under load",
  async run() {
    const { contender, seeded } = await startPitboard({ cars: 1 + pressedCars, watching })
    try {
      const { generator, pids, ports } = contender
      await connect(contender, connectionsAround(seeded, { count: 1, sampled: 10 }))
      await generator.catchUp(historyS)
      const url = `http://127.0.0.1:${ports[0]}`
      const crews = await Promise.all(
        seeded.cars
          .slice(1)
          .map((car, n) => open(url, { ...car, watcher: seeded.watcherOf(n + 1) })),
      )
      await pressFor(crews, 2)
      const idle = await pressFor(crews, seconds)
      const load = { pace: { hz: 10 }, warmUpS: 1, seconds: seconds + 1, pids }
      const [fanOut, loaded] = await Promise.all([generator.drive(load), pressFor(crews, seconds)])
      for (const { close } of crews) close()
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
  /** Sends a message; returns its round trip in milliseconds. */
  press(type: 'Pit' | 'Go'): Promise<number>
  close(): void
}

/** Connects a driver and a team member to a session of their own. */
async function open(
  url: string,
  car: { token: string; session: string; watcher: string },
): Promise<Crew> {
  const wall = await new TestConnection(url, { authorization: `Bearer ${car.watcher}` }).greet()
  const phone = await new TestConnection(url, { authorization: `Bearer ${car.token}` }).greet()
  await wall.subscribe(`session:${car.session}`)
  await phone.drive(car.session)
  const alive = setInterval(() => {
    for (const connection of [wall, phone]) connection.send({ t: 'heartbeat', at: 1 })
  }, 2000)

  async function send(type: 'Pit' | 'Go') {
    const response = await fetch(`${url}/api/messages.set`, {
      method: 'POST',
      headers: { authorization: `Bearer ${car.watcher}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId: car.session, type, commandId: randomUUID() }),
    })
    if (!response.ok) throw new Error(`The message was refused: ${await response.text()}`)
  }

  async function shown() {
    const { message } = await phone.next('message')
    phone.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
    await wall.next(
      'receipt',
      each => each.version === message.version && each.receipt.shownAt !== null,
    )
    return performance.now()
  }

  return {
    async press(type) {
      const pressedAt = performance.now()
      const [shownAt] = await Promise.all([shown(), send(type)])
      return shownAt - pressedAt
    },
    close() {
      clearInterval(alive)
      wall.close()
      phone.close()
    },
  }
}

/** Sends messages for a duration, to one car after another; returns their round trips in milliseconds. */
async function pressFor(crews: readonly Crew[], seconds: number): Promise<number[]> {
  const tookMs: number[] = []
  const endAt = performance.now() + seconds * 1000
  while (performance.now() < endAt) {
    const crew = crews[tookMs.length % crews.length]
    if (!crew) throw new Error('The seeded data is incomplete')
    tookMs.push(await crew.press(tookMs.length % 2 ? 'Pit' : 'Go'))
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  return tookMs
}
