import { dayMs } from './shared/durations.ts'

// No zod here: the browser needs these at run time.

/** Events of a session that a team is notified of, in the order in which the profile menu offers them. */
export const teamEventKinds = [
  'session-started',
  'driver-silent',
  'stopped',
  'problem',
  'pit-in',
  'stint-over',
] as const
export type TeamEventKind = (typeof teamEventKinds)[number]

/** Kinds of notifications: the events of sessions, and a pending request to join a team. */
export const notificationKinds = [...teamEventKinds, 'waiting'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** The sentence of each event, with the name of its session. */
export const eventSentences: Record<TeamEventKind, (session: string) => string> = {
  'session-started': session => `${session} has started`,
  'driver-silent': session => `${session}: driver silent for ${silentEventMs / 1000} s`,
  stopped: session => `${session}: stopped on track`,
  problem: session => `${session}: the driver has a problem`,
  'pit-in': session => `${session}: in the pit lane`,
  'stint-over': session => `${session}: longest stint reached`,
}

/** Names a session in an event: its car first, as on the screens. */
export function eventName({ name, car }: { name: string; car?: string | undefined }): string {
  if (car === undefined) return name
  const own = `Car ${car}`
  const hasOwn = name.startsWith(own) && !/^\w/.test(name.slice(own.length))
  return hasOwn ? name : `${own}, ${name}`
}

/** The phone in the car was silent for this long: `driver-silent`. */
export const silentEventMs = 60_000

/** A car below this speed for this long, off the pit lane and after its first lap: `stopped`. */
export const stoppedBelowKmh = 5
export const stoppedEventMs = 15_000

/** No notification is sent, or delivered, later than this after its event. */
export const notificationLifeMs = 60_000

/** Maximum number of events that `notifications.list` returns, and how long they are stored. */
export const maxListedEvents = 50
export const eventLifeMs = dayMs

/** Longest name in a notification, in characters. */
export const maxNotifiedName = 60
