import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '#contract/shared/clock.ts'
import { ServerClock } from './serverClock.ts'

/** Milliseconds of one step: network delays, and sleeps that stop the monotonic clock. */
interface Answer {
  readonly idleMs: number
  readonly sleepBeforeMs: number
  readonly thereMs: number
  readonly sleepDuringMs: number
  readonly backMs: number
}

const sleepMs = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  fc.integer({ min: 1, max: 999 }),
  fc.integer({ min: 1000, max: 20_000 }),
)
const answer: fc.Arbitrary<Answer> = fc.record({
  idleMs: fc.integer({ min: 0, max: 2000 }),
  sleepBeforeMs: sleepMs,
  thereMs: fc.integer({ min: 0, max: 1500 }),
  sleepDuringMs: sleepMs,
  backMs: fc.integer({ min: 0, max: 1500 }),
})

/** A device whose clocks drift: 100 ppm is a bad crystal. */
class Device {
  readonly clock: ServerClock
  readonly #rate: number
  #trueMs = 1_700_000_000_000
  #wallMs: number
  #monotonicMs = 5000

  constructor(driftPpm: number, wallOffMs: number) {
    this.#rate = 1 + driftPpm / 1e6
    this.#wallMs = this.#trueMs + wallOffMs
    const unused = () => () => undefined
    const clock: Clock = {
      now: () => Math.floor(this.#wallMs),
      monotonicMs: () => this.#monotonicMs,
      after: unused,
      every: unused,
    }
    this.clock = new ServerClock(clock)
  }

  run(ms: number) {
    this.#trueMs += ms
    this.#wallMs += ms * this.#rate
    this.#monotonicMs += ms * this.#rate
  }

  sleep(ms: number) {
    this.#trueMs += ms
    this.#wallMs += ms * this.#rate
  }

  exchange({ idleMs, sleepBeforeMs, thereMs, sleepDuringMs, backMs }: Answer) {
    this.run(idleMs)
    this.sleep(sleepBeforeMs)
    const sentAt = this.clock.request()
    this.run(thereMs)
    const serverNow = Math.floor(this.#trueMs)
    this.sleep(sleepDuringMs)
    this.run(backMs)
    this.clock.addSample(serverNow, sentAt, this.#monotonicMs)
  }

  get errorMs(): number {
    return Math.abs(this.clock.now() - this.#trueMs)
  }
}

/** Two roundings to whole milliseconds, undetectable sleeps, and 100 ppm over at most nine exchanges. */
const toleranceMs = 2 + 20 + 5

test('the estimate is within its claimed error, with drift, sleeps and slow responses', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100, max: 100 }),
      fc.integer({ min: -3_600_000, max: 3_600_000 }),
      fc.array(answer, { minLength: 1, maxLength: 20 }),
      (driftPpm, wallOffMs, answers) => {
        const device = new Device(driftPpm, wallOffMs)
        for (const each of answers) {
          device.exchange(each)
          if (!device.clock.isSynchronized) continue
          expect(device.errorMs).toBeLessThanOrEqual((device.clock.errorMs ?? 0) + toleranceMs)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('a sleep under a second raises the error at once and is corrected by a response', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 999 }), sleptMs => {
      const device = new Device(0, 0)
      const quick = { idleMs: 2000, sleepBeforeMs: 0, thereMs: 3, sleepDuringMs: 0, backMs: 3 }
      for (let n = 0; n < 8; n++) device.exchange(quick)
      device.sleep(sleptMs)
      expect(device.errorMs).toBeLessThanOrEqual((device.clock.errorMs ?? 0) + 1)
      device.exchange({ ...quick, thereMs: 20, backMs: 20 })
      expect(device.errorMs).toBeLessThanOrEqual(21)
    }),
  )
})
