import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { driveAround, loopOf, sampleAt } from '#testing/drives.ts'
import type { Demo } from '../sim/demo/runDemo.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const windscreen = { width: 844, height: 390 }

type Size = typeof desktop

/** Saves the pictures of the documents, taken from a demo whose cars have driven some laps. */
export async function takeGuidePictures(browser: Browser, demo: Demo, folder: string) {
  const shoot = async (page: Page, name: string) => {
    const devtools = await page.context().newCDPSession(page)
    const options = { format: 'webp', quality: 75 } as const
    const { data } = await devtools.send('Page.captureScreenshot', options)
    await writeFile(join(folder, `${name}.webp`), data, 'base64')
  }

  const wall = await signIn(browser, demo.wallLink, desktop)
  await wall.getByRole('article').nth(2).waitFor()
  await wall.keyboard.press('1')
  const driver = await signIn(browser, demo.driverLink, windscreen)
  await using gps = await startGps(driver)
  await driver.getByText('km/h').first().waitFor()
  await driver.setViewportSize(phone)
  await wall.keyboard.press('c')
  await driver.getByRole('alert').getByText(/./).waitFor({ state: 'detached' })
  await driver.goto(`${driver.url()}?checks`)
  await driver.getByRole('button', { name: /^Drive/ }).waitFor()
  await gps.settle()
  await shoot(driver, 'checks')
  await driver.getByRole('button', { name: /^Drive/ }).click()
  gps.drive()
  // A window in full screen keeps its size.
  await driver.evaluate(() => document.fullscreenElement && document.exitFullscreen())
  await driver.setViewportSize(windscreen)

  await wall.keyboard.press('u')
  await driver.getByRole('alert').getByText('Push', { exact: true }).waitFor()
  await gps.settle()
  await shoot(driver, 'drive')
  await driver.getByRole('main').click()
  await wall.getByRole('article').nth(1).getByText('Copied after').waitFor()
  await wall.keyboard.press('7')
  await wall.keyboard.press('p')
  await wall.getByRole('article').first().getByText('Copied after').waitFor()
  await gps.settle()
  await shoot(wall, 'wall')

  await wall.keyboard.press('1')
  await wall.keyboard.press('c')
  await driver.setViewportSize(phone)
  await driver.getByText('Last lap').waitFor()
  await gps.settle()
  await shoot(driver, 'board')

  const pit = await signIn(browser, demo.pitLink, phone)
  await pit.getByText(/^Copied after/).waitFor()
  await gps.settle()
  await shoot(pit, 'message')
  // After a stop whose litres are not entered they take the place of the figures.
  await pit.locator('[data-stint-line], [data-litres] button').first().click()
  const dialog = pit.getByRole('dialog')
  await dialog.waitFor()
  const add = dialog.getByRole('button', { name: 'Add litres' })
  if (await add.isVisible()) await add.click()
  await dialog.getByText('How many litres went in?').waitFor()
  await gps.settle()
  await shoot(pit, 'refuel')

  const session = pit.url().replace(/\/message.*/, '')
  await pit.setViewportSize(desktop)
  await pit.goto(`${session}/laps`)
  await pit.locator('canvas').waitFor()
  await shoot(pit, 'laps')
}

/** Opens a link of the demo in a browser of its own. */
async function signIn(browser: Browser, link: string, viewport: Size): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: viewport === desktop ? 1 : 2,
    colorScheme: 'dark',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    permissions: ['geolocation', 'screen-wake-lock'],
  })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: /^Continue as/ }).click()
  await page.waitForURL('**/teams/**')
  return page
}

/** Reports positions twice a second: of a car that stands on the line of Zolder, and then drives. */
async function startGps(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const drive = loopOf(driveAround(zolder))
  let startedAt: number | null = null
  const report = async () => {
    const { latitude, longitude, speedMps } = sampleAt(
      drive,
      Date.now() - (startedAt ?? Date.now()),
    )
    const speed = startedAt === null ? 0 : speedMps
    const reading = { latitude, longitude, accuracy: 4, speed }
    await devtools.send('Emulation.setGeolocationOverride', reading).catch(() => undefined)
  }
  const timer = setInterval(() => void report(), 500)
  return {
    drive: () => {
      startedAt = Date.now()
    },
    /** Waits until the screens show it. */
    settle: () => new Promise(resolve => setTimeout(resolve, 3000)),
    [Symbol.asyncDispose]: async () => clearInterval(timer),
  }
}
