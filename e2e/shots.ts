import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { startQuickServer } from '#testing/quickServer.ts'
import { readCommandLine, refuseCommandLine } from '../scripts/commandLine.mjs'
import { runDemo } from '../sim/demo/runDemo.ts'
import { takeGuidePictures } from './guidePictures.ts'
import { checkedSizes, layoutFaultsAt, resize } from './screens/layoutFaults.ts'
import { setStage, stageSettings } from './screens/stage.ts'
import type { State } from './screens/state.ts'
import { openState, states } from './screens/states.ts'

const usage = `npm run shots [part of a name…] [320x568…]
    saves screenshots of every screen in every state to shots/
npm run shots -- --check [part of a name…]
    measures them at more sizes, and lists what does not fit
npm run shots guide
    takes the pictures of the documents, from 12 minutes of the demo`

const sizes = {
  phone: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
  tablet: { width: 1024, height: 768 },
  desktop: { width: 1440, height: 900 },
}
const themes = ['light', 'dark'] as const
const folder = join(import.meta.dirname, '..', 'shots')

const { values, words } = readCommandLine({
  usage,
  options: { check: { type: 'boolean', default: false } },
  mostWords: Number.POSITIVE_INFINITY,
})
const names = words.filter(each => !/^\d+x\d+$/.test(each))
const chosenSizes = Object.fromEntries(
  words
    .filter(each => !names.includes(each))
    .map(each => {
      const [width = 0, height = 0] = each.split('x').map(Number)
      return [each, { width, height }]
    }),
)
const selected = states.filter(
  ({ name }) => names.length === 0 || names.some(part => name.includes(part)),
)
/** A person may start 120 sessions an hour, and a state starts up to three. */
const statesOfServer = 40

if (names[0] === 'guide') await shootGuide()
else if (selected.length === 0)
  refuseCommandLine(`No screen has ${names.join(', ')} in its name.`, usage)
else if (values.check) await openAll(measure)
else {
  if (names.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await openAll(shoot)
}

async function shootGuide() {
  const devToken = 'token-of-the-guide'
  const settings = { DEV: '1', DEV_TOKEN: devToken, SMTP_URL: '' }
  const server = await startBuiltServer({ settings })
  const browser = await chromium.launch(chromiumOptions)
  const demo = await runDemo({ url: server.url, devToken, print: console.log })
  try {
    // Every car has stopped, and has laps to compare.
    await pause(12 * 60_000)
    await takeGuidePictures(browser, demo, join(import.meta.dirname, '..', 'docs', 'images'))
  } finally {
    await demo.stop()
    await browser.close()
    await server.stop()
  }
}

/** Opens each selected state and passes its page on. */
async function openAll(look: (page: Page, state: State) => Promise<void>) {
  const browser = await chromium.launch(chromiumOptions)
  try {
    for (let first = 0; first < selected.length; first += statesOfServer)
      await openSome(browser, selected.slice(first, first + statesOfServer), look)
  } finally {
    await browser.close()
  }
}

async function openSome(
  browser: Browser,
  some: readonly State[],
  look: (page: Page, state: State) => Promise<void>,
) {
  const server = await startQuickServer({ settings: stageSettings })
  const stage = await setStage(server, browser)
  try {
    for (const state of some) {
      const { name } = state
      const page = await stage.pageOf(state.viewer)
      try {
        await openState(state, page, stage)
        await look(page, state)
        console.log(name)
      } catch (reason) {
        // A state that fails does not prevent the others.
        console.error(`Failed to open ${name}: ${String(reason)}`)
        process.exitCode = 1
      }
    }
  } finally {
    await stage[Symbol.asyncDispose]()
    await server.stop()
  }
}

/** Prints what does not fit at each size. */
async function measure(page: Page, { name, atOnce }: State) {
  const faults = await layoutFaultsAt(page, checkedSizes, atOnce)
  for (const fault of faults) console.log(`${name} ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}

async function shoot(page: Page, { name, black = false }: State) {
  const devtools = await page.context().newCDPSession(page)
  for (const [label, size] of Object.entries(words.length > names.length ? chosenSizes : sizes)) {
    await resize(page, devtools, size)
    for (const theme of black ? (['dark'] as const) : themes) {
      await page.emulateMedia({ colorScheme: theme })
      // Charts are drawn again in the next frame.
      await page.evaluate(() => new Promise(requestAnimationFrame))
      const { data } = await devtools.send('Page.captureScreenshot')
      await writeFile(join(folder, `${name}.${label}.${theme}.png`), data, 'base64')
    }
  }
}
