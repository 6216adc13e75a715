import { startPostgres } from '../../scripts/environment/postgres.mjs'
import { tcpProxy } from '../tcpProxy.ts'

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

/** Starts a proxy to the server. While it has vanished it drops all data and keeps connections open. */
async function networkTo(databaseUrl: string) {
  const url = new URL(databaseUrl)
  let isThere = true
  const proxy = await tcpProxy(Number(url.port), (from, to) => {
    from.on('data', data => isThere && to.write(data))
    from.once('close', () => to.destroy())
  })
  url.port = String(proxy.port)
  return {
    ...proxy,
    /** The database URL through this proxy. */
    url: url.href,
    dropPackets() {
      isThere = false
    },
    restore() {
      isThere = true
    },
  }
}
