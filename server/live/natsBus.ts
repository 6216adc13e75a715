import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import type { Room } from '#contract/live.ts'
import type { Log } from '../log.ts'
import type { Bus, Notice } from './bus.ts'

interface Settings {
  url: string
  log: Log
  /** Another node said something of a room. */
  hear(room: Room, notice: Notice): void
  /** Something may have been missed: who listens needs a new snapshot. */
  onGap(): void
}

/** The bus between nodes over NATS core: at most once, in order per sender. Throws when nobody answers at `url`. */
export async function connectNats({ url, log, hear, onGap }: Settings): Promise<Bus> {
  const nats = await connect({
    servers: url,
    name: 'pitboard',
    // What a node says itself it has already done.
    noEcho: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    // A silent connection is given up after two unanswered pings.
    pingInterval: 5000,
    maxPingOut: 2,
  })
  void followStatus(nats, log, onGap)
  const subscriptions = new Map<Room, Subscription>()
  return {
    send(room, notice) {
      if (!nats.isClosed()) nats.publish(subjectOf(room), JSON.stringify(notice))
    },
    subscribe(room) {
      const callback = (error: Error | null, message: { json<T>(): T }) => {
        if (error) return log.error({ err: error }, 'the bus refused a subscription')
        hear(room, message.json<Notice>())
      }
      subscriptions.set(room, nats.subscribe(subjectOf(room), { callback }))
    },
    unsubscribe(room) {
      subscriptions.get(room)?.unsubscribe()
      subscriptions.delete(room)
    },
    close: () => nats.drain(),
  }
}

function subjectOf(room: Room): string {
  return `pitboard.${room.replace(':', '.')}`
}

async function followStatus(nats: NatsConnection, log: Log, onGap: () => void) {
  for await (const { type } of nats.status()) {
    if (type === 'disconnect') log.warn('the bus is away')
    if (type === 'reconnect') {
      log.warn('the bus is back')
      onGap()
    }
  }
}
