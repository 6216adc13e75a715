// Finds a Chromium for the browser tests.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runTool } from './run.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Path of a Chromium or Chrome that is here: CHROMIUM_PATH, Playwright's own, or the system's. */
export async function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const { chromium } = await import('@playwright/test')
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const inSystem = names.flatMap(name => folders.map(folder => join(folder, name)))
  return [chromium.executablePath(), ...inSystem].find(isProgram)
}

/** The same, installing Playwright's own where there is none. Without one it says how to get one and answers undefined. */
export async function ensureChromium() {
  const found = await findChromium()
  if (found) return found
  console.log('No Chromium here: installing one for the browser tests…')
  await runTool('playwright', ['install', 'chromium'])
  const installed = await findChromium()
  if (!installed) {
    console.error(
      'The browser tests need a Chromium: install Chromium or Chrome (on Debian `apt-get install chromium`), or set CHROMIUM_PATH to one.',
    )
  }
  return installed
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
