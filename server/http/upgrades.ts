import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal } from '#contract/refusal.ts'
import type { Log } from '../log.ts'
import type { CallLimits } from './callLimits.ts'
import { isOurOrigin } from './xsrf.ts'

/** Takes over the connection of a request that wants to speak another protocol. */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) => Promise<void>

export interface Upgrades {
  /** Who answers at this path, exactly. */
  at(path: string, take: UpgradeHandler): void
  /** Answers nobody any more. */
  close(): void
}

interface Settings {
  publicUrl(): string
  log: Log
  limits: Pick<CallLimits, 'countUpgrade'>
}

/** Every WebSocket of the server begins here: by its path, and only from pages of our own. */
export function openUpgrades(server: Server, { publicUrl, log, limits }: Settings): Upgrades {
  const taken = new Map<string, UpgradeHandler>()

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const path = request.url?.split('?', 1)[0] ?? ''
    const take = taken.get(path)
    if (!take) return refuseUpgrade(socket, 404)
    if (!isOurOrigin(request.headers, publicUrl())) return refuseUpgrade(socket, 403)
    limits.countUpgrade(request)
    await take(request, socket, head)
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', destroy)
    upgrade(request, socket, head).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'too-many') return refuseUpgrade(socket, 429)
      log.error({ err: error }, 'an upgrade failed')
      refuseUpgrade(socket, 503)
    })
  }
  server.on('upgrade', onUpgrade)

  return {
    at: (path, take) => void taken.set(path, take),
    close: () => server.off('upgrade', onUpgrade),
  }
}

// One function for all sockets: ten thousand closures are a megabyte.
function destroy(this: Duplex) {
  this.destroy()
}

export function refuseUpgrade(socket: Duplex, status: 401 | 403 | 404 | 429 | 503) {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
