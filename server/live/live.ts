import type { UserId } from '#contract/ids.ts'
import type { Down, Room } from '#contract/live.ts'
import { CloseCode } from '#contract/liveRules.ts'
import type { Bus, Notice } from './bus.ts'
import { frameEvent } from './frame.ts'
import type { Hub, Line } from './hub.ts'

/** What the rest of the server says to the people who have the app open, wherever their lines end. */
export interface Live {
  /** Sends an event to everyone in a room, but not to the line it came `from`. Call it after the commit. */
  publish(room: Room, event: Down, from?: Line): void
  /** Takes a user out of a room at once. */
  evict(room: Room, userId: UserId, lastWord: Down): void
  /** Closes the lines of a login that ended. */
  endLogin(userId: UserId, loginId: string): void
  /** Calls `act` for each login that this node ends. Call the result to stop. */
  onLoginEnded(act: (loginId: string) => void): () => void
}

export function createLive(hub: Hub, bus: Bus): Live {
  const loginListeners = new Set<(loginId: string) => void>()
  function tell(room: Room, notice: Notice) {
    hear(hub, room, notice)
    bus.send(room, notice)
  }
  return {
    publish(room, event, from) {
      const framed = frameEvent(event)
      hub.publish(room, framed, from)
      bus.send(room, { do: 'publish', framed })
    },
    evict: (room, user, lastWord) =>
      // By way of the user's own room, which every node with a line of that user listens to.
      tell(`user:${user}`, { do: 'evict', user, from: room, lastWord }),
    endLogin: (user, login) => {
      tell(`user:${user}`, { do: 'close', user, login, code: CloseCode.signedOut })
      // Only the support desk listens, which runs in one process without a bus.
      for (const act of loginListeners) act(login)
    },
    onLoginEnded(act) {
      loginListeners.add(act)
      return () => loginListeners.delete(act)
    },
  }
}

/** Does on this node what a notice says, from this node or another. */
export function hear(hub: Hub, room: Room, notice: Notice) {
  switch (notice.do) {
    case 'publish':
      return hub.publish(room, notice.framed)
    case 'evict':
      return hub.evict(notice.from, notice.user, notice.lastWord)
    case 'close':
      return hub.closeLines(notice.user, notice.code, notice.login)
  }
}
