import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { timingServer } from '#testing/timingServer.ts'

let app: TestApp
let source: Awaited<ReturnType<typeof timingServer>>
beforeAll(async () => {
  app = await testApp()
  source = await timingServer()
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

function startRelay(words: readonly string[]) {
  const relay = spawn(process.execPath, [join(import.meta.dirname, 'relay.mjs'), ...words])
  let output = ''
  for (const stream of [relay.stdout, relay.stderr])
    stream.on('data', data => {
      output += String(data)
    })
  return { relay, output: () => output }
}

/** A race whose source is push. */
async function pushedRace() {
  const ana = await app.person('Ana')
  const { id: teamId } = await createTeam(ana, [], 'Timed')
  const raceId = randomUUID()
  const race = { id: raceId, name: 'Zolder', length: null, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race })
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  return { ana, raceId }
}

test('the relay sends the lines of a timekeeper, also after both connections were lost', async () => {
  const { ana, raceId } = await pushedRace()
  const { token } = await ana.call.auth.createToken({ name: 'Relay', scopes: ['timing'] })
  const from = ['--from', `127.0.0.1:${source.port}`]
  const connected = source.connected()
  const to = ['--to', app.url, '--race', raceId, '--token', token]
  const { relay, output } = startRelay([...from, ...to])
  try {
    await connected
    const flag = '$F,9999,"01:00:00","14:00:00","","Green "'
    source.send('$B,5,"Race 1"', '$A,"1","17",1,"","","",1', '$G,1,"1",1,"00:02:00.000"')
    const until = (run: object) =>
      vi.waitFor(
        async () => expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({ run }),
        { timeout: 10_000, interval: 50 },
      )
    await until({ name: 'Race 1', standings: [{ number: '17', laps: 1 }] })
    const again = source.connected()
    source.drop()
    await again
    source.send('$G,1,"1",2,"00:04:00.000"', flag)
    await until({ standings: [{ number: '17', laps: 2, lastMs: 120_000 }] })
    await ana.call.timing.setSource({ raceId, source: null })
    const ended = once(relay, 'exit')
    source.send('$G,1,"1",3,"00:06:00.000"')
    expect((await ended)[0]).toBe(1)
    expect(output()).toContain('This race has another source of official timing.')
  } finally {
    relay.kill()
  }
})

test('a batch that is sent again says how old it is', async () => {
  const batches: { number: number; lines: string[]; ageMs: number }[] = []
  const server = createServer((request, response) => {
    void text(request).then(body => {
      const batch = JSON.parse(body)
      batches.push(batch)
      response.writeHead(batches.length === 1 ? 503 : 200)
      response.end(JSON.stringify({ number: batch.number }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connected = source.connected()
  const from = ['--from', `127.0.0.1:${source.port}`]
  const to = ['--to', `http://127.0.0.1:${port}`, '--race', randomUUID(), '--token', 'x']
  const { relay } = startRelay([...from, ...to])
  try {
    await connected
    source.send('$B,5,"Race 1"')
    await vi.waitFor(() => expect(batches).toHaveLength(2), { timeout: 20_000, interval: 50 })
    const [first, again] = batches
    expect(again).toMatchObject({ number: first?.number, lines: first?.lines })
    // It waits for two seconds.
    expect((again?.ageMs ?? 0) - (first?.ageMs ?? 0)).toBeGreaterThan(1900)
  } finally {
    relay.kill()
    server.close()
  }
})

test('long lines fit into batches, and a clock that was ahead loses nothing', async () => {
  const { ana, raceId } = await pushedRace()
  const tomorrow = Date.now() + 24 * 60 * 60_000
  await ana.call.timing.push({ raceId, number: tomorrow, lines: ['$B,5,"Race 1"'] })
  const { token } = await ana.call.auth.createToken({ name: 'Relay', scopes: ['timing'] })
  const connected = source.connected()
  const from = ['--from', `127.0.0.1:${source.port}`]
  const { relay } = startRelay([...from, '--to', app.url, '--race', raceId, '--token', token])
  try {
    await connected
    source.send(...Array.from({ length: 300 }, () => '"'.repeat(1999)))
    source.send('$A,"1","17",1,"","","",1', '$G,1,"1",1,"00:02:00.000"')
    source.send('$F,9999,"01:00:00","14:00:00","","Green "')
    await vi.waitFor(
      async () =>
        expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({
          skippedLines: 300,
          run: { name: 'Race 1', standings: [{ number: '17', laps: 1 }] },
        }),
      { timeout: 20_000, interval: 500 },
    )
  } finally {
    relay.kill()
  }
})

test('a wrong command line is refused with the right one', async () => {
  const { relay, output } = startRelay(['--from', 'timing.local'])
  expect((await once(relay, 'exit'))[0]).toBe(2)
  expect(output()).toContain('--from HOST:PORT')
})
