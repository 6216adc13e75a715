import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { FixUp, Up } from '#contract/live.ts'
import { CloseCode, maxUpBytes, protocol } from '#contract/liveRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import type { TestLine } from '#testing/line.ts'
import { TestLine as Line } from '#testing/line.ts'
import type { Person } from '#testing/person.ts'

let app: TestApp
let ana: Person
let leo: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana')
  leo = await app.person('Leo')
})
afterAll(() => app[Symbol.asyncDispose]())

/** Ana's team with Leo, who drives a session. */
async function stint() {
  await app.forgetLimits()
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  return { team, session }
}

async function watching(person: Person, room: `${'team' | 'session' | 'user'}:${string}`) {
  const line = await person.line()
  line.send({ t: 'watch', room })
  await line.next('snapshot')
  return line
}

async function driving(session: SessionId) {
  const line = await leo.line()
  line.send({ t: 'drive', session })
  await line.next('snapshot')
  return line
}

function fix(values: Partial<FixUp> = {}): FixUp {
  return { t: 'fix', at: Date.now(), la: 50.4372, lo: 5.9714, v: 187, ac: 4, ...values }
}

test('an invited driver sees the team without reloading (R1)', async () => {
  const line = await leo.line()
  const team = await ana.call.teams.create({ name: 'Early Birds' })
  await ana.call.teams.invite({ teamId: team.id, ...leo.details })

  expect(await line.next('team-added', frame => frame.team.id === team.id)).toEqual({
    t: 'team-added',
    team,
  })
  expect(await leo.call.teams.list()).toContainEqual(team)
})

test('members hear who joins, which sessions start and which end (R1)', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const line = await watching(ana, `team:${team.id}`)

  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await leo.call.sessions.end({ sessionId: session.id })

  expect((await line.next('member-added')).member.id).toBe(leo.id)
  expect((await line.next('session-started')).session).toEqual(session)
  expect(await line.next('session-ended')).toMatchObject({ session: session.id, team: team.id })
})

test("the car's fixes reach the team as they were taken, and the snapshot of who comes later (F1, F2)", async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const car = await driving(session.id)
  const before = Date.now()

  const sent = fix()
  car.send(sent)

  const heard = await pit.next('fix')
  expect(heard).toMatchObject({ s: session.id, at: sent.at, la: sent.la, lo: sent.lo, v: 187 })
  expect(heard.c).toBeGreaterThanOrEqual(before)
  const late = await ana.line()
  late.send({ t: 'watch', room: `session:${session.id}` })
  expect((await late.next('snapshot')).snapshot).toMatchObject({
    session: { speedKmh: 187, latitude: sent.la, lastDriverContactAt: heard.c },
  })
})

// spec: DR-20
test('a car without GPS is still heard (F1)', async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const car = await driving(session.id)

  car.send(fix({ la: null, lo: null, v: null, ac: null }))

  expect(await pit.next('fix')).toMatchObject({ la: null, v: null })
  const { lastDriverContactAt } = await ana.call.sessions.get({ sessionId: session.id })
  expect(lastDriverContactAt).not.toBeNull()
})

test('a fix from the future or from another day is taken as of now (F4)', async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const car = await driving(session.id)
  for (const at of [Date.now() + 3_600_000, 0]) {
    car.send(fix({ at }))
    const heard = await pit.next('fix')
    expect(heard.at).toBe(heard.c)
  }
})

test('fixes are stored once, and the session keeps the newest (F2)', async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const car = await driving(session.id)
  const at = Date.now()
  for (const each of [fix({ at }), fix({ at }), fix({ at: at - 1, v: 190 })]) car.send(each)
  for (let n = 0; n < 3; n++) await pit.next('fix')

  await expect
    .poll(() =>
      app.database.db
        .selectFrom('positions')
        .select(['speed'])
        .where('session_id', '=', session.id)
        .orderBy('at')
        .execute(),
    )
    .toEqual([{ speed: 190 }, { speed: 187 }])
  const row = await app.database.db
    .selectFrom('sessions')
    .select(['speed', 'latitude'])
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ speed: 190, latitude: 50.4372 })
})

test('a fix that no column can hold stops neither the other cars nor the shutdown (F2)', async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const car = await driving(session.id)
  const at = Date.now() - 1000
  for (const each of [
    fix({ at, ac: 1e-60 }),
    fix({ at: at + 1, ac: 1e6, la: 5e-324 }),
    fix({ at: at + 2 }),
  ]) {
    car.send(each)
    await pit.next('fix')
  }

  await expect
    .poll(() =>
      app.database.db
        .selectFrom('positions')
        .select(['accuracy_m'])
        .where('session_id', '=', session.id)
        .orderBy('at')
        .execute(),
    )
    .toEqual([{ accuracy_m: 0 }, { accuracy_m: 1e6 }, { accuracy_m: 4 }])
})

