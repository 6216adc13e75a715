import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { maxTimingLetters } from '#contract/shared/timingRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { expected, laps, start } from '#testing/timedField.ts'
import { timingServer } from '#testing/timingServer.ts'
import { readConfig } from '../config.ts'

let app: TestApp
let ana: Person
let source: Awaited<ReturnType<typeof timingServer>>

beforeAll(async () => {
  source = await timingServer()
  app = await testApp({
    timingHosts: [`127.0.0.1:${source.port}`],
    timingPresets: [{ name: 'Zolder', host: 'timing.example.com', port: 50_000 }],
  })
  ana = await app.person('Ana')
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await source[Symbol.asyncDispose]()
})

const newRace = async () => createRace(ana, (await createTeam(ana, [], 'Timed')).id)

test('members may choose a timekeeper that the operator knows', async () => {
  expect(await ana.call.timing.presets({})).toEqual([
    { name: 'Zolder', host: 'timing.example.com', port: 50_000 },
  ])
  expect(readConfig({}).timingPresets).toEqual([])
  const text = 'Zolder=timing.example.com:50000, Spa 24 h=10.0.0.5:50001'
  expect(readConfig({ TIMING_PRESETS: text }).timingPresets).toEqual([
    { name: 'Zolder', host: 'timing.example.com', port: 50_000 },
    { name: 'Spa 24 h', host: '10.0.0.5', port: 50_001 },
  ])
  expect(() => readConfig({ TIMING_PRESETS: 'Zolder' })).toThrow('TIMING_PRESETS must be')
})

test('the token of a provider is stored, replaced, deleted and never returned', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  const source = { kind: 'racehero' as const, eventId: '3134' }
  const missing = { fields: { token: 'timing-token-missing' } }
  await expect(timing.setSource({ raceId, source })).rejects.toMatchObject(missing)
  const set = (eventId: string, token?: string) =>
    timing.setSource({ raceId, source: { ...source, eventId }, ...(token && { token }) })
  const stored = () =>
    app.database.db
      .selectFrom('race_timings')
      .select(['secret', 'id'])
      .where('race_id', '=', raceId)
      .executeTakeFirstOrThrow()
  const answer = await set('3134', 'secret-1')
  expect(answer.source).toEqual(source)
  expect(JSON.stringify(answer)).not.toContain('secret-1')
  const first = await stored()
  await set('3134', 'secret-2')
  expect(await stored()).toEqual({ secret: 'secret-2', id: first.id })
  await set('99')
  expect(await stored()).toMatchObject({ secret: 'secret-2' })
  const again = await timing.setSource({ raceId, source, token: null })
  expect(again).toMatchObject({ source, failure: 'no-token' })
  expect(await stored()).toMatchObject({ secret: null })
  await expect(timing.setSource({ raceId, source })).rejects.toMatchObject(missing)
  // Another provider does not receive it.
  const other = { kind: 'race-monitor' as const, raceId: '1' }
  await expect(timing.setSource({ raceId, source: other })).rejects.toMatchObject(missing)
  await timing.setSource({ raceId, source: { kind: 'push' }, token: 'secret-3' })
  expect(await stored()).toMatchObject({ secret: null })
})

test('a recorded file and a real source never mix', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  const played = { kind: 'recorded' as const, id: randomUUID(), speed: 10 }
  await timing.setSource({ raceId, source: played })
  const push = (recordedId?: string) =>
    timing.push({
      raceId,
      number: 1,
      lines: start,
      ...(recordedId !== undefined && { recordedId }),
    })
  const notPushed = { detail: 'timing-not-pushed' }
  await expect(push()).rejects.toMatchObject(notPushed)
  await push(played.id)
  expect(await timing.ofRace({ raceId })).toMatchObject({ source: played, run: { flag: 'Green' } })
  // Played again by another person: the feed is empty, and the first one stops.
  const again = { ...played, id: randomUUID() }
  expect(await timing.setSource({ raceId, source: again })).toMatchObject({ run: null })
  await expect(push(played.id)).rejects.toMatchObject(notPushed)
  await timing.setSource({ raceId, source: { kind: 'push' } })
  await expect(push(again.id)).rejects.toMatchObject(notPushed)
  expect(await timing.ofRace({ raceId })).toMatchObject({ run: null })
})

test('a full source connects again when it is set again and the team has room', async () => {
  const raceId = await newRace()
  const rmonitor = { kind: 'rmonitor' as const, host: '10.0.0.1', port: 50_000 }
  await ana.call.timing.setSource({ raceId, source: rmonitor })
  const { db } = app.database
  await db
    .updateTable('race_timings')
    .set({ failure: 'full' })
    .where('race_id', '=', raceId)
    .execute()
  await ana.call.timing.setSource({ raceId, source: rmonitor })
  expect((await ana.call.timing.ofRace({ raceId })).failure).not.toBe('full')
  await ana.call.timing.setSource({ raceId, source: null })
})

test('the server connects to RMonitor, and again when the connection is lost', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  const rmonitor = { kind: 'rmonitor' as const, host: '127.0.0.1', port: source.port }
  const connected = source.connected()
  await timing.setSource({ raceId, source: rmonitor })
  await connected
  source.send(...start, 'a\0b')
  const until = (result: object) =>
    vi.waitFor(async () => expect(await timing.ofRace({ raceId })).toMatchObject(result), {
      timeout: 10_000,
      interval: 50,
    })
  await until({ source: rmonitor, failure: null, run: { flag: 'Green' } })
  const again = source.connected()
  source.drop()
  await again
  source.send('$I,"14:03:00","1 May 26"', ...start.slice(0, 4), ...laps)
  await until({ ...expected, skippedLines: 1 })
  const { connections } = source
  expect(connections).toBe(1)
  await timing.setSource({ raceId, source: null })
  await vi.waitFor(() => expect(source.connections).toBe(0), { timeout: 10_000 })
})

test.each([
  ['127.0.0.1', 9, 'not-allowed'],
  ['10.0.0.1', 50_000, 'not-allowed'],
  ['localhost', 50_000, 'unreachable'],
])('a source at %s:%i is %s', async (host, port, failure) => {
  const raceId = await newRace()
  const { timing } = ana.call
  await timing.setSource({ raceId, source: { kind: 'rmonitor', host, port } })
  await vi.waitFor(async () => expect(await timing.ofRace({ raceId })).toMatchObject({ failure }), {
    timeout: 10_000,
  })
  await timing.setSource({ raceId, source: null })
})

test('a source that sends more than a race may store is reported as full', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  const connected = source.connected()
  const rmonitor = { kind: 'rmonitor' as const, host: '127.0.0.1', port: source.port }
  await timing.setSource({ raceId, source: rmonitor })
  await connected
  await app.database.db
    .updateTable('race_timings')
    .set({ letters: maxTimingLetters })
    .where('race_id', '=', raceId)
    .execute()
  source.send(...start)
  await vi.waitFor(
    async () => expect(await timing.ofRace({ raceId })).toMatchObject({ failure: 'full' }),
    { timeout: 10_000, interval: 200 },
  )
  await timing.setSource({ raceId, source: null })
  await vi.waitFor(() => expect(source.connections).toBe(0), { timeout: 10_000 })
})
