import { gpsLostAfterMs, type TrustedReading } from '#contract/fix.ts'
import type { TruthRecord } from '../checks/record.ts'
import type { Page } from './page.ts'

/** A circle of 1 km around Spa, in degrees. */
const centre = { latitude: 50.4372, longitude: 5.9714 }
const radiusDeg = 0.009

/** How the place of a fix is written: it tells which reading it is. */
export function placeOf(latitude: number, longitude: number): string {
  return `${latitude.toFixed(6)} ${longitude.toFixed(6)}`
}

/** The receiver of one page: a reading a second, each at a place where no other one is. */
export class Receiver {
  readonly #page: Page
  readonly #record: TruthRecord
  readonly #onReading: () => void
  #newest: { reading: TrustedReading; takenAtMs: number } | null = null

  constructor(page: Page, record: TruthRecord, onReading: () => void) {
    this.#page = page
    this.#record = record
    this.#onReading = onReading
    this.#next()
  }

  current(): { reading: TrustedReading; ageMs: number } | null {
    if (!this.#newest) return null
    const { reading, takenAtMs } = this.#newest
    const ageMs = this.#page.clock.monotonicMs() - takenAtMs
    return ageMs < gpsLostAfterMs(reading.speedKmh) ? { reading, ageMs } : null
  }

  #next() {
    const { device, clock } = this.#page
    const { random, time } = device.settings
    clock.after(
      random.chance(0.03) ? random.between(2000, 6000) : random.between(930, 1070),
      () => {
        if (!device.receiverFails) {
          const count = this.#record.readings++
          const angle = count * 0.01 + (count * Math.PI) / 1e5
          const [latitude, longitude] = [
            centre.latitude + radiusDeg * Math.sin(angle),
            centre.longitude + radiusDeg * Math.cos(angle),
          ].map(degrees => Number(degrees.toFixed(6))) as [number, number]
          const reading = { latitude, longitude, speedKmh: random.whole(60, 260), accuracyM: 5 }
          this.#newest = { reading, takenAtMs: clock.monotonicMs() }
          this.#record.fixes.set(placeOf(latitude, longitude), {
            device: device.name,
            takenAtMs: time.now,
            isClockSure: true,
            isKept: false,
            storedAtMs: null,
          })
          this.#onReading()
        }
        this.#next()
      },
    )
  }
}
