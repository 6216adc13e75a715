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
    room.news = ++this.#latest
  }

  mergeAnswer(room: Room, number: number) {
    if (number <= room.answerNumber) return
    room.answerNumber = number
    room.news = ++this.#latest
  }

  /**
   * Returns the fields `versions` and `answers` of a heartbeat response, as JSON without braces, and marks them as
   * sent to the connection.
   */
  takeJson(subscription: Subscription): string {
    if (subscription.newsJson === undefined || hasNews(subscription)) {
      const answers = answersOf(subscription.rooms)
      const fields = { versions: versionsOf(subscription.rooms), ...(answers && { answers }) }
      subscription.newsJson = JSON.stringify(fields).slice(1, -1)
    }
    subscription.knownNews = this.#latest
    return subscription.newsJson
  }
}

/** The newest known message version of each session among these rooms. */
function versionsOf(rooms: readonly Room[]): Record<SessionId, number> {
  const versions: Record<SessionId, number> = {}
  for (const { name, version } of rooms) {
    if (name.startsWith('session:')) versions[name.slice('session:'.length)] = version
  }
  return versions
}

/** The number of the newest known answer of each session among these rooms that has one. */
function answersOf(rooms: readonly Room[]): Record<SessionId, number> | undefined {
  let answers: Record<SessionId, number> | undefined
  for (const { name, answerNumber } of rooms) {
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
