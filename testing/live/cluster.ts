import { rm } from 'node:fs/promises'
import { startPostgres } from '../../scripts/environment/postgres.mjs'
import { newDataDir, startBuiltServer } from '../builtServer.ts'
import { freePort } from '../freePort.ts'
import { createClient } from '../people/client.ts'
import { createPerson, type Person } from '../people/person.ts'
import { startSmtpServer } from '../people/smtp.ts'
import { hasNats, startNats } from './nats.ts'
import { roundRobin } from './roundRobin.ts'
import { TestConnection } from './testConnection.ts'

export type Cluster = NonNullable<Awaited<ReturnType<typeof startCluster>>>
export type Node = Cluster['nodes'][number]

/**
 * Starts three built servers behind one address, with one PostgreSQL and one NATS server. Returns null if one of these
 * is not installed, and prints the reason.
 */
export async function startCluster() {
  const postgres = hasNats ? await startPostgres() : null
  if (!postgres) {
    process.stdout.write(
      'Tests with several nodes are skipped: they need nats-server and PostgreSQL.\n',
    )
    return null
  }
  const cleanups: (() => PromiseLike<void>)[] = [() => postgres.stop()]
  const natsPort = await freePort()
  let nats = await startNats(natsPort)
  cleanups.push(() => nats.stop())
  const mails = await startSmtpServer()
  cleanups.push(() => mails[Symbol.asyncDispose]())
  const dataDir = await newDataDir()
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }))

  const ports = [await freePort(), await freePort(), await freePort()] as const
  const proxy = await roundRobin(ports, await freePort())
  cleanups.push(() => proxy[Symbol.asyncDispose]())
  const natsUrl = `nats://127.0.0.1:${natsPort}`
  const settings = {
    DATABASE_URL: postgres.url,
    NATS_URL: natsUrl,
    SMTP_URL: mails.url,
    PUBLIC_URL: proxy.url,
    LOG_LEVEL: 'silent',
  }
  async function startNode(port: number) {
    const server = await startBuiltServer({ port, dataDir, settings })
    let alive = true
    const kill = async () => {
      if (alive) await server.kill()
      alive = false
    }
    cleanups.push(kill)
    const url = `http://127.0.0.1:${port}`
    return {
      url,
      /** Returns an API client of this user for this node. */
      call: ({ jar }: Pick<Person, 'jar'>) => createClient(url, jar),
      /** Opens a live connection of this user to this node, after its hello. */
      connect: ({ jar }: Person) =>
        new TestConnection(url, { cookie: jar.header, origin: proxy.url }).greet(),
      kill,
    }
  }
  // They start at once, as after a power cut, so that all of them try to migrate the database.
  const nodes = await Promise.all([startNode(ports[0]), startNode(ports[1]), startNode(ports[2])])

  return {
    url: proxy.url,
    databaseUrl: postgres.url,
    natsUrl,
    nodes,
    person: (firstName: string) => {
      const email = `${firstName.toLowerCase()}@example.com`
      return createPerson(proxy.url, mails, { firstName, lastName: 'Tester', email })
    },
    haltDatabase: () => postgres.halt(),
    resumeDatabase: () => postgres.resume(),
    haltBus: () => nats.stop(),
    async resumeBus() {
      nats = await startNats(natsPort)
    },
    async [Symbol.asyncDispose]() {
      for (const cleanup of cleanups.reverse()) await cleanup()
    },
  }
}
