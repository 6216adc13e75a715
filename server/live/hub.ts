import type { UserId } from '#contract/ids.ts'
import type { Down, Room } from '#contract/live.ts'
import { CloseCode } from '#contract/liveRules.ts'
import { encodeFrame, type Frame } from './frame.ts'

/** Over this a line misses fixes; anything that may not be lost cuts it. */
export const backlogLimitBytes = 64 * 1024

/** One open line to one browser or device. */
export interface Line {
  readonly userId: UserId
  readonly loginId: string
  /** Bytes handed over but not yet on the wire. */
  readonly backlogBytes: number
  send(frame: Frame): void
  close(code: CloseCode): void
}

/** Told when the first line comes into a room and when the last one leaves. */
interface Watch {
  opened(room: Room): void
  closed(room: Room): void
}

class Members {
  readonly lines = new Set<Line>()
  /** The newest message version that passed here: repeated with every beat. */
  version = 0
  ended = false
}

/** Who hears what on this node. Memory only: it knows no sockets, no HTTP, no database, no bus. */
export class Hub {
  readonly #rooms = new Map<Room, Members>()
  readonly #linesOf = new Map<UserId, Set<Line>>()
  readonly #roomsOf = new Map<Line, Set<Room>>()
  readonly #watch: Watch

  constructor(watch: Watch) {
    this.#watch = watch
  }

  get lineCount(): number {
    return this.#roomsOf.size
  }

  /** Registers a line under its user. Call the result when the line is gone: it leaves every room. */
  add(line: Line): () => void {
    const own = this.#linesOf.get(line.userId) ?? new Set<Line>()
    this.#linesOf.set(line.userId, own.add(line))
    this.#roomsOf.set(line, new Set())
    return () => {
      for (const room of this.roomsOf(line)) this.leave(room, line)
      this.#roomsOf.delete(line)
      if (own.delete(line) && own.size === 0) this.#linesOf.delete(line.userId)
    }
  }

  /** How many lines a user has open on this node. */
  linesOf(userId: UserId): number {
    return this.#linesOf.get(userId)?.size ?? 0
  }

  /** The rooms a line is in. */
  roomsOf(line: Line): Room[] {
    return [...(this.#roomsOf.get(line) ?? [])]
  }

  /** Puts a registered line in a room. A line that has gone meanwhile is not put anywhere. */
  join(room: Room, line: Line) {
    const rooms = this.#roomsOf.get(line)
    if (!rooms) return
    rooms.add(room)
    const members = this.#rooms.get(room) ?? this.#open(room)
    members.lines.add(line)
  }

  leave(room: Room, line: Line) {
    this.#roomsOf.get(line)?.delete(room)
    const members = this.#rooms.get(room)
    if (!members?.lines.delete(line) || members.lines.size > 0) return
    this.#rooms.delete(room)
    this.#watch.closed(room)
  }

  /** The newest message version known in a session's room. */
  version(room: Room): number {
    return this.#rooms.get(room)?.version ?? 0
  }

  /** A snapshot was read: the room now knows at least this version. */
  learnVersion(room: Room, version: number) {
    const members = this.#rooms.get(room)
    if (members && version > members.version) members.version = version
  }

  /** True once the session of this room has ended while somebody was in it. */
  hasEnded(room: Room): boolean {
    return this.#rooms.get(room)?.ended ?? false
  }

  /** Sends one event to everyone in the room. It is framed once. */
  publish(room: Room, event: Down) {
    const members = this.#rooms.get(room)
    if (!members) return
    if (event.t === 'message') this.learnVersion(room, event.message.version)
    if (event.t === 'session-ended' && room.startsWith('session:')) members.ended = true
    const frame = encodeFrame(event)
    for (const line of members.lines) {
      if (line.backlogBytes < backlogLimitBytes) line.send(frame)
      // An old position is worth nothing: a slow line just misses it. Nothing else may be
      // lost: the line is cut, and catches up from its next snapshot.
      else if (event.t !== 'fix') line.close(CloseCode.tooSlow)
    }
  }

  /** Closes every line of this node. */
  closeAll(code: CloseCode) {
    for (const line of this.#roomsOf.keys()) line.close(code)
  }

  /** Takes a user's lines out of a room, with a last word to each. */
  evict(room: Room, userId: UserId, lastWord: Down) {
    const members = this.#rooms.get(room)
    if (!members) return
    const frame = encodeFrame(lastWord)
    for (const line of [...members.lines].filter(each => each.userId === userId)) {
      line.send(frame)
      this.leave(room, line)
    }
  }

  /** Closes the lines of one login, or of all of a user's. */
  closeLines(userId: UserId, code: CloseCode, loginId?: string) {
    for (const line of this.#linesOf.get(userId) ?? []) {
      if (loginId === undefined || line.loginId === loginId) line.close(code)
    }
  }

  #open(room: Room): Members {
    const members = new Members()
    this.#rooms.set(room, members)
    this.#watch.opened(room)
    return members
  }
}
