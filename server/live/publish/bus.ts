import type { TeamId, UserId } from '#contract/ids.ts'
import type { RoomName } from '#contract/live.ts'
import type { CloseCode } from '#contract/shared/liveRules.ts'
import type { Framed } from './frame.ts'
import type { Announcement } from './presence.ts'

/** A notice about a room that nodes send to each other. */
export type Notice =
  | { do: 'publish'; framed: Framed }
  | { do: 'evict'; user: UserId; team: TeamId }
  /** The data link of the room's session was turned on or off. */
  | { do: 'data-link'; on: boolean }
  | ({ do: 'watching' } & Announcement)
  | { do: 'close'; user: UserId; code: CloseCode; login?: string }

/** True for a notice that is not worth queueing while the bus is away: the next one replaces it. */
export function isOutdatedSoon(notice: Notice): boolean {
  return notice.do === 'watching' || (notice.do === 'publish' && notice.framed.kind === 'fix')
}

/** Callbacks of a bus into its node. */
export interface BusHooks {
  /** Another node published a notice about a room. */
  onNotice(room: RoomName, notice: Notice): void
  /** Notices may have been lost: the node's connections need new snapshots. */
  onGap(): void
}

/** Carries notices between nodes, each delivered at most once. After a gap, connections need new snapshots. */
export interface Bus {
  /** False while this node may miss notices of other nodes. */
  readonly connected: boolean
  /** Publishes a notice to the nodes that subscribe to this room. */
  send(room: RoomName, notice: Notice): void
  /** Subscribes to the notices of other nodes about a room, until `unsubscribe`. */
  subscribe(room: RoomName): void
  unsubscribe(room: RoomName): void
  /** Resolves once all subscriptions so far are active, or at once while the bus is disconnected. */
  listening(): Promise<void>
  close(): Promise<void>
}

/** The bus of a single process, which has no other nodes. */
export const noopBus: Bus = {
  connected: true,
  send() {},
  subscribe() {},
  unsubscribe() {},
  async listening() {},
  async close() {},
}
