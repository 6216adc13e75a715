import { expect, onTestFinished, test } from 'vitest'
import { Refusal } from '#contract/refusal.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { testApp } from '#testing/app.ts'
import { driveAround } from '#testing/drives.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { CookieJar } from '#testing/people/client.ts'
import { call } from '../api.ts'
import { startCar } from '../car.ts'
import { signIn } from '../signIn.ts'
import { runDemo } from './runDemo.ts'

/** A server that keeps its mails, as for local development. */
const devToken = 'token-of-this-server'
const appWithMailbox = () => testApp({ smtpUrl: undefined, dev: true, devToken })

test('the demo shows the team three cars in a race, which acknowledge messages', async () => {
  await using app = await appWithMailbox()
  const printed: string[] = []
  const demo = await runDemo({ url: app.url, devToken, print: text => printed.push(text) })
  onTestFinished(() => demo.stop())
  expect(printed[0]).toContain(demo.wallLink)
  expect(printed[0]).toContain(demo.pitLink)
  expect(printed[0]).toContain(demo.driverLink)

  const { token } = await signIn({ url: app.url, email: 'ana@pitboard.example', devToken })
  const server = { url: app.url, token }
  const [teamId = '', sessionId = ''] = idsIn(demo.pitLink)
  const active = await call(server, 'sessions.listActive', { teamId })
  const numbers = active.map(({ car }) => car?.number ?? '').sort()
  // The drivers of car 21 have a phone each.
  expect(numbers).toEqual(['12', '21', '21', '7'])
  const ofCar21 = active.filter(({ car }) => car?.number === '21').map(({ id }) => id)
  for (const id of ofCar21) {
    const { phones } = await call(server, 'carRaces.ofSession', { sessionId: id })
    expect(phones.map(phone => phone.sessionId).sort()).toEqual(ofCar21.toSorted())
  }
  const race = await call(server, 'carRaces.ofSession', { sessionId })
  expect(race).toMatchObject({ car: { number: '7' }, race: { name: 'Zolder 6 hours' } })
  expect(race.fills).toHaveLength(1)

  const connection = await new TestConnection(app.url, { authorization: `Bearer ${token}` }).greet()
  onTestFinished(() => connection.close())
  connection.send({ t: 'subscribe', room: `session:${sessionId}` })
  await connection.next('snapshot')
  const fix = await connection.next('fix')
  const position = { latitude: fix.la!, longitude: fix.lo! }
  expect(nearestOnTrack(trackOf(zolder.outline), position).offM).toBeLessThan(20)

  const commandId = crypto.randomUUID()
  const { version } = await call(server, 'messages.set', { sessionId, type: 'Pit', commandId })
  const copied = await connection.next('receipt', ({ receipt }) => receipt.copiedAt !== null)
  expect(copied.version).toBe(version)
  expect(copied.receipt.reachedAt).toBeLessThanOrEqual(copied.receipt.copiedAt!)

  const question = { sessionId, type: 'Fuel' as const, ask: true, commandId: crypto.randomUUID() }
  const asked = await call(server, 'messages.set', question)
  const { answer } = await connection.next('answer')
  expect(answer).toMatchObject({ kind: 'Yes', version: asked.version })
  expect(printed).toHaveLength(1)
})

test('each link leads to a page with one button that signs in and opens the screen', async () => {
  await using app = await appWithMailbox()
  const demo = await runDemo({ url: app.url, devToken, print: () => {} })
  onTestFinished(() => demo.stop())
  for (const [link, name, screen] of [
    [demo.wallLink, 'Ana', 'wall'],
    [demo.pitLink, 'Ana', 'message'],
    [demo.driverLink, 'Mia', 'drive'],
  ] as const) {
    const opened = await fetch(link, { redirect: 'manual' })
    const jar = new CookieJar()
    jar.store(opened)
    const headers = { cookie: jar.header, origin: app.url }
    const page = await fetch(app.url + opened.headers.get('location'), { headers })
    expect(await page.text()).toContain(`<button>Continue as ${name}</button>`)
    const { searchParams } = new URL(link)
    const pressed = await fetch(`${app.url}/dev/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: searchParams,
    })
    expect(pressed.headers.get('location')).toBe(searchParams.get('to'))
    expect(searchParams.get('to')).toMatch(new RegExp(`/${screen}$`))
    const cookie = pressed.headers.getSetCookie().join()
    const me = await fetch(`${app.url}/api/users.me`, { headers: { cookie } })
    expect(await me.json()).toMatchObject({ firstName: name })
  }
})

test('running the demo again reuses the team and ends the previous sessions', async () => {
  await using app = await appWithMailbox()
  const first = await runDemo({ url: app.url, devToken, print: () => {} })
  const second = await runDemo({ url: app.url, devToken, print: () => {} })
  onTestFinished(() => second.stop())
  await first.ended
  expect(idsIn(second.pitLink)[0]).toBe(idsIn(first.pitLink)[0])
  expect(idsIn(second.pitLink)[1]).not.toBe(idsIn(first.pitLink)[1])
})

test('the demo refuses a server that others can reach', async () => {
  const running = runDemo({ url: 'https://pit.example.com', devToken, print: () => {} })
  await expect(running).rejects.toThrow('only runs on this machine')
})

test('with a real mail server, sign-in asks for the code on the terminal', async () => {
  await using app = await testApp()
  const email = 'leo@example.com'
  const { user } = await signIn({
    url: app.url,
    email,
    firstName: 'Leo',
    lastName: 'Sommer',
    device: 'test',
    askForCode: async address => await app.mails.nextCode(address),
  })
  expect(user).toMatchObject({ email, firstName: 'Leo', lastName: 'Sommer' })
})

test('a wrong code is refused with the server’s own code', async () => {
  await using app = await testApp()
  const signing = signIn({
    url: app.url,
    email: 'leo@example.com',
    device: 'test',
    askForCode: async address => {
      const code = await app.mails.nextCode(address)
      return code === '000000' ? '000001' : '000000'
    },
  })
  await expect(signing).rejects.toThrow(Refusal)
  await expect(signing).rejects.toMatchObject({ code: 'code-wrong' })
})

test('a car cannot drive another person’s session', async () => {
  await using app = await appWithMailbox()
  const demo = await runDemo({ url: app.url, devToken, print: () => {} })
  onTestFinished(() => demo.stop())
  const { token, user } = await signIn({
    url: app.url,
    email: 'mia@pitboard.example',
    devToken,
    device: 'test',
  })
  const [, sessionId = ''] = idsIn(demo.pitLink)
  const car = startCar({
    url: app.url,
    token,
    userId: user.id,
    sessionId,
    drive: driveAround(zolder),
  })
  expect(await car.ended).toMatchObject({ why: 'refused', code: 'not-the-driver' })
})

/** The team and session ids of a printed link. */
function idsIn(link: string): string[] {
  const to = new URL(link).searchParams.get('to') ?? ''
  return /^\/teams\/([^/]+)\/([^/]+)\//.exec(to)?.slice(1) ?? []
}
