import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Down, RoomName } from '#contract/live.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import type { Bus, Notice } from './bus.ts'
import type { Connection } from './connection.ts'
import { type Change, type Framed, frameEvent, isChange } from './frame.ts'
import type { Hub } from './hub.ts'

/** Publishes to the connections of all nodes. */
export interface Live {
  /**
   * Sends an event to all subscribers of a room except the connection it came `from`. Call it after the
   * commit. `revision` is the number of a change that was counted in its transaction; others are counted here.
   */
  publish(room: RoomName, event: Down, from?: Connection, revision?: number): void
  /** Accepts or refuses the frames of a session's phone from now on. */
  setDataLink(session: SessionId, on: boolean): void
  /** Removes a former member from the rooms of a team and its sessions at once. */
  evict(team: TeamId, userId: UserId): void
  /** Closes the connections of a login that ended. */
  endLogin(userId: UserId, loginId: string): void
  /** Calls `act` for each login that this node ends. Call the result to stop. */
  onLoginEnded(act: (loginId: string) => void): () => void
}

/** Several nodes need `countChange`, which returns the number of a change in its room. */
export function createLive(
  hub: Hub,
  bus: Bus,
  countChange?: (change: Change) => Promise<number>,
): Live {
  const loginListeners = new Set<(loginId: string) => void>()
  function send(room: RoomName, notice: Notice) {
    applyNotice(hub, room, notice)
    bus.send(room, notice)
  }
  return {
    publish(room, event, from, revision) {
      const publish = (framed: Framed) => {
        hub.publish(room, framed, from)
        bus.send(room, { do: 'publish', framed })
      }
      if (!countChange || !isChange(event) || revision !== undefined)
        return publish(frameEvent(event, revision))
      void countChange(event).then(counted => publish(frameEvent(event, counted)))
    },
    setDataLink: (session, on) => send(`session:${session}`, { do: 'data-link', on }),
    // Sent through the user's own room, which every node with a connection of that user subscribes to.
    evict: (team, user) => send(`user:${user}`, { do: 'evict', user, team }),
    endLogin: (user, login) => {
      send(`user:${user}`, { do: 'close', user, login, code: CloseCode.signedOut })
      // Only the support desk listens, which runs in a single process without a bus.
      for (const act of loginListeners) act(login)
    },
    onLoginEnded(act) {
      loginListeners.add(act)
      return () => loginListeners.delete(act)
    },
  }
}

/** Applies a notice from this node or another one. */
export function applyNotice(hub: Hub, room: RoomName, notice: Notice) {
  switch (notice.do) {
    case 'publish':
      return hub.publish(room, notice.framed)
    case 'data-link':
      return hub.mergeDataLink(room, notice.on)
    case 'evict':
      return hub.evictMember(notice.team, notice.user)
    case 'watching':
      return hub.presence?.received(room, notice)
    case 'close':
      return hub.closeConnections(notice.user, notice.code, notice.login)
  }
}
