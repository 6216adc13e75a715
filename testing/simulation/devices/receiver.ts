import type { CurrentReading } from '#client/fixes/fixReporter.ts'
import type { DeviceTime } from '#client/time/deviceTime.ts'
import type { ServerClock } from '#client/time/serverClock.ts'
import { gpsLostAfterMs, type TrustedReading } from '#contract/shared/fix.ts'
import type { TruthRecord } from '../checks/record.ts'
import type { Page } from './page.ts'

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

interface Taken {
  readonly reading: TrustedReading
  readonly time: DeviceTime
  /** By the monotonic clock. */
  readonly takenAtMs: number
}

/** The GPS receiver of one page: a reading a second, each at a unique position. */
export class Receiver {
  readonly #settings: ReceiverSettings
  #newest: Taken | null = null

  constructor(settings: ReceiverSettings) {
    this.#settings = settings
    this.#next()
  }

  current(): ReturnType<CurrentReading> {
    if (!this.#newest) return null
    const { reading, time, takenAtMs } = this.#newest
    const ageMs = this.#settings.page.clock.monotonicMs() - takenAtMs
    return ageMs < gpsLostAfterMs(reading.speedKmh) ? { reading, time } : null
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
          const reading = { latitude, longitude, speedKmh: random.whole(60, 260), accuracyM: 5 }
          const dated = { reading, time: this.#settings.clock.timeOf() }
          this.#newest = { ...dated, takenAtMs: clock.monotonicMs() }
          record.fixes.set(placeOf(latitude, longitude), {
            device: device.name,
            takenAtMs: time.now,
            isClockSynchronized: !dated.time.unsynced,
            isStored: false,
            storedAtMs: null,
          })
          onReading()
        }
        this.#next()
      },
    )
  }
}
