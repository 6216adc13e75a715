import type { PhoneState } from '#contract/phone.ts'

/** From here down a battery that is not being charged is worth a word, in percent. */
export const lowBatteryPercent = 20

/** What is wrong with the phone in the car, by its own word, and since when by the server's clock. */
export interface PhoneNote {
  readonly what:
    | 'hidden'
    | 'left'
    | 'no-network'
    | 'gps-denied'
    | 'gps-missing'
    | 'gps-lost'
    | 'gps-inaccurate'
    | 'battery'
  readonly since: number | null
  readonly percent?: number
}

/**
 * The one thing that says most: what keeps the driver from seeing a message first, then what keeps
 * the team from seeing the car. Nothing while all is well, or before the phone has said a word.
 * A silent phone's receiver and battery are of no interest: what counts is why it may be silent.
 */
export function phoneNote(phone: PhoneState | null, online: boolean): PhoneNote | null {
  if (!phone) return null
  const { presence, presenceSince, gps, gpsSince, battery } = phone
  if (presence === 'leaving') return { what: 'left', since: presenceSince }
  if (presence === 'hidden') return { what: 'hidden', since: presenceSince }
  if (!online) return presence === 'offline' ? { what: 'no-network', since: presenceSince } : null
  if (gps === 'denied') return { what: 'gps-denied', since: gpsSince }
  if (gps === 'missing') return { what: 'gps-missing', since: null }
  if (gps === 'lost') return { what: 'gps-lost', since: gpsSince }
  if (gps === 'inaccurate') return { what: 'gps-inaccurate', since: gpsSince }
  if (battery && !battery.charging && battery.percent <= lowBatteryPercent) {
    return { what: 'battery', since: null, percent: battery.percent }
  }
  return null
}
