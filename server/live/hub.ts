import type { SessionId, UserId } from '#contract/ids.ts'
import type { Down, Room } from '#contract/live.ts'
import type { CloseCode } from '#contract/liveRules.ts'
import { Admission } from './admission.ts'
import { encodeFrame, type Frame, type Framed } from './frame.ts'
import { type Counts, deliver, enqueue, Members, type Seat } from './members.ts'

/** One open line to one browser or device. */
export interface Line {
  readonly userId: UserId
  readonly loginId: string
  /** False from `close` on. */
  readonly isOpen: boolean
  /** Bytes handed over but not yet on the wire. */
  readonly backlogBytes: number
  send(frame: Frame): void
  /** What is sent from here on is written together, at `release`. */
  hold(): void
  release(): void
  close(code: CloseCode): void
}

/** Told when the first line comes into a room and when the last one leaves. */
interface Watch {
  opened(room: Room): void
  closed(room: Room): void
}

// Ten thousand idle lines are one or two entries each: exact arrays, none where there is nothing.
const noLines: readonly Line[] = []
const noRooms: readonly Members[] = []

/**
 * Who hears what on this node. Memory only: it knows no sockets, no HTTP, no database, no bus.
 * What is published waits until the end of the tick, so that a line gets one write for all of it.
 */
export class Hub {
  readonly counts: Counts = { deliveries: 0, skippedFixes: 0, cutLines: 0 }
  readonly #rooms = new Map<Room, Members>()
  readonly #linesOf = new Map<UserId, readonly Line[]>()
  readonly #seats = new Map<Line, Seat>()
  readonly #watch: Watch
  #due: Members[] = []

  constructor(watch: Watch) {
    this.#watch = watch
  }

  get lineCount(): number {
    return this.#seats.size
  }

  get roomCount(): number {
    return this.#rooms.size
  }

