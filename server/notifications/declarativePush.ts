import type { TeamId } from '#contract/ids.ts'
import type { TeamEvent } from '#contract/notifications.ts'
import { eventSentences, maxNotifiedName } from '#contract/teamEvents.ts'

/** The texts of a notification, and the path that it opens. */
export interface Shown {
  title: string
  body?: string
  path: string
  /** Replaces the notification before with the same tag. */
  tag?: string
  at?: number
}

/** The notification of an event: the newest event of a session replaces the one before. */
export function shownEvent({ kind, teamId, sessionId, name, at }: TeamEvent): Shown {
  return {
    title: eventSentences[kind](name.slice(0, maxNotifiedName)),
    path: `/teams/${teamId}/${sessionId}/message`,
    tag: sessionId,
    at,
  }
}

/** The notification of somebody who waits to be let in. */
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
}

/**
 * Encodes a notification as declarative Web Push, which Safari shows by itself; elsewhere the app's service worker reads
 * it. Source: https://www.w3.org/TR/push-api/#declarative-push-message.
 */
export function declarativePush({ title, body, path, tag, at }: Shown, publicUrl: string): string {
  return JSON.stringify({
    // Marks the format: the number of the RFC of Web Push.
    web_push: 8030,
    notification: {
      title,
      body,
      navigate: `${publicUrl}${path}`,
      lang: 'en',
      // With a sound, also if it replaces another one.
      ...(tag !== undefined && { tag, renotify: true }),
      timestamp: at,
    },
  })
}
