import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { type BuiltServer, startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { driveAround } from '#testing/drives.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { cookieName } from '#testing/people/logins.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { contextOf } from '#testing/people/scene.ts'
import { type Car, startCar } from '../sim/car.ts'
import type { Bench } from './main.ts'

const cars = 8
const settleS = 15
const watchedS = 40

export const bench: Bench = {
  question: 'processor time of the pit wall with eight cars that report once a second',
  async run() {
    const server = await startBuiltServer()
    const browser = await chromium.launch(chromiumOptions)
    const driven: Car[] = []
    try {
      const people = await Promise.all(Array.from({ length: cars }, (_, n) => member(server, n)))
      const [owner, ...others] = people
      if (!owner) throw new Error('The bench has no cars')
      const { id: teamId } = await createTeam(owner, others)
      for (const [n, person] of people.entries())
        driven.push(await driver(server.url, person, teamId, n))
      const context = await contextOf(browser, server.url, owner)
      const page = await context.newPage()
      await page.setViewportSize({ width: 1920, height: 1080 })
      await page.goto(`/teams/${teamId}/wall?big`)
      await page
        .locator('article')
        .nth(cars - 1)
        .waitFor()
      const devtools = await browser.newBrowserCDPSession()
      const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
      const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
      const metrics = await context.newCDPSession(page)
      // Without time in which the thread waits for a core.
      await metrics.send('Performance.enable', { timeDomain: 'threadTicks' })
      await pause(settleS * 1000)
      const moves = await countMoves(page)
      const read = async () => {
        const now = await devtools.send('SystemInfo.getProcessInfo')
        const own = now.processInfo.filter(({ id }) => renderers.includes(id))
        const task = (await metrics.send('Performance.getMetrics')).metrics.find(
          ({ name }) => name === 'TaskDuration',
        )
        return {
          rendererS: own.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
          mainThreadS: task?.value ?? Number.NaN,
        }
      }
      const before = await read()
      await pause(watchedS * 1000)
      const after = await read()
      const moved = await moves()
      // Without moving cars an idle page would be measured.
      if (moved < 0.8 * cars * watchedS) throw new Error(`Only ${moved} positions were drawn`)
      const percent = (s: number) => Math.round((s / watchedS) * 1000) / 10
      return {
        cars,
        watchedS,
        positionsDrawn: moved,
        mainThreadPercent: percent(after.mainThreadS - before.mainThreadS),
        rendererPercent: percent(after.rendererS - before.rendererS),
      }
    } finally {
      await Promise.all(driven.map(car => car.stop()))
      await browser.close()
      await server.stop()
    }
  },
}

function member({ url, mails }: BuiltServer, n: number): Promise<Person> {
  const email = `driver-${n}@northline.example`
  return createPerson(url, mails, { firstName: 'Driver', lastName: `Number ${n}`, email })
}

/** Starts the session of a person, with a car of the roster, and drives it. */
async function driver(url: string, person: Person, teamId: string, n: number): Promise<Car> {
  const car = { id: crypto.randomUUID(), number: String(n + 1), name: null, carClass: null }
  const tank = { tankL: 80, reserveL: 4, burnL: 2 }
  await person.call.roster.saveCar({ teamId, car: { ...car, ...tank } })
  const name = `Car ${n + 1}`
  const { id: sessionId } = await person.call.sessions.start({ teamId, name, carId: car.id })
  const drive = driveAround(zolder, { noiseM: 1.5, laps: 3, seed: n + 1 })
  return startCar({
    url,
    token: person.jar.get(cookieName) ?? '',
    userId: person.id,
    sessionId,
    drive,
  })
}

/** Counts how often a car was drawn at another place, until the result is called. */
async function countMoves(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { moved: number }
    counted.moved = 0
    for (const car of document.querySelectorAll('[data-car]')) {
      const observer = new MutationObserver(changes => {
        counted.moved += changes.length
      })
      observer.observe(car, { attributes: true, attributeFilter: ['transform'] })
    }
  })
  return () => page.evaluate(() => (window as unknown as { moved: number }).moved)
}
