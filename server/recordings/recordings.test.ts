import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { positionsPerPage } from '#contract/positions.ts'
import { fromColumns, type ReplayFix } from '#contract/shared/positionColumns.ts'
import { readRecording } from '#racing/formats/recording.ts'
import { checkGpx } from '#testing/files/gpxStructure.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { fix, type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import type { Person } from '#testing/people/person.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** The position whose time is that of its arrival. */
const lateIndex = 100

/** A session of four laps that began two hours ago. */
async function drivenSession(more: { laps?: number; elsewhere?: boolean } = {}) {
  const { team, session } = await scene.newSession()
  const startMs = (await startEarlier(scene.app, session)) + 1000
  const fixes = drivenFixes(startMs, more).map((each, index) =>
    index === lateIndex ? { ...each, atArrival: true as const } : each,
  )
  await uploadFixes(scene.leo, session.id, fixes)
  return { team, session, sessionId: session.id, fixes }
}

async function lapsOf(sessionId: SessionId) {
  await expect
    .poll(async () => {
      clock.pass(2000)
      return (await scene.ana.call.laps.list({ sessionId })).laps.length
    })
    .toBe(4)
  return (await scene.ana.call.laps.list({ sessionId })).laps
}

async function allPositions(sessionId: SessionId, person = scene.ana): Promise<ReplayFix[]> {
  const all: ReplayFix[] = []
  for (let from: number | null = 0; from !== null; ) {
    const page = await person.call.positions.list({ sessionId, from })
    all.push(...fromColumns(page))
    from = page.next
  }
  return all
}

function download(sessionId: SessionId, name: string, person: Person = scene.ana) {
  return fetch(`${scene.app.url}/api/v1/sessions/${sessionId}/${name}`, {
    headers: { cookie: person.jar.header },
  })
}

test('members read the positions of a session in pages', async () => {
  const { sessionId, fixes } = await drivenSession({ laps: 25 })
  expect(fixes.length).toBeGreaterThan(positionsPerPage)
  const all = await allPositions(sessionId)
  expect(all).toEqual(
    fixes.map(({ at, latitude, longitude, speedKmh }) => ({
      at,
      latitude: Math.round(latitude! * 1e6) / 1e6,
      longitude: Math.round(longitude! * 1e6) / 1e6,
      speedKmh,
    })),
  )
  const page = await scene.ana.call.positions.list({ sessionId })
  expect(page.at).toHaveLength(positionsPerPage)
  expect(page.span).toEqual({ first: fixes[0]!.at, last: fixes.at(-1)!.at })
  // A whole day at 1 Hz takes 1.5 MB.
  expect(JSON.stringify(page).length / positionsPerPage).toBeLessThan(18)

  const [from, until] = [fixes[5]!.at, fixes[9]!.at]
  const part = await scene.ana.call.positions.list({ sessionId, from, until })
  expect(fromColumns(part).map(({ at }) => at)).toEqual(fixes.slice(5, 9).map(({ at }) => at))
  expect(part.next).toBeNull()
})

test('positions of a running session, without lap timing, are there within a second', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  await scene.ana.call.sessions.setLapTiming({ sessionId, lapTiming: false })
  expect(await scene.ana.call.positions.list({ sessionId })).toMatchObject({ span: null, at: [] })
  const phone = await scene.drivingConnection(sessionId)
  const sent = fix()
  phone.send(sent)
  await expect
    .poll(async () => {
      clock.pass(1000)
      return allPositions(sessionId)
    })
    .toEqual([{ at: sent.at, latitude: 50.4372, longitude: 5.9714, speedKmh: 187 }])
  expect((await download(sessionId, 'track.gpx')).status).toBe(200)
  expect((await download(sessionId, 'laps.csv?lap=0')).status).toBe(404)
})

test('a former driver does not see the positions any more, the team does', async () => {
  const { team, sessionId, fixes } = await drivenSession({ laps: 1 })
  await scene.leo.call.teams.leave({ teamId: team.id })
  await expect(scene.leo.call.positions.list({ sessionId })).rejects.toMatchObject({
    code: 'not-a-member',
  })
  expect((await download(sessionId, 'track.gpx', scene.leo)).status).toBe(403)
  expect(await allPositions(sessionId)).toHaveLength(fixes.length)
})

