import { afterAll, beforeAll, expect, test } from 'vitest'
import { RefusalBody } from '#contract/refusal.ts'
import { ImportedRecording } from '#contract/sessions/positions.ts'
import { fromColumns } from '#contract/shared/replay/positionColumns.ts'
import { maxTeamRecordedFixes, maxUploadBytes } from '#contract/shared/replay/recordingRules.ts'
import { gpxWriter } from '#racing/formats/write/writeGpx.ts'
import { vboWriter } from '#racing/formats/write/writeVbo.ts'
import { importRecording } from '#testing/files/recordings.ts'
import { drivenFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import type { Person } from '#testing/people/person.ts'
import { systemClock } from '../../../clock.ts'
import { isWithinRateLimit } from '../../../rateLimit/sharedLimits.ts'
import { deleteOldDays } from '../../../telemetry/days.ts'
import { maxImportedPerDay } from './importRecording.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

const dayMs = 24 * 60 * 60 * 1000

/** A drive of four laps at Zolder, as a GPX file. */
function recording(startMs: number, laps = 5) {
  const written = drivenFixes(startMs, { laps }).map(fix => ({
    at: fix.at,
    latitude: fix.latitude ?? 0,
    longitude: fix.longitude ?? 0,
    speedKmh: fix.speedKmh,
    accuracyM: null,
    headingDeg: null,
    lap: null,
  }))
  const writer = gpxWriter({
    title: 'Old',
    driver: '',
    circuit: '',
    startedAt: startMs,
    line: null,
  })
  return { text: writer.head() + writer.rows(written) + writer.foot(), written }
}

async function send(
  person: Person,
  values: Omit<Parameters<typeof importRecording>[2], 'name'> & { name?: string },
): Promise<ImportedRecording> {
  const response = await importRecording(scene.app.url, person.jar, {
    name: 'Old race',
    ...values,
  })
  const body: unknown = await response.json()
  if (response.ok) return ImportedRecording.parse(body)
  throw Object.assign(new Error('refused'), RefusalBody.parse(body))
}

async function lapsOf(sessionId: string, count: number) {
  await expect
    .poll(async () => {
      clock.pass(2000)
      const { laps, pending } = await scene.ana.call.laps.list({ sessionId })
      return pending ? 0 : laps.length
    })
    .toBe(count)
  return (await scene.ana.call.laps.list({ sessionId })).laps
}

async function positionsOf(sessionId: string) {
  return fromColumns(await scene.ana.call.positions.list({ sessionId }))
}

test('a recording becomes an ended session of its uploader, with laps, and no event', async () => {
  const { team, session } = await scene.newSession()
  const wall = await subscribedConnection(scene.ana, `team:${team.id}`)
  const startMs = Math.floor((Date.now() - 20 * dayMs) / 1000) * 1000
  const { text, written } = recording(startMs)
  const imported = await send(scene.leo, { teamId: team.id, file: text })
  expect(imported).toMatchObject({
    positions: written.length,
    isNew: true,
    positionsStay: true,
    keptPerSecond: null,
  })
  // Checked before the laps, because a connection that sends nothing for 5 s is closed.
  await wall.roundTrip()
  expect(wall.received('session-started')).toEqual([])
  expect(wall.received('session-ended')).toEqual([])
  const { sessionId } = imported
  expect(await scene.ana.call.sessions.get({ sessionId })).toMatchObject({
    name: 'Old race',
    status: 'Complete',
    imported: true,
    driver: { id: scene.leo.id },
    startedAt: startMs,
  })
  const laps = await lapsOf(sessionId, 5)
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full', 'full', 'incomplete'])
  expect(await scene.ana.call.laps.list({ sessionId })).toMatchObject({
    circuit: { name: 'Circuit Zolder' },
  })
  expect((await positionsOf(sessionId)).map(({ at }) => at)).toEqual(written.map(({ at }) => at))
  // The list of active sessions still contains only the driven one, and an imported one accepts no message.
  expect(
    (await scene.ana.call.sessions.listActive({ teamId: team.id })).map(({ id }) => id),
  ).toEqual([session.id])
  await expect(
    scene.ana.call.messages.set({ sessionId, type: 'Pit', commandId: crypto.randomUUID() }),
  ).rejects.toMatchObject({ code: 'session-ended' })
  const { sessions } = await scene.ana.call.sessions.list({ teamId: team.id })
  expect(sessions.map(({ id, imported: isImported }) => [id, isImported])).toEqual([
    [session.id, false],
    [sessionId, true],
  ])
})

test('the same recording again is the same session, and completes a failed import', async () => {
  const { team } = await scene.newSession()
  const { text, written } = recording(Date.now() - 3 * dayMs, 2)
  const { sessionId } = await send(scene.leo, { teamId: team.id, file: text })
  const { db } = scene.app.database
  await db
    .deleteFrom('positions')
    .where('session_id', '=', sessionId)
    .where('at', '>', new Date(written[50]!.at))
    .execute()
  expect(await send(scene.leo, { teamId: team.id, file: Buffer.from(text) })).toMatchObject({
    sessionId,
    isNew: false,
  })
  expect(await positionsOf(sessionId)).toHaveLength(written.length)
  // Another member gets the same session; another team gets a new one.
  expect(await send(scene.ana, { teamId: team.id, file: text })).toMatchObject({ sessionId })
  const { team: other } = await scene.newSession()
  expect(await send(scene.leo, { teamId: other.id, file: text })).toMatchObject({ isNew: true })
})

test('deleted positions of an import are gone; the recording may be imported again', async () => {
  const { team } = await scene.newSession()
  const { text } = recording(Date.now() - 5 * dayMs)
  const { sessionId } = await send(scene.leo, { teamId: team.id, file: text })
  const laps = await lapsOf(sessionId, 5)
  await expect(scene.ana.call.sessions.deleteHistory({ sessionId })).rejects.toMatchObject({
    code: 'not-the-driver',
  })
  await scene.leo.call.sessions.deleteHistory({ sessionId })
  expect(await positionsOf(sessionId)).toEqual([])
  expect((await scene.ana.call.laps.list({ sessionId })).laps).toEqual(laps)
  const again = await send(scene.leo, { teamId: team.id, file: text })
  expect(again.isNew).toBe(true)
  expect(await positionsOf(sessionId)).toEqual([])
  await scene.leo.call.sessions.deleteHistory({ sessionId: again.sessionId, withLaps: true })
  expect((await scene.ana.call.laps.list({ sessionId: again.sessionId })).laps).toEqual([])
})

test('only the laps of a recording older than the history are kept', async () => {
  const { team } = await scene.newSession()
  const { text } = recording(Date.now() - 900 * dayMs)
  const { sessionId, positionsStay } = await send(scene.leo, { teamId: team.id, file: text })
  expect(positionsStay).toBe(false)
  const laps = await lapsOf(sessionId, 5)
  await deleteOldDays(scene.app.database.db, Date.now(), 400)
  expect(await positionsOf(sessionId)).toEqual([])
  expect(await lapsOf(sessionId, 5)).toEqual(laps)
})

test('a VBO file without a date needs the day', async () => {
  const { team } = await scene.newSession()
  const day = new Date(Date.now() - 9 * dayMs).toISOString().slice(0, 10)
  const { written } = recording(Date.parse(day) + 3_600_000, 2)
  const writer = vboWriter({ title: '', driver: '', circuit: '', startedAt: 0, line: null })
  const file = (writer.head() + writer.rows(written)).replace(/^File created[^\n]*\n/, '')
  await expect(send(scene.leo, { teamId: team.id, file })).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'recording-undated',
  })
  const { sessionId } = await send(scene.leo, { teamId: team.id, file, day })
  expect((await positionsOf(sessionId))[0]?.at).toBe(written[0]!.at)
  // The same file on another day is another drive, and adds nothing to this one.
  expect(await send(scene.leo, { teamId: team.id, file, day })).toMatchObject({
    sessionId,
    isNew: false,
  })
  const dayBefore = new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10)
  const other = await send(scene.leo, { teamId: team.id, file, day: dayBefore })
  expect(other.isNew).toBe(true)
  expect(await positionsOf(sessionId)).toHaveLength(written.length)
})

