import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { fix, type LiveScene, liveScene, phoneState } from '#testing/live/liveScene.ts'
import { patience } from '#testing/patience.ts'

let scene: LiveScene
/** Start of the test's session: five minutes ago. */
let start: number
let sessionId: string

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  const { session } = await scene.newSession()
  sessionId = session.id
  start = session.startedAt - 300_000
  await scene.app.database.db
    .updateTable('sessions')
    .set({ date_started: new Date(start) })
    .where('id', '=', session.id)
    .execute()
})

function fixesAt(...times: number[]): Fix[] {
  return times.map(at => ({ at, latitude: 50.4, longitude: 5.97, speedKmh: 150, accuracyM: 4 }))
}

async function store(fixes: Fix[]): Promise<number> {
  return (await scene.leo.call.sessions.storeFixes({ sessionId, fixes })).stored
}

function storedTimes() {
  return scene.app.database.db
    .selectFrom('positions')
    .select('at')
    .where('session_id', '=', sessionId)
    .orderBy('at')
    .execute()
    .then(rows => rows.map(({ at }) => at.getTime()))
}

test('fixes from a clock slightly ahead are stored (F7)', async () => {
  const ahead = Date.now() + 3000
  expect(await store(fixesAt(start - 3000, ahead, ahead + 60_000))).toBe(2)
  expect(await storedTimes()).toEqual([start - 3000, ahead])
})

test('a heading that is nearly 0 is stored as 0, sent live or uploaded', async () => {
  const headingDeg = 1e-254
  const car = await scene.drivingConnection(sessionId)
  car.send(fix({ h: headingDeg }))
  expect(await store(fixesAt(start).map(each => ({ ...each, headingDeg })))).toBe(1)
  const headings = () =>
    scene.app.database.db
      .selectFrom('positions')
      .select('heading_deg')
      .where('session_id', '=', sessionId)
      .execute()
  await expect
    .poll(headings, { timeout: 10_000 * patience })
    .toEqual([{ heading_deg: 0 }, { heading_deg: 0 }])
})

test('a fix sent live and uploaded again is stored once (F4, F7)', async () => {
  const car = await scene.drivingConnection(sessionId)
  const at = Date.now() + 3000
  car.send(fix({ at }))
  await expect.poll(storedTimes, { timeout: 10_000 * patience }).toEqual([at])
  expect(await store(fixesAt(at))).toBe(0)
  expect(await storedTimes()).toEqual([at])
})

test('heading and time of arrival are stored, and absent in fixes of older builds (F7)', async () => {
  const [first, second, third] = fixesAt(start + 1000, start + 2000, start + 3000) as [
    Fix,
    Fix,
    Fix,
  ]
  expect(
    await store([
      { ...first, headingDeg: 271, atArrival: true },
      { ...second, headingDeg: null },
      third,
    ]),
  ).toBe(3)
  const none = { heading_deg: null, at_arrival: null }
  expect(
    await scene.app.database.db
      .selectFrom('positions')
      .select(['heading_deg', 'at_arrival'])
      .where('session_id', '=', sessionId)
      .orderBy('at')
      .execute(),
  ).toEqual([{ heading_deg: 271, at_arrival: true }, none, none])
  await expect(store([{ ...first, headingDeg: 360 }])).rejects.toThrow('not valid')
})

test('ten fixes per second are stored, also across requests (F7)', async () => {
  const second = Math.ceil(start / 1000) * 1000 + 10_000
  const burst = Array.from({ length: 300 }, (_, n) => second + n)
  expect(await store(fixesAt(...burst))).toBe(10)
  expect(await store(fixesAt(...burst.map(at => at + 300)))).toBe(0)
  // The next second has its own limit, also when the request repeats stored fixes.
  const next = [second + 1000, second + 1100]
  expect(await store(fixesAt(...next))).toBe(2)
  expect(await store(fixesAt(...next, second + 1200))).toBe(1)
  expect(await storedTimes()).toHaveLength(13)
})

test('the response names the fixes that will never be stored, and why (F7)', async () => {
  const day = 24 * 60 * 60 * 1000
  const now = Date.now()
  const second = Math.ceil(start / 1000) * 1000 + 20_000
  const burst = Array.from({ length: 11 }, (_, n) => second + n)
  const known = start + 1000
  await store(fixesAt(known))
  const early = start - 60_000
  const nowhere = { ...fixesAt(start + 2000)[0]!, latitude: null, longitude: null }
  const { stored, refused } = await scene.leo.call.sessions.storeFixes({
    sessionId,
    fixes: [...fixesAt(known, early, now + 60_000, now - 31 * day, ...burst), nowhere],
  })
  expect(stored).toBe(10)
  expect(refused.toSorted((a, b) => a.at - b.at)).toEqual([
    { at: now - 31 * day, reason: 'too-old' },
    { at: early, reason: 'outside-session' },
    { at: start + 2000, reason: 'no-position' },
    { at: second + 10, reason: 'too-many' },
    { at: now + 60_000, reason: 'future' },
  ])

  await scene.leo.call.sessions.deletePositions({ sessionId })
  const again = await scene.leo.call.sessions.storeFixes({ sessionId, fixes: fixesAt(known) })
  expect(again).toEqual({ stored: 0, refused: [{ at: known, reason: 'deleted' }] })
})

test('storing fixes and reporting the phone state are rate limited', async () => {
  const statuses = async (call: () => Promise<unknown>, times: number) => {
    const answers = await Promise.allSettled(Array.from({ length: times }, call))
    return answers.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : []))
  }
  // The window may end during the test: then twice the limit passes, but no more.
  const stores = await statuses(() => store(fixesAt(start + 1000)), 260)
  expect(new Set(stores)).toEqual(new Set(['too-many']))
  const reports = await statuses(
    () => scene.leo.call.sessions.reportPhoneState({ sessionId, phone: phoneState }),
    140,
  )
  expect(new Set(reports)).toEqual(new Set(['too-many']))
})
