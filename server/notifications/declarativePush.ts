import type { TeamId } from '#contract/ids.ts'
import type { TeamEvent } from '#contract/notifications.ts'
import { eventName, eventSentences, maxNotifiedName } from '#contract/teamEvents.ts'

/** The content of a notification, and the path of the page that it opens. */
export interface Shown {
  title: string
  body?: string
  path: string
  /** A notification replaces an earlier one with the same tag. */
  tag?: string
  at?: number
  /** The fields that the service worker of 1.0.0 reads, until it has been updated. */
  forOldWorker?: Record<string, unknown>
}

/** Returns the notification of an event. It replaces the notification of an earlier event of the same session. */
export function shownEvent({ kind, teamId, sessionId, name, car, at }: TeamEvent): Shown {
  const shortName = eventName({ name, car }).slice(0, maxNotifiedName)
  return {
    title: eventSentences[kind](shortName),
    path: `/teams/${teamId}/${sessionId}/message`,
    tag: sessionId,
    at,
    forOldWorker: { kind, teamId, sessionId, name: shortName, at },
  }
}

/** Returns the notification of a pending request to join. It replaces an earlier one of the same team. */
export function shownWaiting(teamId: TeamId, name: string): Shown {
  return {
    title: `${name.slice(0, maxNotifiedName)} wants to join`,
    path: `/teams/${teamId}/members`,
    tag: `waiting-${teamId}`,
  }
}

export const shownTest: Shown = {
  title: 'Notifications work',
  body: 'Events of your teams will look like this.',
  path: '/teams',
  forOldWorker: { kind: 'test' },
}

/**
 * Encodes a notification as declarative Web Push. Safari shows it without a service worker; in other browsers the app's
 * service worker reads it. Source: https://www.w3.org/TR/push-api/#declarative-push-message.
 */
export function declarativePush(
  { title, body, path, tag, at, forOldWorker }: Shown,
  publicUrl: string,
): string {
  return JSON.stringify({
    ...forOldWorker,
    // Identifies the format, as the standard requires: the number of the RFC of Web Push.
    web_push: 8030,
    notification: {
      title,
      body,
      navigate: `${publicUrl}${path}`,
      lang: 'en',
      // Without `renotify`, a notification that replaces another one makes no sound.
      ...(tag !== undefined && { tag, renotify: true }),
      timestamp: at,
    },
  })
}
