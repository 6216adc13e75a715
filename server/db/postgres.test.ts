import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { isDatabaseAway } from './errors.ts'
import { openPostgres } from './postgres.ts'

const postgres = await startPostgres()
const silenceMs = 300

describe.runIf(postgres)('a PostgreSQL server whose machine vanishes', () => {
  afterAll(() => postgres?.stop())

  test('is given up, and what is asked next comes by a new connection', async () => {
    await using network = await networkTo(postgres!.url)
    const database = await openPostgres(network.url, () => undefined, silenceMs)
    network.vanish()
    const error = await database.ping().catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'ETIMEDOUT' })
    expect(isDatabaseAway(error)).toBe(true)

    network.comeBack()
    await database.ping()
    await database.close()
  })

  test('one that breaks while it is used fails its statement, and nothing else', async () => {
    await using network = await networkTo(postgres!.url)
    const database = await openPostgres(network.url, () => undefined)
    const inTransaction = database.db.transaction().execute(async transaction => {
      network.cut()
      await sql`select 1`.execute(transaction)
    })
    await expect(inTransaction).rejects.toSatisfy(isDatabaseAway)
    await database.ping()
    await database.close()
  })

  test('a migration may take as long as it likes, and what comes after it may not', async () => {
    const database = await openPostgres(postgres!.url, () => undefined, silenceMs)
    const slow = () => sql`select pg_sleep(${(silenceMs * 3) / 1000})`.execute(database.db)
    await database.patiently(slow)
    await expect(slow()).rejects.toThrow('not said anything')
    await database.close()
  })
})

/** A way to the server on which, while it has vanished, nothing comes through, and nobody says so. */
async function networkTo(databaseUrl: string) {
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
    vanish: () => (isThere = false),
    comeBack: () => (isThere = true),
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
