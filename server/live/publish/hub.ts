import type { Answer } from '#contract/answers.ts'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Down, DownOf, RoomName } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import type { CloseCode } from '#contract/shared/liveRules.ts'
import type { Connection } from './connection.ts'
import { encodeFrame, evictedFrame, type Frame, type Framed } from './frame.ts'
import type { Presence } from './presence.ts'
import { Admission, type Counts, deliver, enqueue, Room, type Subscription } from './room.ts'

/** The part of a session that its room needs. */
interface SessionInRoom extends Pick<Session, 'teamId' | 'status' | 'dataLink'> {
  message: Pick<Message, 'version'>
  answer?: Pick<Answer, 'number'> | undefined
  problem?: Pick<Answer, 'gotIt'> | undefined
}

/** Notified when a room gets its first connection on this node, and when the last one leaves. */
interface RoomListener {
  opened(room: RoomName): void
  closed(room: RoomName): void
}

// Saves memory with ten thousand idle connections, which have one or two entries each.
const noConnections: readonly Connection[] = []
const noRooms: readonly Room[] = []

/**
 * Rooms and subscriptions of this node, in memory only: independent of sockets, HTTP, database and bus.
 * Published events are queued until the end of the tick, so that each connection gets one write. Messages are sent at
 * once.
 */
export class Hub {
  readonly counts: Counts = { deliveries: 0, skippedFixes: 0, closedConnections: 0 }
  readonly #rooms = new Map<RoomName, Room>()
  readonly #connectionsOf = new Map<UserId, readonly Connection[]>()
  readonly #subscriptions = new Map<Connection, Subscription>()
  readonly #listener: RoomListener
  #due: Room[] = []

  /** The watchers of each room; undefined where nothing needs them. */
  readonly presence: Presence | undefined

  constructor(listener: RoomListener, presence?: Presence) {
    this.#listener = listener
    this.presence = presence
  }

  // Connections

  get connectionCount(): number {
    return this.#subscriptions.size
  }

