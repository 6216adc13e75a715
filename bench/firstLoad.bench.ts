import { type Browser, chromium } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import type { Person } from '#testing/people/person.ts'
import { contextOf, createScene } from '#testing/people/scene.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'

export const bench: Bench = {
  question: 'requests and bytes of a first visit',
  async run() {
    const server = await startBuiltServer()
    const browser = await chromium.launch(chromiumOptions)
    try {
      const scene = await createScene(server)
      const signIn = await firstLoad(
        browser,
        server.url,
        '/auth/sign-in',
        'Sign in to your account',
      )
      const drive = await firstLoad(browser, server.url, scene.drivePath, 'No GPS', scene.leo)
      return { ...named('signIn', signIn), ...named('drive', drive) }
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}

interface Load {
  requests: number
  bytes: number
  scriptBytes: number
}

/** Opens a page with an empty cache, until `text` is visible and no request has finished for a second. */
async function firstLoad(
  browser: Browser,
  url: string,
  path: string,
  text: string,
  person?: Person,
): Promise<Load> {
  const context = await contextOf(browser, url, person)
  await context.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const load: Load = { requests: 0, bytes: 0, scriptBytes: 0 }
  const scripts = new Set<string>()
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    load.requests += 1
    load.bytes += encodedDataLength
    if (scripts.has(requestId)) load.scriptBytes += encodedDataLength
  })
  await page.goto(path, { waitUntil: 'load' })
  await page.getByText(text).first().waitFor()
  for (let before = -1; before !== load.requests; ) {
    before = load.requests
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
  await context.close()
  return load
}

function named(what: string, { requests, bytes, scriptBytes }: Load): Figures {
  return {
    [`${what}Requests`]: requests,
    [`${what}KB`]: Math.round(bytes / 100) / 10,
    [`${what}ScriptKB`]: Math.round(scriptBytes / 100) / 10,
  }
}
