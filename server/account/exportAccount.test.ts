import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lap } from '#contract/laps.ts'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { lapRow } from '#testing/database/lapRow.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { fix, type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { addPasskey } from '#testing/people/addPasskey.ts'
import type { CookieJar } from '#testing/people/client.ts'
import { addCar } from '#testing/people/roster.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

function requestExport(jar: CookieJar) {
  return fetch(`${scene.app.url}/api/v1/export.zip`, { headers: { cookie: jar.header } })
}

test('the export contains everything of the user, and nothing of others', async () => {
  const { app, ana, leo } = scene
  const { team, session } = await scene.newSession()
  const sessionId = session.id
  const car = await scene.drivingConnection(sessionId)
  const at = Date.now()
  for (const second of [3, 2, 1]) car.send({ ...fix(), at: at - second * 1000 })
  await car.roundTrip()
  await ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await leo.call.messages.set({ sessionId, type: 'Push', commandId: randomUUID() })
  const anas = await ana.call.sessions.start({ teamId: team.id, name: 'Stint of Ana' })
  await leo.call.messages.set({ sessionId: anas.id, type: 'Fuel', commandId: randomUUID() })
  await leo.call.sessions.end({ sessionId })
  await addPasskey(leo, app.url)
  const picture = await sharp({
    create: { width: 8, height: 8, channels: 3, background: '#d22' },
  })
    .png()
    .toBuffer()
  const photo = { teamId: team.id, name: memberPhotoName(leo.id), file: picture }
  expect((await fileClient(app.url, leo.jar).send(formOf(photo))).status).toBe(200)
  await expect
    .poll(() =>
      app.database.db
        .selectFrom('positions')
        .select('at')
        .where('session_id', '=', sessionId)
        .execute(),
    )
    .toHaveLength(3)

  const lap: Lap = {
    number: 1,
    startedAt: at,
    timeMs: 112_400,
    plusMinusMs: 180,
    kind: 'full',
    isSeen: true,
    yellow: false,
    yellowMessage: null,
    yellowFlag: null,
    marked: false,
  }
  // Timing its positions would replace the lap.
  await leo.call.sessions.setLapTiming({ sessionId, lapTiming: false })
  await app.database.db.insertInto('laps').values(lapRow(sessionId, lap)).execute()

  const answer = await requestExport(leo.jar)

  expect(answer.headers.get('content-type')).toBe('application/zip')
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array())) as unknown
  const folder = `sessions/${sessionId}`
  expect(Object.keys(files).sort()).toEqual([
    'account.json',
    'data-link-switched-off.json',
    'data-link-switched-on.json',
    'fills-entered.json',
    'glass-changes.json',
    'invitations.json',
    'messages-sent.json',
    `photos/${team.id}.png`,
    'run-corrections.json',
    'sessions.json',
    `${folder}/answers.json`,
    `${folder}/laps.json`,
    `${folder}/messages.json`,
    `${folder}/official-flags.json`,
    `${folder}/positions.json`,
    'stints-entered.json',
    'stints.json',
    'teams.json',
    'timing-entries.json',
  ])
  expect(read('account.json')).toMatchObject({
    id: leo.id,
    email: leo.email,
    logins: [{ device: null }],
    passkeys: [{ name: 'Phone' }],
  })
  expect(read('teams.json')).toMatchObject([{ name: 'Night Owls', is_owner: false }])
  expect(read('sessions.json')).toMatchObject([{ id: sessionId, name: 'Stint 1' }])
  expect(read(`${folder}/messages.json`)).toMatchObject([{ type: 'Pit' }, { type: 'Push' }])
  expect(read(`${folder}/laps.json`)).toEqual([lap])
  expect(read(`${folder}/positions.json`)).toMatchObject(
    [3, 2, 1].map(second => ({ at: new Date(at - second * 1000).toISOString() })),
  )
  const sent = read('messages-sent.json') as { type: string }[]
  expect(sent.map(({ type }) => type).sort()).toEqual(['Fuel', 'Push'])
  const text = Object.keys(files)
    .filter(name => name.endsWith('.json'))
    .map(name => strFromU8(files[name] ?? new Uint8Array()))
    .join('')
  expect(text).not.toContain(ana.email)
  expect(text).not.toContain('Stint of Ana')
})

