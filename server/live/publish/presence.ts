import type { TeamId, UserId } from '#contract/ids.ts'
import type { Down, RoomName } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { maxWatching } from '#contract/shared/liveRules.ts'
import type { Room } from './room.ts'

/** A user whose last connection left stays for this long: a reload or a reconnection changes nothing. */
const graceMs = 3000

/** Changes of a room within this time are one event. */
const publishDelayMs = 250

/** Each node announces its users at this interval, and a node silent for `forgetAfterMs` is forgotten. */
const announceIntervalMs = 2000
const forgetAfterMs = 5000

/** The users of one node in a room. */
export interface Announcement {
  /** A random id of the node. */
  node: string
  users: readonly UserId[]
}

interface Settings {
  clock: Clock
  /** Publishes to this node's subscribers of a room. */
  publish(room: RoomName, event: Down): void
  /** Sends this node's users in a room to the other nodes; undefined for a single node. */
  announce?: ((room: RoomName, users: readonly UserId[]) => void) | undefined
}

/** The connections of one user in a room of this node. */
interface Stay {
  connections: number
  /** Set while no connection is left. */
  cancelRemoval?: (() => void) | undefined
}

interface RoomUsers {
  /** Null for a session's room in which nobody of this node is. */
  team: TeamId | null
  readonly here: Map<UserId, Stay>
  /** The users that other nodes announced, by node. */
  readonly elsewhere: Map<string, { users: readonly UserId[]; atMs: number }>
  announced: readonly UserId[]
  published: readonly UserId[]
}

type JoinedRoom = Pick<Room, 'name' | 'team'>

const nobody: readonly UserId[] = []

/**
 * The users in the rooms of teams and sessions, derived from the connections of this node and from the
 * announcements of the other nodes. A user with several connections is listed once. The users in a session's
 * room are also in its team's. The phone in the car is in neither.
 */
export class Presence {
  readonly #clock: Clock
  readonly #publish: Settings['publish']
  readonly #announce: Settings['announce']
  readonly #rooms = new Map<RoomName, RoomUsers>()
  readonly #changed = new Set<RoomName>()
  readonly #stopAnnouncing: () => void
  #cancelFlush: (() => void) | undefined
  #isClosed = false

  constructor({ clock, publish, announce }: Settings) {
    this.#clock = clock
    this.#publish = publish
    this.#announce = announce
    this.#stopAnnouncing = announce
      ? clock.every(announceIntervalMs, () => this.#announceAll())
      : () => undefined
  }

  close() {
    this.#isClosed = true
    this.#stopAnnouncing()
    this.#cancelFlush?.()
  }

  /** The users in a room, as last published to its subscribers. */
  watching(room: RoomName): readonly UserId[] {
    return this.#rooms.get(room)?.published ?? nobody
  }

  /** Counts a connection that joined a room. */
  joined(room: JoinedRoom, userId: UserId) {
    for (const name of namesOf(room)) {
      const users = this.#usersIn(name)
      users.team = teamOf(room)
      const stay = users.here.get(userId)
      if (stay) {
        stay.connections += 1
        stay.cancelRemoval?.()
      } else {
        users.here.set(userId, { connections: 1 })
        this.#onChange(name)
      }
    }
  }

  /** Removes a connection that left a room. */
  left(room: JoinedRoom, userId: UserId) {
    this.#uncount(room, userId, (name, stay) => {
      stay.cancelRemoval = this.#clock.after(graceMs, () => this.#remove(name, userId))
    })
  }

  /** Removes a connection that became the phone in the car. */
  startedDriving(room: JoinedRoom, userId: UserId) {
    this.#uncount(room, userId, name => this.#remove(name, userId))
  }

  /** Removes a former member at once. Their connections have left the team's rooms before. */
  evicted(team: TeamId, userId: UserId) {
    for (const [name, users] of this.#rooms) if (users.team === team) this.#remove(name, userId)
    this.#flush()
  }

  /** Merges the users that another node announced for a room. */
  received(room: RoomName, { node, users }: Announcement) {
    const { elsewhere, announced } = this.#usersIn(room)
    const isNew = users.length > 0 && !elsewhere.has(node)
    if (users.length === 0) elsewhere.delete(node)
    else elsewhere.set(node, { users, atMs: this.#clock.monotonicMs() })
    this.#onChange(room)
    // It has just opened the room, and missed what this node announced before.
    if (isNew && announced.length > 0) this.#announce?.(room, announced)
  }

  /** Drops the watchers on other nodes for a room whose announcements this node no longer receives. */
  unsubscribed(room: RoomName) {
    const users = this.#rooms.get(room)
    if (!users || users.elsewhere.size === 0) return
    users.elsewhere.clear()
    this.#onChange(room)
  }

  #uncount(room: JoinedRoom, userId: UserId, onLast: (name: RoomName, stay: Stay) => void) {
    for (const name of namesOf(room)) {
      const stay = this.#rooms.get(name)?.here.get(userId)
      if (!stay || stay.connections === 0) continue
      stay.connections -= 1
      if (stay.connections === 0) onLast(name, stay)
    }
  }

  #remove(room: RoomName, userId: UserId) {
    const here = this.#rooms.get(room)?.here
    here?.get(userId)?.cancelRemoval?.()
    if (here?.delete(userId)) this.#onChange(room)
  }

  #usersIn(name: RoomName): RoomUsers {
    const known = this.#rooms.get(name)
    if (known) return known
    const users = {
      team: null,
      here: new Map(),
      elsewhere: new Map(),
      announced: nobody,
      published: nobody,
    }
    this.#rooms.set(name, users)
    return users
  }

  #onChange(room: RoomName) {
    this.#changed.add(room)
    if (!this.#isClosed)
      this.#cancelFlush ??= this.#clock.after(publishDelayMs, () => this.#flush())
  }

  /** Publishes and announces the changed rooms. */
  #flush() {
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const name of changed) {
      const room = this.#rooms.get(name)
      if (room) this.#publishChange(name, room)
    }
  }

  #publishChange(name: RoomName, room: RoomUsers) {
    const here = [...room.here.keys()].slice(0, maxWatching)
    const elsewhere = [...room.elsewhere.values()].flatMap(({ users }) => users)
    const users = [...new Set([...here, ...elsewhere])].slice(0, maxWatching)
    if (!isSame(here, room.announced)) {
      room.announced = here
      this.#announce?.(name, here)
    }
    if (!isSame(users, room.published)) {
      room.published = users
      this.#publish(name, { t: 'watching', room: name, users: [...users] })
    }
    if (users.length === 0) this.#rooms.delete(name)
  }

  #announceAll() {
    const oldestMs = this.#clock.monotonicMs() - forgetAfterMs
    for (const [name, { announced, elsewhere }] of this.#rooms) {
      if (announced.length > 0) this.#announce?.(name, announced)
      for (const [node, { atMs }] of elsewhere) {
        if (atMs > oldestMs) continue
        elsewhere.delete(node)
        this.#onChange(name)
      }
    }
  }
}

/** Returns the lists to which a subscriber of a room belongs. */
function namesOf({ name, team }: JoinedRoom): RoomName[] {
  if (name.startsWith('user:')) return []
  return name.startsWith('session:') && team !== null ? [name, `team:${team}`] : [name]
}

function teamOf({ name, team }: JoinedRoom): TeamId | null {
  return name.startsWith('team:') ? name.slice('team:'.length) : team
}

function isSame(a: readonly UserId[], b: readonly UserId[]): boolean {
  return a.length === b.length && a.every((user, index) => user === b[index])
}
