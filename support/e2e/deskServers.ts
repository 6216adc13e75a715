import { type Browser, chromium } from '@playwright/test'
import { type OpenReplay, projectKey, startOpenReplay } from '#support/testing/openReplay.ts'
import type { BuiltServer } from '#testing/builtServer.ts'
import { quickChromium } from '#testing/chromium.ts'
import { startQuickServer } from '#testing/quickServer.ts'
import { PagePool } from '../../e2e/pagePool.ts'

/** A host name other than localhost, whose origin browsers treat as secure although it uses plain HTTP. */
export const site = 'http://support.localhost'
export const replaySite = 'http://replay.localhost'

const agentNames = ['sam', 'mia', 'wilhelmina-margarethe']
export const addressOf = (firstName: string) => `${firstName}@support.example`

/** The product with its built-in support desk as `site`. */
export interface Desk extends AsyncDisposable {
  server: BuiltServer
  browser: Browser
  pages: PagePool
}

/** The product as `site`, with an OpenReplay server as its support desk. */
export interface OpenReplayDesk extends AsyncDisposable {
  server: BuiltServer
  /** OpenReplay 1.20, with calls. */
  replay: OpenReplay
  browser: Browser
}

export async function startDesk(): Promise<Desk> {
  const admins = agentNames.map(addressOf).join(',')
  const settings = { SUPPORT_BUILTIN: '1', SUPPORT_ADMINS: admins }
  const server = await startQuickServer({ settings })
  const browser = await launchBrowser({ [site]: server.url })
  const pages = new PagePool(browser)
  return {
    server,
    browser,
    pages,
    async [Symbol.asyncDispose]() {
      await pages.close()
      await browser.close()
      await server.stop()
    },
  }
}

export async function startOpenReplayDesk(): Promise<OpenReplayDesk> {
  const replay = await startOpenReplay()
  const settings = { SUPPORT_INGEST_URL: `${replaySite}/ingest`, SUPPORT_PROJECT_KEY: projectKey }
  const server = await startQuickServer({ settings })
  const browser = await launchBrowser({ [site]: server.url, [replaySite]: replay.url })
  return {
    server,
    replay,
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server.stop()
      await replay.stop()
    },
  }
}

/** Launches a browser with fake microphones, which finds these sites at these addresses. */
function launchBrowser(addresses: Record<string, string>): Promise<Browser> {
  const rules = Object.entries(addresses).map(
    ([name, url]) => `MAP ${new URL(name).host}:80 127.0.0.1:${new URL(url).port}`,
  )
  return chromium.launch({
    ...quickChromium,
    args: [
      ...(quickChromium.args ?? []),
      `--host-resolver-rules=${rules.join(',')}`,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
}
