import { rm } from 'node:fs/promises'
import { type BuiltServer, newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { type NodeChannel, nodeChannel } from '../sim/nodeChannel.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const people = 100
/** The limit of connections per user. */
const connectionsEach = 20

export const bench: Bench = {
  question: 'how soon 2,000 clients reconnect after the server was killed',
  async run() {
    const dataDir = await newDataDir()
    let server = await startBuiltServer({ dataDir })
    const port = Number(new URL(server.url).port)
    const connections: NodeChannel[] = []
    let openedAt: number[] = []
    let attempts = 0
    try {
      for (let n = 0; n < people; n++) {
        const { token, userId } = await deviceLogin(server, `driver${n}@northline.example`)
        for (let each = 0; each < connectionsEach; each++) {
          const connection = nodeChannel({
            server: { url: server.url, token },
            userId,
            report: problem => console.error(problem),
            onAttempt: () => {
              attempts += 1
            },
          })
          const { channel } = connection
          channel.onConnectionState(() => {
            if (channel.connectionState.status === 'open') openedAt.push(performance.now())
          })
          connections.push(connection)
          channel.start()
        }
      }
      await allOpen(() => openedAt.length)
      openedAt = []
      attempts = 0
      await server.kill()
      server = await startBuiltServer({ dataDir, port })
      const readyAt = performance.now()
      await allOpen(() => openedAt.length)
      const backMs = openedAt.map(at => at - readyAt)
      return {
        connections: connections.length,
        firstBackMs: percentile(backMs, 0),
        medianBackMs: percentile(backMs, 50),
        lastBackMs: percentile(backMs, 100),
        attemptsPerConnection: Math.round((attempts / connections.length) * 10) / 10,
      }
    } finally {
      await Promise.all(connections.map(connection => connection.stop()))
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

async function deviceLogin({ url, mails }: BuiltServer, email: string) {
  const { auth } = createClient(url, new CookieJar())
  await auth.sendCode({ email, firstName: 'Driver', lastName: 'Tester' })
  const code = await mails.nextCode(email)
  const { token, user } = await auth.verifyCode({ email, code, device: 'bench' })
  if (!token) throw new Error('The response has no device token.')
  return { token, userId: user.id }
}

async function allOpen(count: () => number) {
  while (count() < people * connectionsEach) await new Promise(resolve => setTimeout(resolve, 20))
}
