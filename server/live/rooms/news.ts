import type { SessionId } from '#contract/ids.ts'
import type { Room, Subscription } from './room.ts'

/**
 * The newest message version and answer number of each room, which heartbeat responses repeat because their
 * notices can be lost. One sequence numbers the changes of all rooms of a node: a connection has no news while none
 * of its rooms has a higher number than its last response.
 */
export class News {
  #latest = 0

  mergeVersion(room: Room, version: number) {
    if (version <= room.version) return
    room.version = version
    this.#recordChange(room)
  }

  mergeAnswer(room: Room, number: number) {
    if (number <= room.answerNumber) return
    room.answerNumber = number
    this.#recordChange(room)
  }

  #recordChange(room: Room) {
    room.news = ++this.#latest
    room.newsJson = undefined
  }

  /**
   * Returns the fields `versions` and `answers` of a heartbeat response, as JSON without braces, and marks them as
   * sent to the connection.
   */
  takeJson(subscription: Subscription): string {
    if (subscription.newsJson === undefined || hasNews(subscription)) {
      subscription.newsJson = newsJsonOf(subscription.rooms.filter(isOfSession))
    }
    subscription.knownNews = this.#latest
    return subscription.newsJson
  }
}

function isOfSession({ name }: Room): boolean {
  return name.startsWith('session:')
}

/** Connections that watch a single session share its text: most do. */
function newsJsonOf(sessions: readonly Room[]): string {
  const [room] = sessions
  return room && sessions.length === 1
    ? (room.newsJson ??= serializeNews(sessions))
    : serializeNews(sessions)
}

function serializeNews(sessions: readonly Room[]): string {
  const answers = answersOf(sessions)
  const fields = { versions: versionsOf(sessions), ...(answers && { answers }) }
  return JSON.stringify(fields).slice(1, -1)
}

/** The newest known message version of each session. */
function versionsOf(sessions: readonly Room[]): Record<SessionId, number> {
  const versions: Record<SessionId, number> = {}
  for (const { name, version } of sessions) versions[name.slice('session:'.length)] = version
  return versions
}

/** The number of the newest known answer of each session that has one. */
function answersOf(sessions: readonly Room[]): Record<SessionId, number> | undefined {
  let answers: Record<SessionId, number> | undefined
  for (const { name, answerNumber } of sessions) {
    if (answerNumber > 0) (answers ??= {})[name.slice('session:'.length)] = answerNumber
  }
  return answers
}

/** True if a version or answer number changed since the connection's last heartbeat response. */
export function hasNews({ rooms, knownNews }: Pick<Subscription, 'rooms' | 'knownNews'>): boolean {
  return rooms.some(({ news }) => news > knownNews)
}

/**
 * True if the connection received an event since `sinceMs`, by the monotonic clock, and a heartbeat response would
 * contain nothing new for it.
 */
export function isUpToDate(
  { connection, rooms, muted, knownNews }: Subscription,
  sinceMs: number,
): boolean {
  // While bytes are queued, the newest events may not have been received.
  if (connection.backlogBytes > 0) return false
  let isRecent = false
  for (const room of rooms) {
    if (room.news > knownNews) return false
    if (room !== muted && room.deliveredAtMs >= sinceMs) isRecent = true
  }
  return isRecent
}
