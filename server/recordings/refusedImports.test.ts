import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { maxRecordingUploadBytes, maxTeamRecordedFixes } from '#contract/shared/recordingRules.ts'
import { gpxRecording, type TimedScene, timedScene } from '#testing/live/timedScene.ts'
import { maxImportedPerDay } from './importRecording.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('invalid uploads are refused with a reason', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const refusal = (values: Partial<Parameters<TimedScene['send']>[1]>) =>
    scene.send(scene.leo, { teamId, file: 'x', ...values }).catch((error: unknown) => error)
  expect(await refusal({ file: new Uint8Array() })).toMatchObject({ detail: 'file-empty' })
  expect(await refusal({ file: 'hello' })).toMatchObject({ detail: 'recording-unreadable' })
  expect(await refusal({ name: '' })).toMatchObject({ code: 'invalid-input' })
  expect(await refusal({ day: '2026-02-31' })).toMatchObject({ code: 'invalid-input' })
  expect(await refusal({ file: new Uint8Array(maxRecordingUploadBytes + 1) })).toMatchObject({
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

test('a team has room for a number of positions, and a person for imports a minute', async () => {
  const { team, session } = await scene.newSession()
  const { text } = gpxRecording(Date.now() - 2 * dayMs, 1)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const { db } = scene.app.database
  const full = { recorded_positions: maxTeamRecordedFixes }
  await db.updateTable('sessions').set(full).where('id', '=', session.id).execute()
  await expect(scene.send(scene.leo, { teamId: team.id, file: text })).rejects.toMatchObject({
    detail: 'recordings-too-many',
  })
  await scene.leo.call.sessions.deletePositions({ sessionId: session.id })
  await scene.send(scene.leo, { teamId: team.id, file: text })
  const refused = []
  for (let n = 0; n < 20; n++)
    refused.push(
      await scene
        .send(scene.leo, { teamId: team.id, file: new Uint8Array() })
        .catch(error => error.code),
    )
  expect(refused.filter(code => code === 'too-many').length).toBeGreaterThan(0)
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
  const { rateLimits, database } = scene.app
  const send = (daysAgo: number) => {
    const { text } = gpxRecording(Date.now() - daysAgo * dayMs, 1)
    return scene.send(scene.leo, { teamId: team.id, file: text })
  }
  const day = { what: 'import-fixes', key: scene.leo.id, limit: maxImportedPerDay, windowMs: dayMs }
  const file = gpxRecording(Date.now() - 6 * dayMs, 20).text
  const { positions } = await scene.send(scene.leo, { teamId: team.id, file })
  await scene.send(scene.leo, { teamId: team.id, file })
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const full = { recorded_positions: maxTeamRecordedFixes }
  await database.db.updateTable('sessions').set(full).where('id', '=', session.id).execute()
  await expect(send(7)).rejects.toMatchObject({ detail: 'recordings-too-many' })

  // Only the first import has counted.
  rateLimits.enforce({ ...day, cost: maxImportedPerDay - positions })
  rateLimits.charge({ ...day, cost: maxImportedPerDay })
  await expect(send(9)).rejects.toMatchObject({ code: 'too-many' })
})
