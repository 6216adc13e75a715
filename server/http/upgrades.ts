import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal } from '#contract/refusal.ts'
import type { Log } from '../log.ts'
import type { CallLimits } from './callLimits.ts'
import { isOurOrigin } from './xsrf.ts'

/** Handles an upgrade request and takes ownership of its socket. */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Promise<void>

export interface Upgrades {
  /** Registers the handler of this exact path. */
  handle(path: string, handler: UpgradeHandler): void
  /** Stops handling upgrade requests. */
  close(): void
}

interface Settings {
  publicUrl(): string
  log: Log
  limits: Pick<CallLimits, 'countUpgrade'>
}

/** Routes WebSocket upgrade requests by path, and refuses requests from pages of other origins. */
export function openUpgrades(server: Server, { publicUrl, log, limits }: Settings): Upgrades {
  const handlers = new Map<string, UpgradeHandler>()

  function refuse(socket: Duplex, status: Parameters<typeof refuseUpgrade>[1]) {
    log.debug({ status }, 'upgrade request refused')
    refuseUpgrade(socket, status)
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const path = request.url?.split('?', 1)[0] ?? ''
    const handle = handlers.get(path)
    if (!handle) return refuse(socket, 404)
    if (!isOurOrigin(request.headers, publicUrl())) return refuse(socket, 403)
    limits.countUpgrade(request)
    await handle(request, socket, head)
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', destroyOnError)
    upgrade(request, socket, head).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'too-many') return refuse(socket, 429)
      log.error({ err: error }, 'failed to handle an upgrade request')
      refuseUpgrade(socket, 503)
    })
  }
  server.on('upgrade', onUpgrade)

  return {
    handle: (path, handler) => void handlers.set(path, handler),
    close: () => server.off('upgrade', onUpgrade),
  }
}

/**
 * Destroys a socket that fails while it is upgraded. A handler may remove this listener once the socket has another
 * one. It is shared, because a closure for each of 10,000 sockets would take 1 MB.
 */
export function destroyOnError(this: Duplex) {
  this.destroy()
}

export function refuseUpgrade(socket: Duplex, status: 401 | 403 | 404 | 429 | 503) {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
