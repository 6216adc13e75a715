import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { maxTimingLetters } from '#contract/shared/timingRules.ts'
import { stoppedClock } from '#testing/clock.ts'
import { newDatabase, type TestDatabase, testDatabase } from '#testing/database/database.ts'
import { timedRace, timingNode } from '#testing/timingNode.ts'
import { timingServer } from '#testing/timingServer.ts'
import { storeSource } from './batches.ts'

let database: TestDatabase
let source: Awaited<ReturnType<typeof timingServer>>

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  source = await timingServer()
  return () => source[Symbol.asyncDispose]()
})

const node = (clock = stoppedClock(), timingHosts: string[] | 'any' = ['127.0.0.1']) =>
  timingNode(database.open, { clock, timingHosts })

/** A race whose timing comes from the source. */
const newRace = () =>
  timedRace(database.open, { kind: 'rmonitor', host: '127.0.0.1', port: source.port })

test('lines come through one node, also if the last one notices late that it lost it', async () => {
  const race = await newRace()
  const clock = stoppedClock()
  const [first, second] = [node(clock), node(clock)]
  const connected = source.connected()
  first.look()
  await connected
  clock.pass(10_000)
  const taken = source.connected()
  second.look()
  await taken
  source.send('$I,"14:00:00","1 May 26"')
  await vi.waitFor(async () => {
    second.store()
    expect(await race.stored()).toEqual({ newest: 1, failure: null })
  })
  first.look()
  await vi.waitFor(() => expect(source.connections).toBe(1))
  await first.connections.close()
  expect(await race.stored()).toEqual({ newest: 1, failure: null })
})

test('a race that has stored all it may is not connected again, and says so', async () => {
  const race = await newRace()
  const { look, store } = node()
  const connected = source.connected()
  look()
  await connected
  await database.open.db
    .updateTable('race_timings')
    .set({ letters: maxTimingLetters })
    .where('race_id', '=', race.id)
    .execute()
  source.send('$I,"14:00:00","1 May 26"')
  await vi.waitFor(() => {
    store()
    expect(source.connections).toBe(0)
  })
  await vi.waitFor(async () => expect(await race.stored()).toMatchObject({ failure: 'full' }))
  const other = await newRace()
  const next = source.connected()
  look()
  await next
  expect(source.connections).toBe(1)
  expect(await race.stored()).toMatchObject({ failure: 'full' })
  expect(await other.stored()).toMatchObject({ failure: null })
})

test.each([
  ['its team is deleted', 'teams', 'deleted_at'],
  ['it has ended', 'races', 'ended_at'],
] as const)('a race is connected until %s', async (_, table, column) => {
  const race = await newRace()
  const { look } = node()
  const connected = source.connected()
  look()
  await connected
  await database.open.db
    .updateTable(table)
    .set({ [column]: new Date() })
    .where('id', '=', table === 'teams' ? race.teamId : race.id)
    .execute()
  look()
  await vi.waitFor(() => expect(source.connections).toBe(0))
  expect(await race.stored()).toMatchObject({ failure: null })
})

test('in a paddock a source may have a private address', async () => {
  await newRace()
  const connected = source.connected()
  node(stoppedClock(), 'any').look()
  await connected
  expect(source.connections).toBe(1)
})

test('a race that is gone gets no source', async () => {
  const { db } = database.open
  const gone = db
    .transaction()
    .execute(trx => storeSource(trx, { raceId: randomUUID(), source: { kind: 'push' }, now: 0 }))
  await expect(gone).rejects.toMatchObject({ code: 'not-a-member' })
})

test('a node ends although its database has', async () => {
  await using gone = await newDatabase()
  const { connections } = timingNode(gone.open)
  await gone.open.close()
  await expect(connections.close()).resolves.toBeUndefined()
})
