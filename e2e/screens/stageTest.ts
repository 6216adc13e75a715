import { test as base, type Page } from '@playwright/test'
import { type BuiltServer, startBuiltServer } from '#testing/builtServer.ts'
import { quickStart } from '#testing/quickStart.ts'
import { type Stage, setStage, stageSettings } from './stage.ts'
import { states } from './states.ts'

/** A test with the product and its users. One page is open at a time. */
export const test = base.extend<object, { server: BuiltServer; stage: Stage }>({
  server: [
    // Playwright requires a destructuring pattern, empty for a fixture without dependencies.
    async ({}, provide) => {
      const server = await startBuiltServer({ nodeOptions: quickStart, settings: stageSettings })
      await provide(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  stage: [
    async ({ browser, server }, provide) => {
      await using stage = await setStage(server, browser)
      await provide(stage)
    },
    { scope: 'worker' },
  ],
})

/** Opens a new page in the state of this name. */
export async function opened(stage: Stage, name: string): Promise<Page> {
  const state = states.find(each => each.name === name)
  if (!state) throw new Error(`There is no state ${name}`)
  const page = await stage.pageOf(state.viewer)
  await state.open(page, stage)
  return page
}