  /** Who is in which room of this node, of one kind of rooms. */
  present(of: 'team' | 'session'): { room: Room; userIds: Set<UserId> }[] {
    return [...this.#rooms.values()]
      .filter(({ room }) => room.startsWith(`${of}:`))
      .map(({ room, seats }) => ({
        room,
        userIds: new Set([...seats].map(({ line }) => line.userId)),
      }))
  }

  /** Registers a line under its user. Call the result when the line is gone: it leaves every room. */
  add(line: Line): () => void {
    this.#linesOf.set(line.userId, [...(this.#linesOf.get(line.userId) ?? noLines), line])
    this.#seats.set(line, { line, rooms: noRooms })
    return () => this.#remove(line)
  }

  /** All lines of this node, as they are now. */
  lines(): Line[] {
    return [...this.#seats.keys()]
  }

  /** How many rooms a line is in. */
  roomCountOf(line: Line): number {
    return this.#seats.get(line)?.rooms.length ?? 0
  }

  isIn(room: Room, line: Line): boolean {
    const members = this.#rooms.get(room)
    return members !== undefined && (this.#seats.get(line)?.rooms.includes(members) ?? false)
  }

  /** Puts a registered line in a room. A line that has gone meanwhile is not put anywhere. */
  join(room: Room, line: Line) {
    const seat = this.#seats.get(line)
    if (!seat || this.isIn(room, line)) return
    const members = this.#rooms.get(room) ?? this.#open(room)
    members.seats.add(seat)
    seat.rooms = [...seat.rooms, members]
  }

  /**
   * Holds back a room's events for a connection until its snapshot was read. End it by `admit` or
   * `cancelAdmission`.
   */
  beginAdmission(room: Room, line: Line): Admission {
    const members = this.#rooms.get(room) ?? this.#open(room)
    const admission = new Admission(members, line)
    members.admissions = [...members.admissions, admission]
    return admission
  }

  /**
   * Sends the snapshot and the events held back, and puts the connection in the room. Does nothing and answers
   * false if the snapshot is stale.
   */
  admit(admission: Admission, snapshot: Frame): boolean {
    const { room: members, line } = admission
    deliver(members, this.counts)
    if (admission.isStale) return false
    this.answer(line, snapshot)
    for (const { frame } of admission.held) line.send(frame)
    this.join(members.room, line)
    this.cancelAdmission(admission)
    return true
  }

  /** Discards what was held back. A connection that was in the room before stays there. */
  cancelAdmission(admission: Admission) {
    const { room: members } = admission
    members.admissions = members.admissions.filter(each => each !== admission)
    this.#closeIfEmpty(members)
  }

  leave(room: Room, line: Line) {
    const members = this.#rooms.get(room)
    const seat = this.#seats.get(line)
    if (members && seat) this.#leave(members, seat)
  }

  /** The newest message version known of each session whose room the line is in. */
  versionsOf(line: Line): Record<SessionId, number> {
    const versions: Record<SessionId, number> = {}
    for (const { room, version } of this.#seats.get(line)?.rooms ?? []) {
      if (room.startsWith('session:')) versions[room.slice('session:'.length)] = version
    }
    return versions
  }

  /** A snapshot was read: the room now knows at least this version. */
  learnVersion(room: Room, version: number) {
    const members = this.#rooms.get(room)
    if (members && version > members.version) members.version = version
  }

  /** A snapshot was read: the session of this room has ended. */
  learnEnd(room: Room) {
    const members = this.#rooms.get(room)
    if (members) members.ended = true
  }

  /** True once it is known here that the session of this room has ended. */
  hasEnded(room: Room): boolean {
    return this.#rooms.get(room)?.ended ?? false
  }

  /** Sends one event to everyone in the room at the end of this tick, but not to the line it came from. */
  publish(room: Room, framed: Framed, from?: Line) {
    const members = this.#rooms.get(room)
    if (!members) return
    // Another node's word of it was quicker than this one's.
    if (framed.kind === 'message' && framed.version < members.version) return
    if (framed.version > members.version) members.version = framed.version
    if (framed.kind === 'ended') members.ended = true
    if (this.#due.length === 0) setImmediate(() => this.#flush())
    if (enqueue(members, { framed, from })) this.#due.push(members)
  }

  /** Says something to one line alone. It does not overtake what its rooms were told before. */
  answer(line: Line, frame: Frame) {
    for (const members of this.#seats.get(line)?.rooms ?? []) deliver(members, this.counts)
    line.send(frame)
  }

  /** Takes a user's lines out of a room, with a last word to each after what the room was told before. */
  evict(room: Room, userId: UserId, lastWord: Down) {
    const members = this.#rooms.get(room)
    if (!members) return
    deliver(members, this.counts)
    for (const admission of members.admissions)
      if (admission.line.userId === userId) admission.revoke()
    const frame = encodeFrame(lastWord)
    for (const seat of [...members.seats].filter(({ line }) => line.userId === userId)) {
      seat.line.send(frame)
      this.#leave(members, seat)
    }
  }

  /** Closes the lines of one login, or of all of a user's. */
  closeLines(userId: UserId, code: CloseCode, loginId?: string) {
    for (const line of this.#linesOf.get(userId) ?? []) {
      if (loginId === undefined || line.loginId === loginId) line.close(code)
    }
  }

  #flush() {
    const due = this.#due
    this.#due = []
    const held: Line[] = []
    // Where one room is due, no line is about to hear of another too.
    for (const members of due) deliver(members, this.counts, due.length > 1 ? held : undefined)
    for (const line of held) line.release()
  }

  #open(room: Room): Members {
    const members = new Members(room)
    this.#rooms.set(room, members)
    this.#watch.opened(room)
    return members
  }

  #leave(members: Members, seat: Seat) {
    if (!members.seats.delete(seat)) return
    seat.rooms = seat.rooms.filter(each => each !== members)
    this.#closeIfEmpty(members)
  }

  #closeIfEmpty(members: Members) {
    if (members.seats.size > 0 || members.admissions.length > 0) return
    if (this.#rooms.get(members.room) !== members) return
    this.#rooms.delete(members.room)
    this.#watch.closed(members.room)
  }

  #remove(line: Line) {
    const seat = this.#seats.get(line)
    if (!seat) return
    for (const members of seat.rooms) this.#leave(members, seat)
    this.#seats.delete(line)
    const others = (this.#linesOf.get(line.userId) ?? noLines).filter(each => each !== line)
    if (others.length > 0) this.#linesOf.set(line.userId, others)
    else this.#linesOf.delete(line.userId)
  }
}
