import type { PhoneState } from '#contract/phone.ts'

/** At or below this charge, a battery that is not charging is worth a warning, in percent. */
export const lowBatteryPercent = 20

/** Problems of the phone's settings that a driver can repair, as it reports them. */
export const phoneProblems = ['approximate', 'awake', 'power', 'clock', 'storage', 'sound'] as const
export type PhoneProblem = (typeof phoneProblems)[number]

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
    | PhoneProblem
  readonly since: number | null
  readonly percent?: number
}

/**
 * The most important problem: first those that keep the driver from seeing a message, then those that
 * keep the team from seeing the car, then those that may do so later. Null without a problem or a report. Only the
 * cause of the silence matters while the phone is offline.
 */
export function phoneNote(
  phone: Omit<PhoneState, 'drivingSince' | 'count'> | null,
  online: boolean,
): PhoneNote | null {
  if (!phone) return null
  const { presence, presenceSince, gps, gpsSince, battery } = phone
  const problem = phoneProblems.find(each => phone.problems?.includes(each))
  if (presence === 'leaving') return { what: 'left', since: presenceSince }
  if (presence === 'hidden') return { what: 'hidden', since: presenceSince }
  if (!online) return presence === 'offline' ? { what: 'no-network', since: presenceSince } : null
  if (gps === 'denied') return { what: 'gps-denied', since: gpsSince }
  if (gps === 'missing') return { what: 'gps-missing', since: null }
  if (gps === 'lost') return { what: 'gps-lost', since: gpsSince }
  if (problem === 'approximate') return { what: problem, since: null }
  if (gps === 'inaccurate') return { what: 'gps-inaccurate', since: gpsSince }
  if (battery && !battery.charging && battery.percent <= lowBatteryPercent) {
    return { what: 'battery', since: null, percent: battery.percent }
  }
  return problem ? { what: problem, since: null } : null
}
