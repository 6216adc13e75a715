import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { migratedDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { fix } from '#testing/live/liveScene.ts'
import { createPerson } from '#testing/people/person.ts'
import { openDatabase } from '../db/engines/open.ts'

/** Throws an uncaught error in the server's process on a signal. */
const thrower = "process.on('SIGUSR2', () => { throw new TypeError('made by the test') })"
const rejecter =
  "process.on('SIGUSR2', () => { Promise.reject(new TypeError('made by the test')) })"

test.each([
  ['an uncaught error', thrower],
  ['an unhandled rejection', rejecter],
])('%s ends the server cleanly, with all recorded fixes stored', async (_what, script) => {
  const dataDir = await migratedDataDir()
  const server = await startBuiltServer({
    dataDir,
    settings: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` },
  })
  try {
    const leo = await createPerson(server.url, server.mails, {
      firstName: 'Leo',
      lastName: 'Tester',
      email: 'leo@example.com',
    })
    const team = await leo.call.teams.create({ name: 'Night Owls' })
    const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
    const line = await (await leo.connect()).drive(session.id)
    const sent = fix()
    line.send(sent)
    line.send({ t: 'heartbeat', at: 1 })
    await line.next('heartbeat')

    process.kill(server.pid, 'SIGUSR2')
    expect(await line.closed()).toBe(CloseCode.goingAway)
    expect(await server.exited).toBe(1)

    const database = await openDatabase({ databaseUrl: undefined, dataDir, onWarning: () => {} })
    try {
      const rows = await database.db.selectFrom('positions').select('at').execute()
      expect(rows.map(({ at }) => at.getTime())).toEqual([sent.at])
    } finally {
      await database.close()
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
