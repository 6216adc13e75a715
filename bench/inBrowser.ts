import { type Browser, chromium } from '@playwright/test'
import {
  type BuiltServer,
  type BuiltServerOptions,
  startBuiltServer,
} from '#testing/builtServer.ts'
import { chromiumOptions } from '#testing/chromium.ts'
import { createScene, type Scene } from '#testing/people/scene.ts'

/** The measured build; `BENCH_BUILD` names another one as a folder, such as `../other/dist`. */
export const build = process.env.BENCH_BUILD ?? 'dist'

export interface InBrowser {
  server: BuiltServer
  browser: Browser
  scene: Scene
}

/** Measures with a server of its own, a browser, and a team of two. */
export async function inBrowser<Measured>(
  measure: (parts: InBrowser) => Promise<Measured>,
  settings: BuiltServerOptions['settings'] = {},
): Promise<Measured> {
  const server = await startBuiltServer({ build, settings })
  const browser = await chromium.launch(chromiumOptions)
  try {
    return await measure({ server, browser, scene: await createScene(server) })
  } finally {
    await browser.close()
    await server.stop()
  }
}
