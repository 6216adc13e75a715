import type { PhoneState } from '#contract/phone.ts'
import { type PhoneFault, phoneFaults } from '#contract/shared/phoneFaults.ts'

/**
 * At or below this charge, a battery that is not charging is worth a warning, in percent. Before a start, the check of
 * the phone asks for more (`enoughForStintPercent`).
 */
export const lowBatteryPercent = 20

/** A fault that the phone in the car reported, and its start (server time). */
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
    | PhoneFault
  readonly since: number | null
  readonly percent?: number
}

/**
 * The most important fault: first those that keep the driver from seeing a message, then those that
 * keep the team from seeing the car, then those that may do so later. Null without a fault or a report. Only the
 * cause of the silence matters while the phone is offline.
 */
export function phoneNote(
  phone: Omit<PhoneState, 'drivingSince' | 'count'> | null,
  online: boolean,
): PhoneNote | null {
  if (!phone) return null
  const { presence, presenceSince, gps, gpsSince, battery } = phone
  const fault = phoneFaults.find(each => phone.problems?.includes(each))
  if (presence === 'leaving') return { what: 'left', since: presenceSince }
  if (presence === 'hidden') return { what: 'hidden', since: presenceSince }
  if (!online) return presence === 'offline' ? { what: 'no-network', since: presenceSince } : null
  if (gps === 'denied') return { what: 'gps-denied', since: gpsSince }
  if (gps === 'missing') return { what: 'gps-missing', since: null }
  if (gps === 'lost') return { what: 'gps-lost', since: gpsSince }
  if (fault === 'approximate') return { what: fault, since: null }
  if (gps === 'inaccurate') return { what: 'gps-inaccurate', since: gpsSince }
  if (battery && !battery.charging && battery.percent <= lowBatteryPercent) {
    return { what: 'battery', since: null, percent: battery.percent }
  }
  return fault ? { what: fault, since: null } : null
}
