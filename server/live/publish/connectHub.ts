import { randomUUID } from 'node:crypto'
import type { Clock } from '#contract/shared/clock.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { type Config, SettingsRefused } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { type Bus, type BusHooks, noopBus } from './bus.ts'
import { frameEvent } from './frame.ts'
import { Hub } from './hub.ts'
import { applyNotice } from './live.ts'
import { connectNats } from './natsBus.ts'
import { Presence } from './presence.ts'

interface Options {
  config: Config
  log: Log
  clock: Clock
  /** Connects this node to the others. Defaults to NATS if `config.natsUrl` is set, otherwise to nothing. */
  connectBus?: ((hooks: BusHooks) => Promise<Bus>) | undefined
}

/** Creates this node's hub, connected to the other nodes if there are any. */
export async function connectHub({
  config,
  log,
  clock,
  connectBus = connectToNats(config, log),
}: Options) {
  // The hub and the bus need each other: the hub subscribes to rooms on the bus, which delivers their
  // events.
  let bus: Bus = noopBus
  const node = randomUUID()
  const presence = new Presence({
    clock,
    publish: (room, event) => hub.publish(room, frameEvent(event)),
    ...(connectBus && {
      announce: (room, users) => bus.send(room, { do: 'watching', node, users }),
    }),
  })
  const hub: Hub = new Hub(
    { opened: room => bus.subscribe(room), closed: room => bus.unsubscribe(room) },
    presence,
  )
  if (connectBus) {
    bus = await connectBus({
      onNotice: (room, notice) => applyNotice(hub, room, notice),
      // Sign-outs may have been missed too: every client reconnects, is authenticated again, and takes a
      // snapshot.
      onGap: () => forceReconnectAll(hub, clock),
    })
  }
  if (config.natsUrl && !config.s3)
    log.warn('files are stored in DATA_DIR: all nodes must share this folder, or use an S3 store')
  return { hub, bus, isCluster: connectBus !== undefined }
}

function connectToNats({ natsUrl: url }: Config, log: Log) {
  if (url === undefined) return undefined
  return (hooks: BusHooks) =>
    connectNats({ url, log, ...hooks }).catch((error: Error) => {
      throw new SettingsRefused(`NATS_URL: cannot connect to the NATS server (${error.message})`)
    })
}

/** Ten thousand connections that reconnect at once would each query their login and snapshots. */
const batchSize = 200
const batchIntervalMs = 100

/**
 * Closes every connection of this node, in batches. Each client reconnects, is authenticated again and
 * receives new snapshots.
 */
function forceReconnectAll(hub: Hub, clock: Clock) {
  const connections = hub.connections()
  function next() {
    for (const connection of connections.splice(0, batchSize)) connection.close(CloseCode.goingAway)
    if (connections.length > 0) clock.after(batchIntervalMs, next)
  }
  next()
}
