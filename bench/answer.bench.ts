import { randomUUID } from 'node:crypto'
import { TestConnection } from '#testing/live/testConnection.ts'
import { startPitboard, stopAll } from './load/contenders.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const answers = 400
/** Below the rate limit of answers, which is two a second for each of the drivers. */
const pauseMs = 60

/** The longest time from the driver's decision to the team's screen that is acceptable at the 95th percentile. */
const targetP95Ms = 300

export const bench: Bench = {
  question: "time from the driver's answer to the team's screen",
  async run() {
    const { contender, seeded } = await startPitboard({ cars: 10, watching: 10 })
    try {
      const url = `http://127.0.0.1:${contender.ports[0]}`
      const pairs = await Promise.all(
        seeded.cars.map(async ({ token, session }, car) => {
          const wall = await new TestConnection(url, {
            authorization: `Bearer ${seeded.watcherOf(car)}`,
          }).greet()
          const phone = await new TestConnection(url, { authorization: `Bearer ${token}` }).greet()
          await wall.subscribe(`session:${session}`)
          await phone.drive(session)
          return { wall, phone }
        }),
      )
      const tookMs: number[] = []
      while (tookMs.length < answers) {
        const { wall, phone } = pairs[tookMs.length % pairs.length] ?? {}
        if (!wall || !phone) throw new Error('The seeded data is incomplete')
        const id = randomUUID()
        const decidedAt = performance.now()
        phone.send({ t: 'answer', id, kind: 'Problem', version: 0, at: Date.now() })
        await wall.next('answer', ({ answer }) => answer.id === id)
        tookMs.push(performance.now() - decidedAt)
        for (const each of pairs)
          for (const connection of [each.wall, each.phone])
            connection.send({ t: 'heartbeat', at: 1 })
        await new Promise(resolve => setTimeout(resolve, pauseMs))
      }
      for (const { wall, phone } of pairs) {
        wall.close()
        phone.close()
      }
      return {
        answers: tookMs.length,
        p50Ms: percentile(tookMs, 50),
        p95Ms: percentile(tookMs, 95),
        targetP95Ms,
      }
    } finally {
      await stopAll([contender])
    }
  },
}
