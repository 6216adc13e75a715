import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import type { RoomName } from '#contract/live.ts'
import type { Log } from '#server/log.ts'
import { type Bus, type BusHooks, isOutdatedSoon, type Notice } from './bus.ts'
import { packNotice, unpackNotice } from './envelope.ts'

interface Settings extends BusHooks {
  url: string
  log: Log
}

/** Maximum number of notices queued while the bus is away. The oldest are dropped: nodes read snapshots after a gap. */
const maxQueuedNotices = 1000

/**
 * Connects the bus between nodes over NATS core: at most once, in order per sender. Throws if no server
 * responds at `url`.
 */
export async function connectNats({ url, log, onNotice, onGap }: Settings): Promise<Bus> {
  const { host, protocol, username, password } = new URL(url)
  const nats = await connect({
    servers: `${protocol}//${host}`,
    // The NATS client ignores credentials in the URL.
    ...(username !== '' && {
      user: decodeURIComponent(username),
      pass: decodeURIComponent(password),
    }),
    name: 'pitboard',
    // A node has already applied its own notices.
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    // The connection is closed after two unanswered pings.
    pingInterval: 2000,
    maxPingOut: 2,
  })
  let connected = true
  // Notices sent while the bus is away: nodes that reconnected earlier have already read their snapshots.
  let queuedNotices: { room: RoomName; notice: Notice }[] = []
  void followStatus(nats, now => {
    if (now === connected) return
    connected = now
    log.warn(now ? 'bus reconnected' : 'bus disconnected')
    if (!now) return
    for (const { room, notice } of queuedNotices) nats.publish(subjectOf(room), packNotice(notice))
    queuedNotices = []
    onGap()
  })
  const subscriptions = new Map<RoomName, Subscription>()

  function onData(room: RoomName, error: Error | null, data: Uint8Array) {
    if (error) return log.error({ err: error }, 'bus subscription failed')
    try {
      onNotice(room, unpackNotice(data))
    } catch (cause) {
      log.error({ err: cause }, 'failed to apply a notice of another node')
    }
  }

  return {
    get connected() {
      return connected
    },
    send(room, notice) {
      if (nats.isClosed()) return
      if (connected) return nats.publish(subjectOf(room), packNotice(notice))
      if (isOutdatedSoon(notice)) return
      queuedNotices.push({ room, notice })
      if (queuedNotices.length > maxQueuedNotices) queuedNotices.shift()
    },
    subscribe(room) {
      if (nats.isClosed()) return
      const callback = (error: Error | null, { data }: { data: Uint8Array }) =>
        onData(room, error, data)
      subscriptions.set(room, nats.subscribe(subjectOf(room), { callback }))
    },
    unsubscribe(room) {
      subscriptions.get(room)?.unsubscribe()
      subscriptions.delete(room)
    },
    async listening() {
      // Rejects if the connection breaks: the gap then makes every client reconnect anyway.
      if (connected) await nats.flush().catch(() => {})
    },
    close: () => nats.drain(),
  }
}

function subjectOf(room: RoomName): string {
  return `pitboard.${room.replace(':', '.')}`
}

async function followStatus(nats: NatsConnection, onChange: (connected: boolean) => void) {
  for await (const { type } of nats.status()) {
    if (type === 'disconnect') onChange(false)
    if (type === 'reconnect') onChange(true)
  }
}
