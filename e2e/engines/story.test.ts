import { rm } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { type BuiltServer, migratedDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { driveAround, durationMs, sampleAt } from '#testing/drives.ts'
import { quickStart } from '#testing/quickStart.ts'
import { buildNext } from '../builds.ts'
import { storeFixes } from '../drive/unsentFixes.ts'
import { chromium } from './chromium.ts'
import { firefox } from './firefox.ts'
import { Screen } from './screen.ts'
import { webkit } from './webkit.ts'

const engines = [chromium, firefox, webkit]
const ana = { firstName: 'Ana', lastName: 'Lindqvist', email: 'ana@northline.example' }
const leo = { firstName: 'Leo', lastName: 'Garnier', email: 'leo@northline.example' }
const word = '[role=alert] p'
const board = '[aria-label="Current message"]'
const lap = driveAround(spaFrancorchamps)

/** Errors that the console shows of a server that is away, a page that reloads, and laps older than the session. */
const expected =
  /unreachable|ERR_CONNECTION_REFUSED|WebSocket|Failed to load|establish a connection|was interrupted|outside-session/

let next = ''
beforeAll(async () => {
  next = await buildNext('dist/next')
})

for (const { name, find, start } of engines) {
  const program = await find()
  test.skipIf(program === null).concurrent(`${name} runs the whole story`, async () => {
    const dataDir = await migratedDataDir()
    const serve = (build: string, port = 0) =>
      startBuiltServer({ build, port, dataDir, nodeOptions: quickStart })
    let server = await serve('dist')
    await using engine = await start(program ?? '')
    try {
      const pit = new Screen(await engine.newTab({ width: 1024, height: 730 }), server.url)
      const car = new Screen(await engine.newTab({ width: 844, height: 390 }), server.url)
      await signUp(pit, server, ana)
      await signUp(car, server, leo)
      await makeTeam(pit)
      await car.press('Accept the invitation')
      await startSession(car)
      await pit.press('Friday practice 1')
      await pit.see(/Leo Garnier/, 'h1')
      await prepare(car)
      await sendMessages(pit, car)
      await followOnMap(pit, car)
      expect(errorsOf(pit, car), 'errors on the console').toEqual([])

      await server.stop()
      await car.see(/Offline/)
      await car.locate({ ...spaFrancorchamps.startFinish, speed: 2 })
      await car.until(hasUnsentFixes, true)
      await seeLaps(car)
      await pit.open('/teams')
      await pit.see(/You are offline/)
      server = await serve(next, Number(new URL(server.url).port))
      await car.see(/Online/)
      await pit.open('/teams')
      await update(pit)
      const others = errorsOf(pit, car).filter(each => !expected.test(each))
      expect(others, 'errors on the console').toEqual([])
    } finally {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  })
}

test('all three engines are installed where they must be', async () => {
  const found = await Promise.all(engines.map(async ({ name, find }) => (await find()) && name))
  const required = process.env.ALL_ENGINES ? engines.map(({ name }) => name) : ['Chromium']
  expect(found).toEqual(expect.arrayContaining(required))
})

/** A receiver has no position at first, which the app reports. */
function errorsOf(...screens: Screen[]): string[] {
  return screens
    .flatMap(({ tab }) => tab.errors)
    .filter(each => !each.includes('The device provides no position'))
}

async function signUp(screen: Screen, { mails }: BuiltServer, person: typeof ana) {
  await screen.open('/auth/sign-up')
  await screen.fill('First Name', person.firstName)
  await screen.fill('Last Name', person.lastName)
  await screen.fill('Email', person.email)
  await screen.press('Sign Up')
  await screen.fill('One-time Code', await mails.nextCode(person.email))
  await screen.press('Complete')
  await screen.see(/No Teams/)
}

async function makeTeam(pit: Screen) {
  await pit.press('Add Team')
  await pit.fill('Team Name', 'Northline Racing')
  await pit.press('Add')
  await pit.see(/No Active Sessions/)
  await pit.press('Members')
  await pit.press('Invite')
  await pit.fill('First Name', leo.firstName)
  await pit.fill('Last Name', leo.lastName)
  await pit.fill('Email', leo.email)
  await pit.press('Invite')
  await pit.see(/Leo Garnier/)
  await pit.press('Back')
}

async function startSession(car: Screen) {
  await car.locate({ ...spaFrancorchamps.startFinish, speed: 0 })
  await car.press('Start a new Race Session')
  await car.fill('Name', 'Friday practice 1')
  await car.press('Start')
  await car.see(/Online/)
}

/** Get ready, and the tap that starts: full screen, wake lock, audio. */
async function prepare(car: Screen) {
  await car.locate({ ...spaFrancorchamps.startFinish, speed: 1 })
  await car.see(/±4 m/)
  await car.press('Drive')
}

/** Each message fills the screen and comes back with its receipt. */
async function sendMessages(pit: Screen, car: Screen) {
  for (const type of messageTypes) {
    await pit.press(type)
    await car.see(new RegExp(`^${type}$`, 'i'), word)
    await car.until(fits, true, word)
    await pit.see(/Shown after/, board)
  }
  await car.pressMiddle()
  await pit.see(/Copied after/, board)
  await pit.press('Clear')
  await car.seeNo(word)
}

/** Runs in the page: checks that the element's text fits the width of the screen. */
function fits(selector: string): boolean {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector(selector) ?? document.body)
  const { left, right } = range.getBoundingClientRect()
  return left >= 0 && right <= innerWidth
}

async function followOnMap(pit: Screen, car: Screen) {
  const { latitude, longitude, speedMps } = sampleAt(lap, durationMs(lap) / 2)
  await car.locate({ latitude, longitude, speed: speedMps })
  await pit.see(new RegExp(`\\b${Math.round(speedMps * kmhPerMps)}\\b`), board)
  await pit.press('Map')
  await pit.until(
    () => document.querySelector('[data-car]')?.getAttribute('data-latitude')?.slice(0, 6),
    String(latitude).slice(0, 6),
  )
  await pit.press('Message')
}

/** Shows laps driven without a connection, after a reload. */
async function seeLaps(car: Screen) {
  const driven = await car.tab.run(readDriven)
  const fromMs = Date.now() - 3.5 * durationMs(lap)
  const seconds = Math.floor((Date.now() - fromMs) / 1000)
  const fixes = Array.from({ length: seconds }, (_, second) => {
    const { latitude, longitude, speedMps } = sampleAt(lap, second * 1000)
    const speedKmh = Math.round(speedMps * kmhPerMps)
    const at = Math.round(fromMs + second * 1000)
    return { ...driven, at, latitude, longitude, speedKmh, accuracyM: 4 }
  })
  await car.tab.run(storeFixes, fixes)
  await car.open(await car.path())
  await car.see(/Lap 3\s+\d:\d\d\.\d/, '[aria-label=Laps]')
}

/** Runs in the page: whether it has stored a position that it could not send. */
async function hasUnsentFixes(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === 'pitboard.fixes')
}

/** Runs in the page: reads the user and the session of the fixes that it stores. */
function readDriven(): { userId: string; sessionId: string } {
  const { user } = JSON.parse(localStorage.getItem('pitboard.login') ?? '{}')
  return { userId: user.id, sessionId: location.pathname.split('/')[3] ?? '' }
}

async function update(pit: Screen) {
  await pit.until(
    () =>
      document.querySelector<HTMLMetaElement>('meta[name=app-version]')?.content.endsWith('.next'),
    true,
  )
  await pit.see(/Northline Racing/)
}
