import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { startPostgres } from '../../scripts/environment/postgres.mjs'

/** A proxy to the server. While it has vanished it drops all data and keeps connections open. */
interface Network extends AsyncDisposable {
  /** The database URL through this proxy. */
  url: string
  dropPackets(): void
  restore(): void
  /** Closes all connections at once. */
  closeConnections(): void
}

/** Starts a PostgreSQL server behind proxies that can fail. Null if PostgreSQL is not installed. */
export async function proxiedPostgres() {
  const postgres = await startPostgres()
  if (!postgres) return null
  return {
    url: postgres.url,
    programs: postgres.programs,
    network: () => networkTo(postgres.url),
    halt: () => postgres.halt(),
    resume: () => postgres.resume(),
    stop: () => postgres.stop(),
  }
}

async function networkTo(databaseUrl: string): Promise<Network> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isThere = true
  const proxy = createServer(client => {
    const server = connect(Number(port), hostname)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('data', data => isThere && to.write(data))
      from.on('error', () => undefined)
      from.once('close', () => to.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((proxy.address() as { port: number }).port)
  return {
    url: url.href,
    dropPackets() {
      isThere = false
    },
    restore() {
      isThere = true
    },
    closeConnections() {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
