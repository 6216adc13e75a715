import { silentEventMs, type TeamEventKind } from '#contract/teamEvents.ts'

/** Events of a team, on a hidden page and in notifications. */
export const eventsText = {
  /** Each with the name of its session. */
  sentences: {
    'session-started': session => `${session} has started`,
    'driver-silent': session => `${session}: driver silent for ${silentEventMs / 1000} s`,
    stopped: session => `${session}: stopped on track`,
    problem: session => `${session}: the driver has a problem`,
    'pit-in': session => `${session}: in the pit lane`,
    'stint-over': session => `${session}: longest stint reached`,
  } satisfies Record<TeamEventKind, (session: string) => string> as Record<
    TeamEventKind,
    (session: string) => string
  >,
  test: 'Notifications work',
  testText: 'Events of your teams will look like this.',
}
