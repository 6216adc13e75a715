import type { CurrentReading } from '#client/fixes/fixReporter.ts'
import type { ReceivedReading } from '#client/fixes/readingTimes.ts'
import type { ServerClock } from '#client/serverClock.ts'
import { gpsLostAfterMs } from '#contract/shared/fix.ts'
import type { Page } from './page.ts'
import type { TruthRecord } from './record.ts'

/** A circle of 1 km around Spa, in degrees. */
const centre = { latitude: 50.4372, longitude: 5.9714 }
const radiusDeg = 0.009

/** The position as a string, which identifies a reading. */
export function placeOf(latitude: number, longitude: number): string {
  return `${latitude.toFixed(6)} ${longitude.toFixed(6)}`
}

interface ReceiverSettings {
  readonly page: Page
  /** The clock of the page's channel. */
  readonly clock: ServerClock
  readonly record: TruthRecord
  readonly onReading: () => void
}

interface Newest extends ReceivedReading {
  /** By the monotonic clock. */
  readonly arrivedAtMs: number
}

/** Readings arrive at the page up to this much later. */
const longestDelayMs = 200

/** The GPS receiver of one page: a reading a second, each at a unique position. */
export class Receiver {
  readonly #settings: ReceiverSettings
  #newest: Newest | null = null

  constructor(settings: ReceiverSettings) {
    this.#settings = settings
    this.#next()
  }

  current(): ReturnType<CurrentReading> {
    if (!this.#newest) return null
    const { reading, arrivedAtMs } = this.#newest
    const ageMs = this.#settings.page.clock.monotonicMs() - arrivedAtMs
    return ageMs < gpsLostAfterMs(reading.speedKmh) ? this.#newest : null
  }

  #next() {
    const { page, record, onReading } = this.#settings
    const { device, clock } = page
    const { random, time } = device.settings
    clock.after(
      random.chance(0.03) ? random.between(2000, 6000) : random.between(930, 1070),
      () => {
        if (!device.receiverFails) {
          const count = record.readings++
          const angle = count * 0.01 + (count * Math.PI) / 1e5
          const [latitude, longitude] = [
            centre.latitude + radiusDeg * Math.sin(angle),
            centre.longitude + radiusDeg * Math.cos(angle),
          ].map(degrees => Number(degrees.toFixed(6))) as [number, number]
          const speedKmh = random.whole(60, 260)
          const delayMs = (count * 37) % longestDelayMs
          const arrival = this.#settings.clock.timeOf()
          this.#newest = {
            reading: { latitude, longitude, speedKmh, accuracyM: 5, headingDeg: count % 360 },
            arrival,
            arrivalWallMs: clock.now(),
            receiverMs: clock.now() - delayMs,
            arrivedAtMs: clock.monotonicMs(),
          }
          record.fixes.set(placeOf(latitude, longitude), {
            device: device.name,
            takenAtMs: time.now - delayMs,
            isClockSynchronized: !arrival.unsynced,
            isStored: false,
            storedAtMs: [],
          })
          onReading()
        }
        this.#next()
      },
    )
  }
}
