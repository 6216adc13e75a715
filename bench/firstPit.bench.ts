import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { chromiumAtHome, hasCertutil, trustPaddock } from '#testing/chromiumAtHome.ts'
import { freePort } from '#testing/freePort.ts'
import type { Bench } from './main.ts'

const root = join(import.meta.dirname, '..')
const paddock = '127.0.0.2'
const maxS = 300
const maxCommands = 2

/** The host name of this machine in its certificate, by which the second browser reaches it. */
const laptop = `${hostname().toLowerCase().split('.')[0]}.local`

export const bench: Bench = {
  question: 'from a fresh clone to the first PIT painted on a second browser, without internet',
  async run() {
    if (!hasCertutil) throw new Error('certutil is missing: apt-get install libnss3-tools')
    const folder = await mkdtemp(join(tmpdir(), 'pitboard-first-'))
    const typed: string[][] = []
    const startedAt = performance.now()
    const sinceStartS = () => Math.round((performance.now() - startedAt) / 100) / 10
    let server: ChildProcess | undefined
    const clone = join(folder, 'pitboard')
    try {
      typed.push(['git', 'clone', '--quiet', root, clone])
      const cloned = spawnSync('git', typed[0]?.slice(1), { stdio: 'inherit' })
      if (cloned.status !== 0) throw new Error('git clone failed')
      const clonedS = sinceStartS()

      typed.push(['npm', 'start', '--', '--paddock'])
      server = await start(typed[1] ?? [], clone)
      const { setup, phones } = await printed(server)
      const servedS = sinceStartS()

      const homes = await Promise.all(['pit', 'car'].map(name => trusting(folder, name, phones)))
      const trustedS = sinceStartS()
      const [pitHome = '', carHome = ''] = homes
      await using pit = await chromiumAtHome(pitHome)
      await using car = await chromiumAtHome(carHome, [
        `--host-resolver-rules=MAP ${laptop} ${paddock}`,
      ])
      const wall = await pit.newPage()
      const code = await makeTeam(wall, setup.replace('localhost', paddock))
      const context = await car.newContext({
        permissions: ['geolocation'],
        geolocation: { latitude: 50.99, longitude: 5.25 },
        viewport: { width: 390, height: 844 },
      })
      const phone = await context.newPage()
      const { port } = new URL(wall.url())
      await joinAndDrive(phone, `https://${laptop}:${port}/join/${code}`)
      await sendPit(wall)
      await expect(phone.getByRole('alert')).toHaveText('Pit')
      const firstPitS = sinceStartS()
      if (firstPitS > maxS) throw new Error(`The first PIT took ${firstPitS} s`)
      if (typed.length > maxCommands) throw new Error(`It took ${typed.length} commands`)
      return { commands: typed.length, clonedS, servedS, trustedS, firstPitS }
    } finally {
      await stop(server)
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Starts the server with the typed command. The settings only select free ports and a separate address. */
async function start([command = '', ...args]: string[], cwd: string): Promise<ChildProcess> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  return spawn(command, args, {
    cwd,
    // A separate process group, so that npm and the server can be stopped together.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: '',
      HOST: paddock,
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      DATABASE_URL: '',
      SMTP_URL: '',
    },
  })
}

async function stop(server: ChildProcess | undefined) {
  if (!server?.pid || server.exitCode !== null) return
  const exited = once(server, 'exit')
  process.kill(-server.pid, 'SIGTERM')
  await exited
}

/** Reads the addresses that the server prints. */
function printed(server: ChildProcess): Promise<{ setup: string; phones: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    // Also reads later output, so that a full pipe does not block the server.
    server.stdout?.on('data', chunk => {
      text += String(chunk)
      const setup = /Set up +(\S+)\n/.exec(text)?.[1]
      const phones = /Phones start at +(\S+)/.exec(text)?.[1]
      if (setup && phones) resolve({ setup, phones })
    })
    server.once('exit', () => reject(new Error(`The server did not start:\n${text}`)))
  })
}

/** Creates the home folder of a device that trusts the paddock, and returns its path. */
async function trusting(folder: string, name: string, phones: string): Promise<string> {
  const home = join(folder, name)
  await mkdir(home)
  await trustPaddock(home, phones)
  return home
}

/** Makes the first account and a team, and returns a code to join it. */
async function makeTeam(page: Page, setup: string): Promise<string> {
  await page.goto(setup)
  await page.getByLabel('Email').fill('ana@example.com')
  await page.getByLabel('First Name').fill('Ana')
  await page.getByLabel('Last Name').fill('Lindqvist')
  await page.getByRole('button', { name: 'Make a link' }).click()
  await page.getByRole('link').click()
  await page.getByRole('button', { name: 'Continue as Ana' }).click()
  await page.getByRole('link', { name: 'Add Team' }).click()
  await page.getByLabel('Team Name').fill('Northline Racing')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('link', { name: 'Join by code' }).click()
  await page.getByLabel('Who comes with this code').selectOption('Comes in at once')
  await page.getByRole('button', { name: 'Show a code' }).click()
  const code = await page.locator('[data-code]').innerText()
  return code.replace(' ', '')
}

async function joinAndDrive(page: Page, link: string) {
  await page.goto(link)
  await page.getByLabel('First Name').fill('Mia')
  await page.getByLabel('Last Name').fill('Larsen')
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('link', { name: 'I drive' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Stint 1')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/drive/)
}

async function sendPit(page: Page) {
  await page.goto(new URL('/teams', page.url()).href)
  await page.getByRole('link', { name: 'Northline Racing' }).click()
  await page.getByRole('link', { name: /Stint 1/ }).click()
  await page.getByRole('button', { name: 'PIT', exact: true }).click()
}
