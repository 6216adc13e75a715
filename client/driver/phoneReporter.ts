import type { GpsState, PhoneState, Presence } from '#contract/phone.ts'
import type { Channel } from '../channel/channel.ts'
import type { DeviceTime } from '../deviceTime.ts'

/** A state and the time at which it began. */
interface Since<T> {
  readonly is: T
  readonly time: DeviceTime
}

/**
 * Reports the state of the phone in the car: its presence, the GPS, the battery and its faults. Each report is complete
 * and has the times at which the presence and the GPS state began.
 */
export class PhoneReporter {
  readonly #channel: Pick<Channel, 'clock' | 'reportPhone'>
  #presence: Since<Presence> | null = null
  #gps: Since<GpsState> | null = null
  #battery: PhoneState['battery'] = null
  #faults: readonly string[] = []

  constructor(channel: Pick<Channel, 'clock' | 'reportPhone'>) {
    this.#channel = channel
  }

  setBattery(battery: PhoneState['battery']) {
    this.#battery = battery
  }

  setFaults(faults: readonly string[]) {
    this.#faults = faults
  }

  setGps(gps: GpsState) {
    this.#gps = this.#since(this.#gps, gps)
  }

  /** Sends the state now and on each new connection. Returns whether it was sent now. */
  report(is: Presence): boolean {
    const presence = (this.#presence = this.#since(this.#presence, is))
    const gps = (this.#gps ??= this.#since<GpsState>(null, 'lost'))
    const battery = this.#battery
    const problems = this.#faults.length > 0 ? [...this.#faults] : undefined
    return this.#channel.reportPhone(() => ({
      presence: presence.is,
      presenceSince: this.#atOf(presence),
      gps: gps.is,
      gpsSince: this.#atOf(gps),
      battery,
      ...(problems && { problems }),
    }))
  }

  stop() {
    this.#channel.reportPhone(null)
  }

  #since<T>(before: Since<T> | null, is: T): Since<T> {
    return before?.is === is ? before : { is, time: this.#channel.clock.timeOf() }
  }

  /** Returns the start time, corrected once the server's clock is known. */
  #atOf({ time }: Since<unknown>): number {
    return this.#channel.clock.dated(time) ?? time.at
  }
}
