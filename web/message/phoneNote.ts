import type { PhoneState } from '#contract/phone.ts'

/** At or below this charge, a battery that is not charging is worth a warning, in percent. */
export const lowBatteryPercent = 20

/** A problem that the phone in the car reported, and since when (server time). */
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
 * The most important problem: first those that keep the driver from seeing a message, then those that
 * keep the team from seeing the car. Null without a problem or a report. GPS and battery are ignored
 * while the phone is offline, because then only the cause of the silence matters.
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