test('answers, stints as a driver of the roster, fills and notifications are exported', async () => {
  const { app, ana, leo } = scene
  const { team, session } = await scene.newSession()
  const sessionId = session.id
  const car = await scene.drivingConnection(sessionId)
  car.send({ t: 'answer', id: randomUUID(), kind: 'Problem', version: 0, at: Date.now() })
  await car.next('answer')
  const driver = { id: randomUUID(), name: 'Leo', userId: leo.id }
  const other = { id: randomUUID(), name: 'Mia of Ana', userId: null }
  for (const each of [driver, other])
    await ana.call.roster.saveDriver({ teamId: team.id, driver: each })
  const change = (id: string, driverId: string) =>
    ana.call.stints.add({ sessionId: id, stintId: randomUUID(), driverId })
  // Leo drives already, as the person who started the session.
  await change(sessionId, driver.id)
  await leo.call.stints.add({ sessionId, stintId: randomUUID(), driverId: other.id })
  const anas = await ana.call.sessions.start({ teamId: team.id, name: 'Session of Ana' })
  await change(anas.id, driver.id)
  await leo.call.fills.add({ sessionId, fillId: randomUUID(), litres: 41.5, kind: 'full' })
  await ana.call.fills.add({ sessionId, fillId: randomUUID(), litres: 17.25, kind: 'part' })
  await leo.call.notifications.choose({ kinds: ['problem'] })
  await leo.call.glass.set({ sessionId, parts: ['flag'] })
  await ana.call.glass.set({ sessionId, parts: [] })
  for (const dataLink of [false, true, false])
    await leo.call.sessions.setDataLink({ sessionId, dataLink })
  await ana.call.sessions.setDataLink({ sessionId: anas.id, dataLink: false })
  const raceId = randomUUID()
  const race = { id: raceId, name: 'Zolder', length: null, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId: team.id, race })
  for (const [person, flag] of [
    [leo, 'FCY'],
    [ana, 'Red'],
  ] as const)
    await person.call.timing.enter({ raceId, entryId: randomUUID(), entry: { flag } })

  const answer = await requestExport(leo.jar)
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array())) as unknown
  expect(read(`sessions/${sessionId}/answers.json`)).toMatchObject([{ number: 1, kind: 'Problem' }])
  expect(read('glass-changes.json')).toMatchObject([{ session_id: sessionId, parts: ['flag'] }])
  expect(read('data-link-switched-off.json')).toMatchObject([
    { session_id: sessionId, on_at: expect.any(String) },
    { session_id: sessionId, on_at: null },
  ])
  expect(read('data-link-switched-on.json')).toMatchObject([{ session_id: sessionId }])
  const common = { team_id: team.id, from: expect.any(String) }
  const own = { session_id: sessionId, session: session.name, number: 1, to: expect.any(String) }
  const later = { session_id: anas.id, session: anas.name, number: 2, to: null }
  const stints = read('stints.json')
  expect(stints).toHaveLength(2)
  expect(stints).toContainEqual({ ...common, ...own })
  expect(stints).toContainEqual({ ...common, ...later })
  expect(read('stints-entered.json')).toMatchObject([
    { session_id: sessionId, driver_id: other.id, from_at: expect.any(String) },
  ])
  expect(read('fills-entered.json')).toMatchObject([{ session_id: sessionId, litres: 41.5 }])
  expect(read('timing-entries.json')).toMatchObject([{ race_id: raceId, entry: { flag: 'FCY' } }])
  expect(read('account.json')).toMatchObject({
    notifications: { kinds: ['problem'], browsers: [] },
  })

  const eve = await app.person('Eva')
  const none = unzipSync(new Uint8Array(await (await requestExport(eve.jar)).arrayBuffer()))
  expect(strFromU8(none['stints.json'] ?? new Uint8Array())).toBe('[]\n')
})

test('corrections of which phone was in a car are exported, also undone ones', async () => {
  const { ana, leo } = scene
  const { team, session } = await scene.newSession()
  const { id: sessionId } = session
  const car = await addCar(ana, team.id, '17')
  await ana.call.stints.setCar({ sessionId, carId: car.id })
  const length = { in: 'laps', laps: 100 } as const
  const race = { id: randomUUID(), name: 'Zolder', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId: team.id, race })
  const decisions = [{ phone: sessionId, from: session.startedAt, until: null }]
  const [kept, undone, anas] = [randomUUID(), randomUUID(), randomUUID()]
  for (const correctionId of [kept, undone])
    await leo.call.carRaces.correctRuns({ sessionId, correctionId, decisions })
  await ana.call.carRaces.correctRuns({ sessionId, correctionId: anas, decisions })
  await leo.call.carRaces.undoCorrection({ sessionId, correctionId: undone })

  const files = unzipSync(new Uint8Array(await (await requestExport(leo.jar)).arrayBuffer()))
  const corrections = JSON.parse(strFromU8(files['run-corrections.json']!)) as unknown[]
  const common = { race_id: race.id, car_id: car.id, decisions, decided_at: expect.any(String) }
  expect(corrections).toHaveLength(2)
  expect(corrections).toContainEqual({ ...common, id: kept, removed_at: null })
  expect(corrections).toContainEqual({ ...common, id: undone, removed_at: expect.any(String) })
})

test('an export with more rows than a page contains each once', async () => {
  const { app, leo } = scene
  const { team, session } = await scene.newSession()
  const count = 2100
  const { db } = app.database
  await sql`
    insert into sessions (team_id, user_id, name, status, date_ended)
    select ${team.id}::uuid, ${leo.id}::uuid, 'Old', 'Complete', now()
    from generate_series(1, 150)`.execute(db)
  await sql`
    insert into messages (session_id, version, command_id, sent_by, pressed_at, sent_at)
    select ${session.id}::uuid, n, gen_random_uuid(), ${leo.id}::uuid, now(), now()
    from generate_series(1, ${count}::int) n`.execute(db)
  const answer = await requestExport(leo.jar)
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
  const read = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array()))
  const old = (read('sessions.json') as { id: string; name: string }[]).filter(
    ({ name }) => name === 'Old',
  )
  expect(new Set(old.map(({ id }) => id)).size).toBe(150)
  const sent = (read('messages-sent.json') as { session_id: string; version: number }[]).filter(
    each => each.session_id === session.id,
  )
  expect(sent.map(({ version }) => version)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  )
})

test('an empty account has an export, too', async () => {
  const eve = await scene.app.person('Eve')
  const files = unzipSync(new Uint8Array(await (await requestExport(eve.jar)).arrayBuffer()))
  expect(strFromU8(files['messages-sent.json'] ?? new Uint8Array())).toBe('[]\n')
  expect(strFromU8(files['sessions.json'] ?? new Uint8Array())).toBe('[]\n')
})

test('a device with a token gets no export', async () => {
  const noor = await scene.app.person('Noor')
  await scene.app.database.db
    .updateTable('logins')
    .set({ device: 'Logger', scopes: ['drive', 'read', 'send'] })
    .where('user_id', '=', noor.id)
    .execute()
  expect(await (await requestExport(noor.jar)).json()).toMatchObject({ code: 'insufficient-scope' })
})