test('hostile uploads are refused with a sentence', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const refusal = (values: Partial<Parameters<typeof send>[1]>) =>
    send(scene.leo, { teamId, file: 'x', ...values }).catch((error: unknown) => error)
  expect(await refusal({ file: new Uint8Array() })).toMatchObject({ detail: 'file-empty' })
  expect(await refusal({ file: 'hello' })).toMatchObject({ detail: 'recording-unreadable' })
  expect(await refusal({ name: '' })).toMatchObject({ code: 'invalid-input' })
  expect(await refusal({ day: '2026-02-31' })).toMatchObject({ code: 'invalid-input' })
  expect(await refusal({ file: new Uint8Array(maxUploadBytes + 1) })).toMatchObject({
    code: 'too-large',
    detail: 'recording-too-large',
  })
  const json = await fetch(`${scene.app.url}/api/v1/teams/${teamId}/recordings?name=x`, {
    method: 'POST',
    headers: {
      cookie: scene.leo.jar.header,
      'x-xsrf-token': scene.leo.jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
    },
    body: '{}',
  })
  expect(await json.json()).toMatchObject({ detail: 'file-empty' })
})

test('a team has room for a number of positions, and a person for imports an hour', async () => {
  const { team, session } = await scene.newSession()
  const { text } = recording(Date.now() - 2 * dayMs, 1)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const { db } = scene.app.database
  const full = { recorded_positions: maxTeamRecordedFixes }
  await db.updateTable('sessions').set(full).where('id', '=', session.id).execute()
  await expect(send(scene.leo, { teamId: team.id, file: text })).rejects.toMatchObject({
    detail: 'recordings-too-many',
  })
  await scene.leo.call.sessions.deleteHistory({ sessionId: session.id })
  await send(scene.leo, { teamId: team.id, file: text })
  const refused = []
  for (let n = 0; n < 20; n++)
    refused.push(await send(scene.leo, { teamId: team.id, file: 'x' }).catch(error => error.code))
  expect(refused.filter(code => code === 'too-many').length).toBeGreaterThan(0)
})

