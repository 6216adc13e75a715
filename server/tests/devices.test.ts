import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { CookieJar } from '#testing/people/client.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'

const root = join(import.meta.dirname, '../..')
/** The examples of the documents, by language, in their order. */
const examples = ['docs/DEVICES.md', 'docs/TIMING.md']
  .flatMap(document => [
    ...readFileSync(join(root, document), 'utf8').matchAll(/```(sh|js)\n(.*?)```/gs),
  ])
  .map(([, language, code = '']) => ({ language, code }))

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Runs the curl command that contains this text, without curl. Returns the response's JSON. */
async function run(text: string, variables: Record<string, string>, jar = new CookieJar()) {
  const example = examples.find(({ language, code }) => language === 'sh' && code.includes(text))
  // As a shell: nothing is replaced within single quotes.
  const filled = (example?.code ?? '').replace(/'[^']*'|\$([A-Z]+)/g, (all, name) =>
    name === undefined ? all : (variables[name] ?? ''),
  )
  const url = /curl "([^"]+)"/.exec(filled)?.[1] ?? ''
  const [, given, lines] = /-d (?:'([^']+)'|@- <<END\n(.*?)\nEND)/s.exec(filled) ?? []
  const body = given ?? lines
  const headers = new Headers()
  for (const [, name = '', value = ''] of filled.matchAll(/-H ['"]([\w-]+): ([^'"]+)['"]/g))
    headers.append(name, value)
  // As `-b cookies.txt` does.
  const cookies = [jar.header, headers.get('cookie')].filter(Boolean).join('; ')
  if (cookies !== '') headers.set('cookie', cookies)
  const response = await fetch(url, {
    headers,
    ...(body !== undefined && { method: 'POST', body }),
  })
  jar.store(response)
  expect(response.status, `${text}: ${await response.clone().text()}`).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

async function startedSession() {
  const { session } = await scene.newSession()
  const shared = { PITBOARD: scene.app.url, EMAIL: scene.leo.email, SESSION: session.id }
  const jar = new CookieJar()
  await run('auth.sendCode', shared, jar)
  const CODE = await scene.app.mails.nextCode(scene.leo.email)
  const { token } = await run('auth.verifyCode', { ...shared, CODE }, jar)
  return { sessionId: session.id, variables: { ...shared, TOKEN: String(token) } }
}

test('the examples get a token and report positions by HTTP', async () => {
  const { sessionId, variables } = await startedSession()
  expect(await run('auth.login', variables)).toMatchObject({
    login: { user: { id: scene.leo.id } },
  })
  const devices = await scene.leo.call.auth.logins()
  expect(devices.map(({ device }) => device)).toContain('Logger 7')
  const { lastDriverContactAt } = await run('/contact', variables)
  expect(await scene.ana.call.sessions.get({ sessionId })).toMatchObject({
    lastDriverContactAt,
    speedKmh: 187,
    latitude: 50.4372,
  })
  const AT = String(Date.now() - 1000)
  expect(await run('sessions.storeFixes', { ...variables, AT })).toMatchObject({ stored: 1 })
  const positions = await scene.app.database.db
    .selectFrom('positions')
    .select(['heading_deg', 'at_arrival'])
    .where('session_id', '=', sessionId)
    .orderBy('at')
    .execute()
  expect(positions).toEqual([
    { heading_deg: 271, at_arrival: null },
    { heading_deg: 271, at_arrival: true },
  ])
})

test('the example of official timing sends an update of a race', async () => {
  const { ana, app } = scene
  const team = await createTeam(ana, [], 'Timed')
  const raceId = await createRace(ana, team.id)
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  const { token } = await ana.call.auth.createToken({ name: 'Club', scopes: ['timing'] })
  const variables = { PITBOARD: app.url, TOKEN: token, RACE: raceId }
  expect(await run('timing.push', variables)).toEqual({ number: 1 })
  expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({
    run: { name: 'Race 1', flag: 'Green', standings: [{ number: '17', laps: 3 }] },
  })
})

test('the example of a WebSocket drives and shows a message', async () => {
  const { sessionId, variables } = await startedSession()
  const program = examples.find(({ language }) => language === 'js')?.code ?? ''
  // In the project, so that it finds the package `ws`.
  const file = join(root, `node_modules/.device-${randomUUID()}.mjs`)
  await writeFile(file, program)
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...variables } })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  try {
    await expect
      .poll(async () => (await scene.ana.call.sessions.get({ sessionId })).speedKmh)
      .toBe(187)
    await scene.ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
    expect((await lines.next()).value).toBe('message: Pit')
    await expect
      .poll(async () => (await scene.ana.call.sessions.get({ sessionId })).message.shownAt)
      .not.toBeNull()
    const login = (await scene.leo.call.auth.logins()).find(({ device }) => device !== null)
    await scene.leo.call.auth.endLogin({ loginId: login?.id ?? '' })
    expect((await lines.next()).value).toBe('closed: 4100')
  } finally {
    child.kill()
    await unlink(file)
  }
})
