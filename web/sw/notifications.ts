import { type TeamEventKind, teamEventKinds } from '#contract/teamEvents.ts'
import { eventsText } from '#web/text/events.ts'

/** An event of a team, as the server sends it. */
interface PushedEvent {
  kind: TeamEventKind
  teamId: string
  sessionId: string
  name: string
  at: number
}

interface Shown {
  title: string
  options: NotificationOptions & { renotify?: boolean }
}

/**
 * Returns the notification for the content of a push message, or one without content for anything else: browsers
 * withdraw the permission from a site that receives messages without showing them.
 */
export function notificationOf(text: string | undefined): Shown {
  const content = parse(text)
  const base = { icon: '/icon-192.png', badge: '/icon-192.png' }
  if (content === 'test')
    return {
      title: eventsText.test,
      options: { ...base, body: eventsText.testText, data: '/teams' },
    }
  if (!content) return { title: 'Pitboard', options: { ...base, data: '/teams' } }
  const { kind, teamId, sessionId, name, at } = content
  return {
    title: eventsText.sentences[kind](name),
    options: {
      ...base,
      // The newest event of a car replaces the one before, with a sound.
      tag: sessionId,
      renotify: true,
      timestamp: at,
      data: `/teams/${teamId}/${sessionId}/message`,
    } as NotificationOptions,
  }
}

function parse(text: string | undefined): PushedEvent | 'test' | null {
  try {
    const content: unknown = JSON.parse(text ?? '')
    if (!isRecord(content)) return null
    if (content['kind'] === 'test') return 'test'
    return isEvent(content) ? content : null
  } catch {
    return null
  }
}

function isEvent(
  content: Record<string, unknown>,
): content is Record<string, unknown> & PushedEvent {
  const { kind, teamId, sessionId, name, at } = content
  return (
    teamEventKinds.some(each => each === kind) &&
    [teamId, sessionId].every(id => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id)) &&
    typeof name === 'string' &&
    typeof at === 'number'
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