test('an import without lap timing stores positions and no laps', async () => {
  const { team } = await scene.newSession()
  const { text, written } = recording(Date.now() - 4 * dayMs, 2)
  const { sessionId } = await send(scene.leo, { teamId: team.id, file: text, lapTiming: false })
  expect(await positionsOf(sessionId)).toHaveLength(written.length)
  for (let passed = 0; passed < 3; passed++) clock.pass(2000)
  expect(await scene.ana.call.laps.list({ sessionId })).toMatchObject({
    lapTiming: false,
    laps: [],
    pending: false,
  })
})

test('the newest choice of lap timing counts when a recording is imported again', async () => {
  const { team } = await scene.newSession()
  const { text } = recording(Date.now() - 6 * dayMs)
  const first = await send(scene.leo, { teamId: team.id, file: text })
  expect(first.lapTimingChanged).toBe(false)
  const { sessionId } = first
  const laps = await lapsOf(sessionId, 5)
  // Another member, who learned that timing is forbidden.
  const off = await send(scene.ana, { teamId: team.id, file: text, lapTiming: false })
  expect(off).toMatchObject({ sessionId, isNew: false, lapTimingChanged: true })
  for (let passed = 0; passed < 3; passed++) clock.pass(2000)
  expect(await scene.ana.call.laps.list({ sessionId })).toMatchObject({
    lapTiming: false,
    laps: [],
  })
  const { db } = scene.app.database
  const stored = await db
    .selectFrom('laps')
    .select('number')
    .where('session_id', '=', sessionId)
    .execute()
  expect(stored).toEqual([])
  const again = await send(scene.leo, { teamId: team.id, file: text, lapTiming: false })
  expect(again.lapTimingChanged).toBe(false)
  const on = await send(scene.leo, { teamId: team.id, file: text })
  expect(on).toMatchObject({ sessionId, lapTimingChanged: true })
  expect(await lapsOf(sessionId, 5)).toEqual(laps)
})

test('an outsider is refused before the file is received', async () => {
  const { team } = await scene.newSession()
  const outsider = await scene.app.person('Eve')
  const refused = await fetch(`${scene.app.url}/api/v1/teams/${team.id}/recordings?name=x`, {
    method: 'POST',
    headers: {
      cookie: outsider.jar.header,
      'x-xsrf-token': outsider.jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/octet-stream',
    },
    // It never ends: only its beginning is sent.
    body: new ReadableStream({ start: controller => controller.enqueue(new Uint8Array(1)) }),
    duplex: 'half',
  } as RequestInit)
  expect(await refused.json()).toMatchObject({ code: 'not-a-member' })
})

test('refused and known imports do not cost positions of the day', async () => {
  const { team, session } = await scene.newSession()
  const { text } = recording(Date.now() - 6 * dayMs, 1)
  const cost = async () => {
    const { db } = scene.app.database
    const rows = await db
      .selectFrom('rate_counts')
      .select(['count'])
      .where('what', 'like', 'import-fixes:%')
      .execute()
    return rows.reduce((sum, { count }) => sum + Number(count), 0)
  }
  await send(scene.leo, { teamId: team.id, file: text })
  const spent = await cost()
  expect(spent).toBeGreaterThan(0)
  await send(scene.leo, { teamId: team.id, file: text })
  expect(await cost()).toBe(spent)
  const { db } = scene.app.database
  const full = { recorded_positions: maxTeamRecordedFixes }
  await scene.leo.call.sessions.end({ sessionId: session.id })
  await db.updateTable('sessions').set(full).where('id', '=', session.id).execute()
  const other = recording(Date.now() - 7 * dayMs, 1).text
  await expect(send(scene.leo, { teamId: team.id, file: other })).rejects.toMatchObject({
    detail: 'recordings-too-many',
  })
  expect(await cost()).toBe(spent)
  // A recording that is too large for the rest of the day leaves that rest.
  const most = { limit: maxImportedPerDay, windowMs: dayMs, cost: maxImportedPerDay - spent }
  const day = { what: 'import-fixes', key: scene.leo.id, ...most }
  await isWithinRateLimit({ db, clock: systemClock }, day)
  await expect(send(scene.leo, { teamId: team.id, file: other })).rejects.toMatchObject({
    code: 'too-many',
  })
  expect(await cost()).toBe(maxImportedPerDay)
})
