import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { startQuickServer } from '#testing/quickServer.ts'
import { runDemo } from '../sim/demo/runDemo.ts'
import { takeGuidePictures } from './guidePictures.ts'
import { setStage, stageSettings } from './screens/stage.ts'
import type { State } from './screens/state.ts'
import { openState, states } from './screens/states.ts'

// npm run shots [part of a name…]: saves screenshots of every screen in every state to shots/.
// npm run shots guide: takes the pictures of the documents, from 15 minutes of the demo.

const sizes = {
  phone: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
  tablet: { width: 1024, height: 768 },
  desktop: { width: 1440, height: 900 },
}
const themes = ['light', 'dark'] as const
const folder = join(import.meta.dirname, '..', 'shots')

const names = process.argv.slice(2)
const selected = states.filter(
  ({ name }) => names.length === 0 || names.some(part => name.includes(part)),
)
if (names[0] === 'guide') await shootGuide()
else {
  if (names.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await shootAll()
}

async function shootGuide() {
  const devToken = 'token-of-the-guide'
  const settings = { DEV: '1', DEV_TOKEN: devToken, SMTP_URL: '' }
  const server = await startBuiltServer({ settings })
  const browser = await chromium.launch(chromiumOptions)
  const demo = await runDemo({ url: server.url, devToken, print: console.log })
  try {
    // Every car has stopped, and has laps to compare.
    await pause(15 * 60_000)
    await takeGuidePictures(browser, demo, join(import.meta.dirname, '..', 'docs', 'images'))
  } finally {
    await demo.stop()
    await browser.close()
    await server.stop()
  }
}

async function shootAll() {
  const server = await startQuickServer({ settings: stageSettings })
  const browser = await chromium.launch(chromiumOptions)
  const stage = await setStage(server, browser)
  try {
    for (const state of selected) {
      const { name } = state
      const page = await stage.pageOf(state.viewer)
      try {
        await openState(state, page, stage)
        await shoot(page, state)
        console.log(name)
      } catch (reason) {
        // A state that fails does not prevent the others.
        console.error(`Failed to open ${name}: ${String(reason)}`)
        process.exitCode = 1
      }
    }
  } finally {
    await stage[Symbol.asyncDispose]()
    await browser.close()
    await server.stop()
  }
}

async function shoot(page: Page, { name, black = false }: State) {
  const devtools = await page.context().newCDPSession(page)
  for (const [size, viewport] of Object.entries(sizes)) {
    // Playwright resizes the window, which the headless shell refuses in full screen.
    await devtools.send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      deviceScaleFactor: 1,
      mobile: false,
    })
    // Live screens are hidden for a moment after a rotation.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.waitForFunction(() => {
      const { visibility, opacity } = document.documentElement.style
      return visibility !== 'hidden' && opacity !== '0'
    })
    for (const theme of black ? (['dark'] as const) : themes) {
      await page.emulateMedia({ colorScheme: theme })
      // Charts are drawn again in the next frame.
      await page.evaluate(() => new Promise(requestAnimationFrame))
      const { data } = await devtools.send('Page.captureScreenshot')
      await writeFile(join(folder, `${name}.${size}.${theme}.png`), data, 'base64')
    }
  }
}
