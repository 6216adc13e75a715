import type { UserId } from '#contract/ids.ts'
import type { RoomName } from '#contract/live.ts'
import type { Counts, Room, Subscription } from './room.ts'

/** A node's rooms and connections; `version` is the newest message version published in a room. */
export interface HubDescription {
  rooms: {
    name: RoomName
    subscribers: number
    waitingForSnapshot: number
    queuedEvents: number
    version: number
    ended: boolean
  }[]
  connections: {
    id: string
    userId: UserId
    isOpen: boolean
    backlogBytes: number
    rooms: RoomName[]
  }[]
  counts: Counts
}

/** The state of a node's rooms and connections as plain data, for debugging. */
export function describeHub(
  rooms: Iterable<Room>,
  subscriptions: Iterable<Subscription>,
  counts: Counts,
): HubDescription {
  return {
    rooms: Array.from(rooms, room => ({
      name: room.name,
      subscribers: room.subscriptions.size,
      waitingForSnapshot: room.admissions.length,
      queuedEvents: room.queue.length,
      version: room.version,
      ended: room.ended,
    })),
    connections: Array.from(subscriptions, ({ connection, rooms: joined }) => ({
      id: connection.id,
      userId: connection.userId,
      isOpen: connection.isOpen,
      backlogBytes: connection.backlogBytes,
      rooms: joined.map(({ name }) => name),
    })),
    counts: { ...counts },
  }
}
