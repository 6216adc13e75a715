import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { expect, test } from '@playwright/test'
import { Authority } from '#server/https/authority.ts'
import { type BuiltServer, migratedDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { chromiumAtHome, hasCertutil, trustPaddock } from '#testing/chromiumAtHome.ts'
import { freePort } from '#testing/freePort.ts'

test.skip(!hasCertutil, 'certutil (libnss3-tools), which installs a root certificate, is missing')

const paddock = '127.0.0.2'
const bank = 'bank.example'

let home: string
let dataDir: string
let server: BuiltServer
let start: string

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'pitboard-home-'))
  dataDir = await migratedDataDir()
  const httpPort = await freePort()
  start = `http://${paddock}:${httpPort}`
  server = await startBuiltServer({
    dataDir,
    settings: {
      HTTPS: 'paddock',
      HOST: paddock,
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: '0',
      DATABASE_URL: '',
    },
  })
})
test.afterAll(async () => {
  await server.stop()
  await Promise.all([home, dataDir].map(folder => rm(folder, { recursive: true })))
})

async function browserAtHome(args: string[] = []) {
  const browser = await chromiumAtHome(home, args)
  return { browser, page: await browser.newPage(), [Symbol.asyncDispose]: () => browser.close() }
}

test('a device that trusts the paddock goes on into the app, and no further', async () => {
  {
    await using device = await browserAtHome()
    const refused = device.page.waitForEvent('requestfailed')
    await device.page.goto(start)
    expect((await refused).url()).toBe(`${server.url}/healthz`)
    await expect(device.page.getByRole('heading', { name: 'Trust this paddock' })).toBeVisible()
    // The app's own font, from this laptop.
    expect(await device.page.evaluate(loadedFonts)).toEqual(['Archivo'])
    await device.page.getByText('Android', { exact: true }).click()
    await expect(device.page.getByText('Choose pitboard.crt')).toBeVisible()
  }
  await trustPaddock(home, start)

  const { port: bankPort, close } = await startBank()
  await using device = await browserAtHome([
    `--host-resolver-rules=MAP ${bank} ${paddock}:${bankPort}`,
  ])
  const { page } = device
  await page.goto(start)
  await expect(page.getByText('This device trusts the paddock')).toBeVisible()
  await page.getByRole('link', { name: 'Open Pitboard' }).click()
  await expect(page).toHaveURL(new RegExp(`^${server.url}/`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(readConnection)).toEqual({ isSecure: true, protocol: 'h2' })

  await expect(page.goto(`https://${bank}/`)).rejects.toThrow('ERR_CERT')
  close()
})

async function loadedFonts() {
  const fonts = await document.fonts.ready
  return [...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)
}

function readConnection() {
  const [visit] = performance.getEntriesByType('navigation')
  return {
    isSecure: isSecureContext,
    protocol: (visit as PerformanceNavigationTiming).nextHopProtocol,
  }
}

/** A site with a public name, whose certificate a thief of the authority's key has made. */
async function startBank() {
  const authority = await Authority.open(dataDir, [], Date.now())
  const site = createServer(await authority.issue([bank], Date.now()))
  site.listen(0, paddock)
  await once(site, 'listening')
  return { port: (site.address() as { port: number }).port, close: () => site.close() }
}
