import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { setStage, stageSettings } from './screens/stage.ts'
import type { State } from './screens/state.ts'
import { states } from './screens/states.ts'

// npm run shots [part of a name…]: every screen in every state, into shots/, for looking at.

const sizes = {
  phone: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
  tablet: { width: 1024, height: 768 },
  desktop: { width: 1440, height: 900 },
}
const themes = ['light', 'dark'] as const
const folder = join(import.meta.dirname, '..', 'shots')

const asked = process.argv.slice(2)
const wanted = states.filter(
  ({ name }) => asked.length === 0 || asked.some(part => name.includes(part)),
)
if (asked.length === 0) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
await shootAll()

async function shootAll() {
  const server = await startBuiltServer({ settings: stageSettings })
  const browser = await chromium.launch(chromiumOptions)
  const stage = await setStage(server, browser)
  try {
    for (const state of wanted) {
      const { name } = state
      const page = await stage.pageOf(state.viewer)
      try {
        await state.open(page, stage)
        await shoot(page, state)
        console.log(name)
      } catch (reason) {
        // One state that cannot be reached keeps nobody from looking at the others.
        console.error(`${name} was not reached: ${String(reason)}`)
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
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    // Turning hides live screens for a moment.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.waitForFunction(() => {
      const { visibility, opacity } = document.documentElement.style
      return visibility !== 'hidden' && opacity !== '0'
    })
    for (const theme of black ? (['dark'] as const) : themes) {
      await page.emulateMedia({ colorScheme: theme })
      await page.screenshot({ path: join(folder, `${name}.${size}.${theme}.png`) })
    }
  }
}
