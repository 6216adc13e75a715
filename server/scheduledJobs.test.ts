import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { startScheduledJobs } from './scheduledJobs.ts'

test('stopping waits for the running scheduled job and leaves out the others', async () => {
  await using database = await testDatabase()
  const clock = heldClock()
  const done: string[] = []
  let endJob: (() => void) | undefined
  const stop = startScheduledJobs({
    db: database.open.db,
    log: pino({ level: 'silent' }),
    clock,
    live: { publish: () => {} },
    recorder: { latest: () => undefined },
    timings: { forgetBefore: () => {} },
    historyDays: 7,
    more: {
      async long() {
        await new Promise<void>(resolve => (endJob = resolve))
        done.push('job ended')
      },
      async next() {
        done.push('next job')
      },
    },
  })
  clock.pass(60_000)
  await vi.waitUntil(() => endJob, 10_000)

  const stopped = stop().then(() => done.push('stopped'))
  endJob?.()
  await stopped
  expect(done).toEqual(['job ended', 'stopped'])
})
