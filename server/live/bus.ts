import type { UserId } from '#contract/ids.ts'
import type { Down, RoomName } from '#contract/live.ts'
import type { CloseCode } from '#contract/liveRules.ts'
import type { Framed } from './frame.ts'

/** A notice about a room that nodes send to each other. */
export type Notice =
  | { do: 'publish'; framed: Framed }
  | { do: 'evict'; user: UserId; from: RoomName; lastWord: Down }
  | { do: 'close'; user: UserId; code: CloseCode; login?: string }

/** What a bus calls on its node. */
export interface BusHooks {
  /** Another node sent this to a room. */
  onNotice(room: RoomName, notice: Notice): void
  /** Notices may have been lost: the node's connections need new snapshots. */
  onGap(): void
}

/** Between nodes. At most once: after a gap the connections take a new snapshot. */
export interface Bus {
  /** False while this node may not hear the others. */
  readonly connected: boolean
  /** Tells the other nodes that have somebody in this room. */
  send(room: RoomName, notice: Notice): void
  /** Hears what other nodes say of a room, until `unsubscribe`. */
  subscribe(room: RoomName): void
  unsubscribe(room: RoomName): void
  /** Resolves once every subscription so far is in force, or at once while there is no connection. */
  listening(): Promise<void>
  close(): Promise<void>
}

/** One process: there is nobody else to tell. */
export const noopBus: Bus = {
  connected: true,
  send() {},
  subscribe() {},
  unsubscribe() {},
  async listening() {},
  async close() {},
}
