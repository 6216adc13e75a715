import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { maxBatchBytes } from '#contract/shared/timingRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { steppedClock } from '#testing/live/heldClock.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'

let app: TestApp
let ana: Person
/** Lets a connection send more batches. */
const clock = steppedClock()

beforeAll(async () => {
  app = await testApp(undefined, undefined, clock)
  ana = await app.person('Ana')
})
afterAll(() => app[Symbol.asyncDispose]())

async function newRace() {
  const team = await createTeam(ana, [], 'Timed')
  const raceId = await createRace(ana, team.id)
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  return raceId
}

/** Opens the WebSocket of a race, as a program with this token. */
async function program(raceId: string, token?: string) {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/live/timing?race=${raceId}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  onTestFinished(() => socket.terminate())
  const answers: unknown[] = []
  socket.on('message', (data: Buffer) => answers.push(JSON.parse(data.toString())))
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  await once(socket, 'open')
  return {
    socket,
    answers,
    closed,
    send: (frame: unknown) =>
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
  }
}

async function tokenOf(person: Person, scopes: ('timing' | 'read')[] = ['timing']) {
  return (await person.call.auth.createToken({ name: 'Club', scopes })).token
}

const update = { run: 'Race 1', race: { flag: 'Green' }, cars: [{ number: '17', laps: 3 }] }

test('batches are stored in their order, and each counts once', async () => {
  const raceId = await newRace()
  const { send, answers } = await program(raceId, await tokenOf(ana))
  send({ number: 7, update })
  send({ number: 7, update: { race: { flag: 'Red' } } })
  send({ number: 8, lines: ['$G,1,"17",4,"00:08:00.000"', 'nonsense'] })
  await expect.poll(() => answers).toEqual([{ number: 7 }, { number: 7 }, { number: 8 }])
  expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({
    skippedLines: 1,
    run: { name: 'Race 1', flag: 'Green', standings: [{ number: '17', laps: 4 }] },
  })
  // Another connection continues where this one has ended.
  const next = await program(raceId, await tokenOf(ana))
  next.send({ number: 8, update: { race: { flag: 'Red' } } })
  await expect.poll(() => next.answers).toEqual([{ number: 8 }])
})

test.each([
  ['{"number":1', 'invalid-input'],
  ['[]', 'invalid-input'],
  [{ number: 0, update }, 'invalid-input'],
  [{ number: 1 }, 'invalid-input'],
  [{ number: 1, update: { cars: [{ number: '17', laps: -1 }] } }, 'invalid-input'],
])('a message that is not a batch is refused with a reason: %j', async (frame, reason) => {
  const raceId = await newRace()
  const { send, answers, closed } = await program(raceId, await tokenOf(ana))
  send(frame)
  send({ number: 2, update })
  expect(await closed).toEqual({ code: 1008, reason })
  expect(answers).toMatchObject([{ code: reason }])
  expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({ run: null })
})

test('only a valid token with the scope, of a member, opens the socket', async () => {
  const raceId = await newRace()
  const leo = await app.person('Leo')
  const final = { code: CloseCode.signedOut }
  expect(await (await program(raceId)).closed).toMatchObject(final)
  const reader = await program(raceId, await tokenOf(ana, ['read']))
  expect(await reader.closed).toEqual({ ...final, reason: 'insufficient-scope' })
  const stranger = await program(raceId, await tokenOf(leo))
  expect(await stranger.closed).toEqual({ code: 1008, reason: 'not-a-member' })
  const noRace = await program('x', await tokenOf(ana))
  expect(await noRace.closed).toEqual({ code: 1008, reason: 'invalid-input' })

  const { send, answers, closed } = await program(raceId, await tokenOf(ana))
  send({ number: 1, update })
  await expect.poll(() => answers).toEqual([{ number: 1 }])
  for (const { id, device } of await ana.call.auth.logins())
    if (device !== null) await ana.call.auth.endLogin({ loginId: id })
  send({ number: 2, update: { race: { flag: 'Red' } } })
  expect(await closed).toEqual({ ...final, reason: 'not-signed-in' })
  expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({ run: { flag: 'Green' } })
})

test('a race with another source is refused with the reason', async () => {
  const raceId = await newRace()
  const { send, closed } = await program(raceId, await tokenOf(ana))
  await ana.call.timing.setSource({ raceId, source: null })
  send({ number: 1, update })
  expect(await closed).toEqual({ code: 1008, reason: 'timing-not-pushed' })
})

test('size, rate and connections are bounded', async () => {
  const raceId = await newRace()
  const token = await tokenOf(ana)
  const large = await program(raceId, token)
  large.send('x'.repeat(maxBatchBytes + 1))
  expect(await large.closed).toMatchObject({ code: 1009 })
  const fast = await program(raceId, token)
  for (let number = 1; number <= 100; number++) fast.send({ number, update })
  expect(await fast.closed).toEqual({ code: CloseCode.tooMany, reason: 'too-many' })
  const programs = await Promise.all(Array.from({ length: 8 }, () => program(raceId, token)))
  const ninth = await program(raceId, token)
  expect(await ninth.closed).toEqual({ code: CloseCode.tooMany, reason: 'too-many' })
  programs[0]?.socket.close()
  await programs[0]?.closed
  const { send, answers } = await program(raceId, token)
  send({ number: 1000, update })
  await expect.poll(() => answers).toEqual([{ number: 1000 }])
})

test('batches wait for a slow database only up to a limit', async () => {
  const raceId = await newRace()
  const { socket, send, closed } = await program(raceId, await tokenOf(ana))
  let release = () => {}
  const isReleased = new Promise<void>(resolve => {
    release = resolve
  })
  onTestFinished(() => release())
  await new Promise<void>((resolve, reject) => {
    const lock = app.database.db.transaction().execute(async trx => {
      const feed = trx.selectFrom('race_timings').select('id').where('race_id', '=', raceId)
      await feed.forUpdate().execute()
      resolve()
      await isReleased
    })
    lock.catch(reject)
  })
  for (let number = 1; number <= 20; number++) send({ number, update })
  socket.ping()
  await once(socket, 'pong')
  clock.pass(60_000)
  send({ number: 21, update })
  expect(await closed).toEqual({ code: CloseCode.tooMany, reason: 'too-many' })
  release()
  // The one that was being stored counts.
  const { timing } = ana.call
  await expect.poll(async () => (await timing.ofRace({ raceId })).run?.flag).toBe('Green')
})
