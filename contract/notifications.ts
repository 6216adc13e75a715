import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, SessionId, TeamId } from './ids.ts'
import { maxListedEvents, notificationKinds, teamEventKinds } from './teamEvents.ts'

export const TeamEventKind = z.enum(teamEventKinds)

export const NotificationKind = z.enum(notificationKinds)

/** An event of a session, of which the members of its team are notified. */
export const TeamEvent = z.object({
  id: z.string(),
  teamId: TeamId,
  sessionId: SessionId,
  kind: TeamEventKind,
  /** Name of the session. */
  name: z.string(),
  /** Number of its car; absent without one. */
  car: z.string().optional(),
  at: EpochMs,
})
export type TeamEvent = z.infer<typeof TeamEvent>

/** The kinds that a person chose, each once. */
const Kinds = z
  .array(NotificationKind)
  .max(notificationKinds.length)
  .transform(kinds => [...new Set(kinds)])

const Endpoint = z.url({ protocol: /^https?$/ }).max(2000)

const base64url = (length: number) => z.string().regex(new RegExp(`^[\\w-]{${length}}$`))

/** `PushSubscription` of the Push API, without the time of its expiry. */
const PushSubscription = z.object({
  endpoint: Endpoint,
  /** Public key of the browser: 65 bytes, base64url. */
  p256dh: base64url(87),
  /** Authentication secret of the browser: 16 bytes, base64url. */
  auth: base64url(22),
})
export type PushSubscription = z.infer<typeof PushSubscription>

export const notifications = {
  settings: read({
    auth: 'signed-in',
    summary: 'The notifications that the caller chose, and the key to subscribe a browser with.',
    input: z.object({}),
    output: z.object({
      /** Public VAPID key, base64url; null if this server sends no notifications. */
      publicKey: z.string().nullable(),
      kinds: z.array(NotificationKind),
      /** Endpoint of the subscription of this login; null without one. */
      endpoint: z.string().nullable(),
    }),
  }),
  choose: command({
    auth: 'signed-in',
    summary: 'Chooses the events of which the caller is notified, in all of their teams.',
    input: z.object({ kinds: Kinds }),
    output: z.object({}),
  }),
  subscribe: command({
    auth: 'signed-in',
    summary:
      'Stores the push subscription of this browser, in place of an older one of its login. It ends with the login.',
    input: PushSubscription,
    output: z.object({}),
  }),
  unsubscribe: command({
    auth: 'signed-in',
    summary: 'Deletes the push subscription of this login. Idempotent.',
    input: z.object({}),
    output: z.object({}),
  }),
  test: command({
    auth: 'signed-in',
    limit: 'costly',
    summary: 'Sends a test notification to this browser.',
    input: z.object({}),
    /** False if the push service did not accept it, or there is no subscription. */
    output: z.object({ sent: z.boolean() }),
  }),
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    // The app does not call it. Programs request the events that they missed.
    summary: 'The newest events of a team in the past 24 hours, newest first.',
    input: z.object({ teamId: TeamId }),
    output: z.array(TeamEvent).max(maxListedEvents),
  }),
}