test('a session is exported in every format, and read again', async () => {
  const { sessionId, session, fixes } = await drivenSession()
  const laps = await lapsOf(sessionId)
  await scene.ana.call.sessions.rename({ sessionId, name: '=Spa/Éau "1"' })
  const texts = new Map<string, string>()
  const lapTexts = new Map<string, string>()
  for (const name of ['positions.csv', 'racechrono.csv', 'track.gpx', 'track.vbo']) {
    const response = await download(sessionId, name)
    const day = new Date(session.startedAt - 2 * 60 * 60 * 1000).toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Spa-Eau-1-${day}-${name}"`,
    )
    const text = await response.text()
    texts.set(name, text)
    const read = readRecording(text)
    expect(read.map(({ atMs }) => Math.round(atMs))).toEqual(fixes.map(({ at }) => at))
    expect(read[100]!.latitude).toBeCloseTo(fixes[100]!.latitude!, 6)
    expect(read[100]!.longitude).toBeCloseTo(fixes[100]!.longitude!, 6)
    expect(read[100]!.speedMps! * 3.6).toBeCloseTo(fixes[100]!.speedKmh!, 1)
    // A lap, with the fixes around it.
    const lap = laps[2]!
    const lapText = await (await download(sessionId, `${name}?lap=2`)).text()
    lapTexts.set(name, lapText)
    const part = readRecording(lapText)
    expect(part[0]!.atMs).toBeLessThan(lap.startedAt)
    expect(part[0]!.atMs).toBeGreaterThanOrEqual(lap.startedAt - 2000)
    expect(part.at(-1)!.atMs).toBeGreaterThan(lap.startedAt + lap.timeMs)
    expect(part.at(-1)!.atMs).toBeLessThanOrEqual(lap.startedAt + lap.timeMs + 2000)
  }
  const late = readRecording(texts.get('positions.csv')!).map(({ atArrival }) => atArrival === true)
  expect(late).toEqual(fixes.map((_, index) => index === lateIndex))
  const title = '=Spa/Éau "1"'
  expect(checkGpx(texts.get('track.gpx')!, title)).toEqual([fixes.length])
  const [count] = checkGpx(lapTexts.get('track.gpx')!, title)
  expect(count).toBe(readRecording(lapTexts.get('track.gpx')!).length)
  const raceChrono = texts.get('racechrono.csv')!
  expect(raceChrono.split('\r\n')[0]).toBe(
    'This file is created using RaceChrono CSV format by Pitboard',
  )
  expect(raceChrono).toContain(`Session title,"'=Spa/Éau ""1"""`)
  expect(texts.get('track.vbo')).toMatch(/\r\nStart -00315\.\d{6} \+03059\.\d{6} /)
  const [header, ...rows] = (await (await download(sessionId, 'laps.csv')).text()).split('\r\n')
  expect(header).toBe(
    'lap,started,time s,plus minus s,kind,crossing seen,yellow,driver,stint,session',
  )
  expect(rows[2]).toBe(
    `2,${new Date(laps[2]!.startedAt).toISOString()},${(laps[2]!.timeMs / 1000).toFixed(3)},${(laps[2]!.plusMinusMs / 1000).toFixed(3)},full,yes,no,Leo Tester,1,"'=Spa/Éau ""1"""`,
  )
})

test('deleted positions are in no replay and no export; laps stay as numbers', async () => {
  const { sessionId } = await drivenSession()
  const laps = await lapsOf(sessionId)
  const { db } = scene.app.database
  // While the deletion continues in the background, rows are still stored.
  await db
    .updateTable('sessions')
    .set({ positions_deleted_at: new Date() })
    .where('id', '=', sessionId)
    .execute()
  expect(await scene.ana.call.positions.list({ sessionId })).toMatchObject({ span: null, at: [] })
  await scene.leo.call.sessions.deletePositions({ sessionId })
  expect(await scene.ana.call.positions.list({ sessionId })).toMatchObject({ span: null, at: [] })
  for (const name of ['positions.csv', 'racechrono.csv', 'track.gpx', 'track.vbo']) {
    const text = await (await download(sessionId, name)).text()
    expect(text).not.toMatch(/50\.9|0305\d\.\d|Zolder/)
  }
  expect(await (await download(sessionId, 'laps.csv')).text()).toContain(
    new Date(laps[1]!.startedAt).toISOString(),
  )
  await scene.leo.call.sessions.deletePositions({ sessionId, withLaps: true })
  expect((await (await download(sessionId, 'laps.csv')).text()).trim().split('\r\n')).toHaveLength(
    1,
  )
})

test('reading and exporting are limited', async () => {
  const kim = await scene.app.person('Kim')
  const statuses = async (count: number, ask: () => Promise<Response>) => {
    const all = []
    for (let n = 0; n < count; n++) all.push((await ask()).status)
    return all
  }
  expect((await statuses(13, () => download(randomUUID(), 'track.gpx', kim))).at(-1)).toBe(429)
  const list = () =>
    fetch(`${scene.app.url}/api/positions.list?sessionId=${randomUUID()}`, {
      headers: { cookie: kim.jar.header },
    })
  expect(new Set(await statuses(160, list))).toEqual(new Set([403, 429]))
  for (const from of ['-1', 'x', '1.5', '1e20']) {
    const wrong = await fetch(
      `${scene.app.url}/api/positions.list?sessionId=${randomUUID()}&from=${from}`,
      { headers: { cookie: scene.ana.jar.header } },
    )
    expect(wrong.status).toBe(400)
  }
})