test('a driver who leaves the team drives no more, also with nobody watching (R4)', async () => {
  const { team, session } = await stint()
  const car = await driving(session.id)
  await leo.call.teams.leave({ teamId: team.id })
  await car.next('team-removed')

  car.send(fix())
  expect((await car.next('refused')).code).toBe('not-a-member')
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  expect((await car.next('refused')).code).toMatch(/^(not-a-member|not-the-driver)$/)
})

test('ids in other letters are the same ids (R1)', async () => {
  const { session } = await stint()
  const car = await leo.line()
  car.send({ t: 'drive', session: session.id.toUpperCase() })
  await car.next('snapshot')
  await ana.call.messages.set({
    sessionId: session.id.toUpperCase(),
    type: 'Pit',
    commandId: randomUUID(),
  })
  expect((await car.next('message')).message.type).toBe('Pit')
  car.send({ t: 'watch', room: `session:${session.id.toUpperCase()}` })
  expect((await car.next('refused')).code).toBe('invalid-input')
})

test('a message goes to the car, and its receipts come back (M1, S1, S3)', async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const car = await driving(session.id)

  const sent = await ana.call.messages.set({
    sessionId: session.id,
    type: 'Pit',
    commandId: randomUUID(),
  })
  expect((await car.next('message')).message).toEqual(sent)
  expect(sent).toMatchObject({ version: 1, type: 'Pit', sentBy: ana.id, shownAt: null })

  car.send({ t: 'receipt', version: 1, stage: 'reached', at: 0 })
  const reached = (await pit.next('receipt')).receipt
  expect(reached).toMatchObject({ shownAt: null, copiedAt: null })
  expect(reached.reachedAt).toBe(sent.sentAt)

  car.send({ t: 'receipt', version: 1, stage: 'copied', at: Date.now() + 3_600_000 })
  const copied = (await pit.next('receipt')).receipt
  expect(copied.reachedAt).toBe(reached.reachedAt)
  expect(copied.shownAt).toBe(copied.copiedAt)
  expect(copied.copiedAt).toBeLessThanOrEqual(Date.now())
  const { message } = await leo.call.sessions.get({ sessionId: session.id })
  expect(message).toMatchObject({ version: 1, ...copied })
})

test('a receipt that is repeated is told once, whatever time it says (S1, S3, S4)', async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const car = await driving(session.id)
  await ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() })

  for (const at of [8.64e15, 0, Date.now()])
    car.send({ t: 'receipt', version: 1, stage: 'shown', at })
  await car.next('receipt')
  car.send({ t: 'receipt', version: 1, stage: 'copied', at: Date.now() })
  await car.next('receipt')
  await car.roundTrip()

  const { receipt } = await pit.next('receipt')
  expect(receipt.shownAt).toBeLessThanOrEqual(Date.now())
  expect((await pit.next('receipt')).receipt).toMatchObject({ shownAt: receipt.shownAt })
  await pit.roundTrip()
  expect([...pit.heard('receipt'), ...car.heard('refused')]).toEqual([])
})

test('only the current message can be acknowledged, an older one only shown (S2)', async () => {
  const { session } = await stint()
  const car = await driving(session.id)
  const sessionId = session.id
  await ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await ana.call.messages.set({ sessionId, type: 'Go', commandId: randomUUID() })

  car.send({ t: 'receipt', version: 1, stage: 'copied', at: Date.now() })
  expect(await car.next('refused')).toMatchObject({ re: 'receipt', code: 'not-found' })
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  expect(await car.next('receipt')).toMatchObject({ version: 1 })
})

// spec: MS-16
test('the same command sent again sends nothing (M3)', async () => {
  const { session } = await stint()
  const send = { sessionId: session.id, type: 'Pit', commandId: randomUUID() } as const
  const answers = await Promise.all(Array.from({ length: 5 }, () => ana.call.messages.set(send)))

  expect(answers.map(each => each.version)).toEqual([1, 1, 1, 1, 1])
})

test('many senders at once end in one order that everyone agrees on (M2, M4)', async () => {
  const { session } = await stint()
  const pit = await watching(ana, `session:${session.id}`)
  const types = ['Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort', null] as const
  const answers = await Promise.all(
    types.map((type, index) =>
      (index % 2 ? ana : leo).call.messages.set({
        sessionId: session.id,
        type,
        commandId: randomUUID(),
      }),
    ),
  )

  expect(answers.map(each => each.version).sort((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9,
  ])
  const last = await pit.next('message', frame => frame.message.version === 9)
  const { message } = await leo.call.sessions.get({ sessionId: session.id })
  expect(message).toEqual(last.message)
})

test('a message sent while the car was away is there when it is back (M1)', async () => {
  const { session } = await stint()
  const first = await driving(session.id)
  first.close()
  await ana.call.messages.set({ sessionId: session.id, type: 'Fuel', commandId: randomUUID() })

  const car = await leo.line()
  car.send({ t: 'drive', session: session.id })
  expect((await car.next('snapshot')).snapshot).toMatchObject({
    session: { message: { version: 1, type: 'Fuel' } },
  })
})

test('a beat comes back with the time and the newest versions (L5, M5)', async () => {
  const { session } = await stint()
  await ana.call.messages.set({ sessionId: session.id, type: 'SC', commandId: randomUUID() })
  const pit = await watching(ana, `session:${session.id}`)

  pit.send({ t: 'beat', at: 12.5 })

  const beat = await pit.next('beat')
  expect(beat).toMatchObject({ at: 12.5, versions: { [session.id]: 1 } })
  expect(Math.abs(beat.now - Date.now())).toBeLessThan(5000)
})

test('a session that has ended takes no messages, no fixes and no driver (F6, R5)', async () => {
  const { session } = await stint()
  const car = await driving(session.id)
  await leo.call.sessions.end({ sessionId: session.id })
  await car.next('session-ended')

  car.send(fix())
  expect(await car.next('refused')).toMatchObject({ re: 'fix', code: 'session-ended' })
  car.send({ t: 'drive', session: session.id })
  expect(await car.next('refused')).toMatchObject({ re: 'drive', code: 'session-ended' })
  await expect(
    ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() }),
  ).rejects.toMatchObject({ code: 'session-ended' })
})

