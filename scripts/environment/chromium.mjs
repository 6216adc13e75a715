// Finds Chromium for the browser tests, or installs it.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run, runTool } from '../run.mjs'

/** The package of Debian: the same engine without windows, for which browser tests need a third less time. */
const headlessShell = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Returns the path of an installed Chromium or Chrome: CHROMIUM_PATH, Debian's headless shell, Playwright's, or the system's. */
export async function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const { chromium } = await import('@playwright/test')
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const inSystem = (/** @type {string} */ name) => folders.map(folder => join(folder, name))
  return [...inSystem(headlessShell), chromium.executablePath(), ...names.flatMap(inSystem)].find(
    isProgram,
  )
}

/**
 * Like findChromium, but installs Chromium if it is missing: by Playwright's download, else from the package of
 * Debian or Ubuntu if that needs no password. If both fail it prints how to install one and returns undefined.
 */
export async function ensureChromium() {
  const found = await findChromium()
  if (found) return found
  console.log('Chromium is not installed: installing it for the browser tests…')
  await runTool('playwright', ['install', 'chromium'])
  const installed = (await findChromium()) ?? (await installPackage())
  if (!installed) {
    console.error(
      'The browser tests need a Chromium: install Chromium or Chrome (on Debian `apt-get install chromium`), or set CHROMIUM_PATH to one.',
    )
  }
  return installed
}

async function installPackage() {
  if (!existsSync('/usr/bin/apt-get')) return undefined
  const isRoot = process.getuid?.() === 0
  const asRoot = (...command) =>
    isRoot ? run(command[0], command.slice(1)) : run('sudo', ['--non-interactive', ...command])
  try {
    if ((await asRoot('true')) !== 0) return undefined
    await asRoot('apt-get', 'update', '-q')
    const install = ['apt-get', 'install', '-yq', '--no-install-recommends']
    if ((await asRoot(...install, headlessShell)) !== 0) await asRoot(...install, 'chromium')
  } catch (error) {
    // sudo is not installed.
    console.error(error.message)
  }
  return findChromium()
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