  /** A copy of the list of this node's connections. */
  connections(): Connection[] {
    return [...this.#subscriptions.keys()]
  }

  /** Registers a connection under its user. Call `remove` when it has closed. */
  add(connection: Connection) {
    const others = this.#connectionsOf.get(connection.userId) ?? noConnections
    this.#connectionsOf.set(connection.userId, [...others, connection])
    this.#subscriptions.set(connection, {
      connection,
      rooms: noRooms,
      driving: null,
      muted: null,
    })
  }

  /** Removes a connection from every room and from the hub. */
  remove(connection: Connection) {
    const subscription = this.#subscriptions.get(connection)
    if (!subscription) return
    for (const room of subscription.rooms) this.#leave(room, subscription)
    this.#subscriptions.delete(connection)
    const { userId } = connection
    const others = (this.#connectionsOf.get(userId) ?? noConnections).filter(
      each => each !== connection,
    )
    if (others.length > 0) this.#connectionsOf.set(userId, others)
    else this.#connectionsOf.delete(userId)
  }

  /** Closes the connections of one login, or all of a user's. */
  closeConnections(userId: UserId, code: CloseCode, loginId?: string) {
    for (const connection of this.#connectionsOf.get(userId) ?? []) {
      if (loginId === undefined || connection.loginId === loginId) connection.close(code)
    }
  }

  // Rooms and subscriptions

  get roomCount(): number {
    return this.#rooms.size
  }

  /** Number of rooms a connection is subscribed to. */
  roomCountOf(connection: Connection): number {
    return this.#roomsOf(connection).length
  }

  /** The users in each room of one kind on this node. */
  present(of: 'team' | 'session'): { room: RoomName; userIds: Set<UserId> }[] {
    return [...this.#rooms.values()]
      .filter(({ name }) => name.startsWith(`${of}:`))
      .map(({ name, subscriptions }) => ({
        room: name,
        userIds: new Set([...subscriptions].map(({ connection }) => connection.userId)),
      }))
  }

  isSubscribed(name: RoomName, connection: Connection): boolean {
    const room = this.#rooms.get(name)
    return room !== undefined && this.#roomsOf(connection).includes(room)
  }

  /** Subscribes a registered connection to a room. Does nothing if the connection has closed. */
  join(name: RoomName, connection: Connection) {
    const subscription = this.#subscriptions.get(connection)
    if (!subscription || this.isSubscribed(name, connection)) return
    const room = this.#rooms.get(name) ?? this.#open(name)
    room.subscriptions.add(subscription)
    subscription.rooms = [...subscription.rooms, room]
    if (!connection.isTelevision) this.presence?.joined(room, connection.userId)
  }

  /** Marks a subscribed connection as the phone in the car of a session's room: it is no watcher. */
  drive(name: RoomName, connection: Connection) {
    const subscription = this.#subscriptions.get(connection)
    const room = subscription?.rooms.find(each => each.name === name)
    if (!subscription || !room || subscription.driving === room) return
    if (subscription.driving) this.presence?.joined(subscription.driving, connection.userId)
    subscription.driving = room
    this.presence?.startedDriving(room, connection.userId)
  }

  /**
   * Keeps a connection in a room without its events: a device with neither the scope `read` nor `wall`. It is still
   * evicted or closed through the room, on every node.
   */
  mute(name: RoomName, connection: Connection) {
    const subscription = this.#subscriptions.get(connection)
    const room = subscription?.rooms.find(each => each.name === name)
    if (subscription && room) subscription.muted = room
  }

  leave(name: RoomName, connection: Connection) {
    const room = this.#rooms.get(name)
    const subscription = this.#subscriptions.get(connection)
    if (room && subscription) this.#leave(room, subscription)
  }

  /**
   * Holds back a room's events for a connection until its snapshot has been read. End it with `admit` or
   * `cancelAdmission`.
   */
  beginAdmission(name: RoomName, connection: Connection): Admission {
    const room = this.#rooms.get(name) ?? this.#open(name)
    const admission = new Admission(room, connection)
    room.admissions = [...room.admissions, admission]
    return admission
  }

  /**
   * Sends the snapshot and the queued events, and subscribes the connection. Returns false and sends nothing
   * if the snapshot is stale.
   */
  admit(admission: Admission, snapshot: Frame): boolean {
    const { room, connection } = admission
    this.#deliver(room)
    if (admission.isStale) return false
    this.send(connection, snapshot)
    for (const { frame } of admission.held) connection.send(frame)
    this.join(room.name, connection)
    this.cancelAdmission(admission)
    return true
  }

  /** Discards the queued events. An existing subscription continues. */
  cancelAdmission(admission: Admission) {
    const { room } = admission
    room.admissions = room.admissions.filter(each => each !== admission)
    this.#closeIfEmpty(room)
  }

  // Publishing

  /**
   * Sends one event to all subscribers except the connection it came from: a message at once, after the events queued
   * in its room, any other event at the end of this tick.
   */
  publish(name: RoomName, framed: Framed, from?: Connection) {
    const room = this.#rooms.get(name)
    if (!room) return
    // A newer version from another node arrived first.
    if (framed.kind === 'message' && framed.version < room.version) return
    room.version = Math.max(room.version, framed.version)
    if (framed.kind === 'ended') room.ended = true
    if (framed.kind === 'receipt') room.receipt = framed.frame
    if (room.revision !== null && framed.revision === room.revision + 1)
      room.revision = framed.revision
    const isFirst = enqueue(room, { framed, from })
    if (framed.kind === 'message') return this.#deliver(room)
    if (this.#due.length === 0) setImmediate(() => this.#flush())
    if (isFirst) this.#due.push(room)
  }

  /** Sends a frame to one connection, after the events already queued in its rooms. */
  send(connection: Connection, frame: Frame) {
    for (const room of this.#roomsOf(connection)) this.#deliver(room)
    connection.send(frame)
  }

  // The known state of a session, and the news for heartbeat responses

  /** Records the session of this room, from a snapshot. */
  mergeSession(
    name: RoomName,
    { teamId, status, dataLink, message, answer, problem }: SessionInRoom,
  ) {
    const room = this.#rooms.get(name)
    if (!room) return
    room.team = teamId
    // A stale snapshot must not turn it on: the notice does, or the next check of the database.
    if (!dataLink) room.dataLink = false
    if (status === 'Complete') room.ended = true
    room.version = Math.max(room.version, message.version)
    const [answered, gotIt] = [answer?.number ?? 0, problem?.gotIt?.number ?? 0]
    room.answerNumber = Math.max(room.answerNumber, answered, gotIt)
  }

  /** The newest message version of a session that this node knows. */
  versionIn(name: RoomName): number {
    return this.#rooms.get(name)?.version ?? 0
  }

  /** Records the newest known answer of a session's room. */
  mergeAnswer(name: RoomName, number: number) {
    const room = this.#rooms.get(name)
    if (room) room.answerNumber = Math.max(room.answerNumber, number)
  }

  /** Publishes the stored receipt of the newest message, unless it is the one published last. */
  mergeReceipt(name: RoomName, framed: Framed) {
    if (!this.#rooms.get(name)?.receipt?.equals(framed.frame)) this.publish(name, framed)
  }

  /** Records whether the data link of a session is on. */
  mergeDataLink(name: RoomName, dataLink: boolean) {
    const room = this.#rooms.get(name)
    if (room) room.dataLink = dataLink
  }

  /** Up to which number this node has published the room's changes; null until it was read. */
  revisionIn(name: RoomName): number | null {
    return this.#rooms.get(name)?.revision ?? null
  }

  setRevision(name: RoomName, revision: number) {
    const room = this.#rooms.get(name)
    if (room) room.revision = revision
  }

  /** True once this node knows that the session of this room has ended. */
  hasEnded(name: RoomName): boolean {
    return this.#rooms.get(name)?.ended ?? false
  }

  /** False once this node knows that the data link of the session of this room is off. */
  hasDataLink(name: RoomName): boolean {
    return this.#rooms.get(name)?.dataLink ?? true
  }

  /**
   * The newest message version and answer number of each session the connection is subscribed to, which heartbeat
   * responses repeat because their notices can be lost.
   */
  newsOf(connection: Connection): Pick<DownOf<'heartbeat'>, 'versions' | 'answers'> {
    const versions: Record<SessionId, number> = {}
    let answers: Record<SessionId, number> | undefined
    for (const { name, version, answerNumber } of this.#roomsOf(connection)) {
      if (!name.startsWith('session:')) continue
      const session = name.slice('session:'.length)
      versions[session] = version
      if (answerNumber > 0) (answers ??= {})[session] = answerNumber
    }
    return { versions, ...(answers && { answers }) }
  }

  // Former members

  /** Unsubscribes a user's connections from a room, after the queued events and one last frame to each. */
  evict(name: RoomName, userId: UserId, lastFrame: Down) {
    const room = this.#rooms.get(name)
    if (!room) return
    this.#deliver(room)
    room.revoke(userId)
    const frame = encodeFrame(lastFrame)
    for (const subscription of room.subscriptions) {
      if (subscription.connection.userId !== userId) continue
      subscription.connection.send(frame)
      this.#leave(room, subscription)
    }
  }

  /**
   * Evicts a former member from the rooms of a team and its sessions. A snapshot of a session whose team is
   * not known yet is read again.
   */
  evictMember(team: TeamId, userId: UserId) {
    for (const room of this.#rooms.values()) {
      if (room.name === `team:${team}` || room.team === team)
        this.evict(room.name, userId, evictedFrame(room.name, team))
      else if (room.team === null && room.name.startsWith('session:')) room.revoke(userId)
    }
    this.presence?.evicted(team, userId)
  }

  // Private methods

  #roomsOf(connection: Connection): readonly Room[] {
    return this.#subscriptions.get(connection)?.rooms ?? noRooms
  }

  #flush() {
    const due = this.#due
    this.#due = []
    const held: Connection[] = []
    // If only one room is due, no connection receives events of another room.
    for (const room of due) this.#deliver(room, due.length > 1 ? held : undefined)
    for (const connection of held) connection.release()
  }

  #deliver(room: Room, held?: Connection[]) {
    deliver(room, this.counts, held)
  }

  #open(name: RoomName): Room {
    const room = new Room(name)
    this.#rooms.set(name, room)
    this.#listener.opened(name)
    return room
  }

  #leave(room: Room, subscription: Subscription) {
    if (!room.subscriptions.delete(subscription)) return
    subscription.rooms = subscription.rooms.filter(each => each !== room)
    if (subscription.driving === room) subscription.driving = null
    else this.presence?.left(room, subscription.connection.userId)
    this.#closeIfEmpty(room)
  }

  #closeIfEmpty(room: Room) {
    if (room.subscriptions.size > 0 || room.admissions.length > 0) return
    if (this.#rooms.get(room.name) !== room) return
    this.#rooms.delete(room.name)
    this.#listener.closed(room.name)
    this.presence?.unsubscribed(room.name)
  }
}