test('signing out closes the lines of that login and of no other (L7)', async () => {
  const person = await app.person('Noor')
  const line = await person.line()
  const other = await ana.line()
  await person.call.auth.signOut()

  expect(await line.closed()).toBe(CloseCode.signedOut)
  await other.roundTrip()
})

async function ungreeted(): Promise<TestLine> {
  const line = new Line(app.url, { cookie: ana.jar.header, origin: app.url })
  await line.opened()
  return line
}

test('hello comes first, in the language of this server (L3)', async () => {
  const rude = await ungreeted()
  rude.send({ t: 'beat', at: 1 })
  expect(await rude.closed()).toBe(CloseCode.noHello)

  const old = await ungreeted()
  old.send({ t: 'hello', protocol: protocol - 1 })
  expect(await old.closed()).toBe(CloseCode.wrongProtocol)
})

test('a stranger whose frames break the protocol ends only their own line (L2, L4)', async () => {
  const stranger = new Line(app.url, { origin: app.url })
  // Three reserved bits: no WebSocket frame at all, and sent before the close is answered.
  stranger.socket.once('upgrade', ({ socket }) =>
    socket.write(Buffer.from([0xf1, 0x85, 0, 0, 0, 0])),
  )
  await stranger.closed()
  const line = await ana.line()
  await line.roundTrip()
  expect(line.heard('refused')).toEqual([])
})

test('a line that is silent for 5 s is closed (L5)', async () => {
  const [greeted, quiet] = await Promise.all([ana.line(), ungreeted()])
  expect(await greeted.closed()).toBe(CloseCode.silent)
  expect(await quiet.closed()).toBe(CloseCode.noHello)
})

test.each([
  ['not JSON', 'pit!', CloseCode.badFrame],
  ['binary', Buffer.from('{"t":"beat","at":1}'), CloseCode.badFrame],
  ['over 4 KiB', JSON.stringify({ t: 'beat', at: 1, x: 'x'.repeat(maxUpBytes) }), 1009],
] as const)('a frame that is %s ends the line (L4)', async (_what, data, code) => {
  const line = await ana.line()
  line.socket.send(data)
  expect(await line.closed()).toBe(code)
})

test.each([
  ['null', null],
  ['a number', 7],
  ['an array', []],
  ['an unknown type', { t: 'shout' }],
  ['a type that is no text', { t: { toString: 1 } }],
  ['a room of no kind', { t: 'watch', room: 'planet:1' }],
  ['a room without an id', { t: 'watch', room: 'team:' }],
  ['a latitude off the globe', { ...fix(), la: 91 }],
  ['a speed over 320', { ...fix(), v: 321 }],
  ['a speed as text', { ...fix(), v: '187' }],
  ['a fix without a time', { ...fix(), at: undefined }],
  ['a receipt for version 0', { t: 'receipt', version: 0, stage: 'shown', at: 1 }],
  ['a receipt for a version beyond all', { t: 'receipt', version: 2 ** 40, stage: 'shown', at: 1 }],
])('%s is refused and the line stays (L4)', async (_what, frame) => {
  const { session } = await stint()
  const line = await driving(session.id)
  line.send(frame as unknown as Up)

  expect((await line.next('refused')).code).toMatch(/^(invalid-input|not-found)$/)
  await line.roundTrip()
})

test('a flood of frames ends the line (L6)', async () => {
  const line = await ana.line()
  for (let n = 0; n < 300; n++) line.send({ t: 'beat', at: n })
  expect(await line.closed()).toBe(CloseCode.tooMany)
})

test('a line may be in 32 rooms (L6)', async () => {
  const line = await ana.line()
  const teams = []
  for (let n = 0; n < 16; n++) {
    const { team, session } = await stint()
    await leo.call.sessions.end({ sessionId: session.id })
    teams.push(team)
    line.send({ t: 'watch', room: `team:${team.id}` })
    line.send({ t: 'watch', room: `session:${session.id}` })
  }
  expect(await line.next('refused')).toMatchObject({ code: 'too-many', re: 'watch' })
  await line.roundTrip()
})
