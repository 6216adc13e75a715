import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import type { RoomName } from '#contract/live.ts'
import type { Log } from '../log.ts'
import type { Bus, BusHooks, Notice } from './bus.ts'
import { packNotice, unpackNotice } from './envelope.ts'

interface Settings extends BusHooks {
  url: string
  log: Log
}

/** Of a node that is without a bus for long: then the snapshots of the others have it all. */
const mostUnsaid = 1000

/** The bus between nodes over NATS core: at most once, in order per sender. Throws when nobody answers at `url`. */
export async function connectNats({ url, log, onNotice, onGap }: Settings): Promise<Bus> {
  const { host, protocol, username, password } = new URL(url)
  const nats = await connect({
    servers: `${protocol}//${host}`,
    // The client ignores a user and password in the address.
    ...(username !== '' && {
      user: decodeURIComponent(username),
      pass: decodeURIComponent(password),
    }),
    name: 'pitboard',
    // What a node says itself it has already done.
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    // A silent connection is given up after two unanswered pings.
    pingInterval: 2000,
    maxPingOut: 2,
  })
  let connected = true
  // What is told while the bus is away: nodes that are back before this one have read their snapshots already.
  let unsaid: { room: RoomName; notice: Notice }[] = []
  void followStatus(nats, now => {
    if (now === connected) return
    connected = now
    log.warn(now ? 'the bus is back' : 'the bus is away')
    if (!now) return
    for (const { room, notice } of unsaid) nats.publish(subjectOf(room), packNotice(notice))
    unsaid = []
    onGap()
  })
  const subscriptions = new Map<RoomName, Subscription>()

  function take(room: RoomName, error: Error | null, data: Uint8Array) {
    if (error) return log.error({ err: error }, 'the bus refused a subscription')
    try {
      onNotice(room, unpackNotice(data))
    } catch (unread) {
      log.error({ err: unread }, 'a notice of another node was not understood')
    }
  }

  return {
    get connected() {
      return connected
    },
    send(room, notice) {
      if (nats.isClosed()) return
      if (connected) return nats.publish(subjectOf(room), packNotice(notice))
      // An old position is worth nothing.
      if (notice.do === 'publish' && notice.framed.kind === 'fix') return
      unsaid.push({ room, notice })
      if (unsaid.length > mostUnsaid) unsaid.shift()
    },
    subscribe(room) {
      if (nats.isClosed()) return
      const callback = (error: Error | null, { data }: { data: Uint8Array }) =>
        take(room, error, data)
      subscriptions.set(room, nats.subscribe(subjectOf(room), { callback }))
    },
    unsubscribe(room) {
      subscriptions.get(room)?.unsubscribe()
      subscriptions.delete(room)
    },
    async listening() {
      // Rejected when the connection breaks meanwhile: then the gap makes every connection come back anyway.
      if (connected) await nats.flush().catch(() => {})
    },
    close: () => nats.drain(),
  }
}

function subjectOf(room: RoomName): string {
  return `pitboard.${room.replace(':', '.')}`
}

async function followStatus(nats: NatsConnection, tell: (connected: boolean) => void) {
  for await (const { type } of nats.status()) {
    if (type === 'disconnect') tell(false)
    if (type === 'reconnect') tell(true)
  }
}
