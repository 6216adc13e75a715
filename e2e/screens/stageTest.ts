import { type Browser, test as base, type Page } from '@playwright/test'
import { type BuiltServer, startBuiltServer } from '#testing/builtServer.ts'
import { quickStart } from '#testing/quickStart.ts'
import { type Stage, setStage, stageSettings } from './stage.ts'
import { states } from './states.ts'

/** A driver may start 60 sessions per hour: after this many tests a new server is used. */
const testsPerStage = 40

interface StageFixtures {
  ownStage: OwnStage
  stage: Stage
  server: BuiltServer
}

/** A test with the product and its users. One page is open at a time. */
export const test = base.extend<StageFixtures, { nextStage: () => Promise<OwnStage> }>({
  nextStage: [
    async ({ browser }, provide) => {
      let current: OwnStage | null = null
      let tests = 0
      await provide(async () => {
        if (tests % testsPerStage === 0) {
          await current?.close()
          current = await openStage(browser)
        }
        tests += 1
        return current!
      })
      await (current as OwnStage | null)?.close()
    },
    { scope: 'worker' },
  ],
  ownStage: async ({ nextStage }, provide) => provide(await nextStage()),
  stage: async ({ ownStage }, provide) => provide(ownStage.stage),
  server: async ({ ownStage }, provide) => provide(ownStage.server),
})

interface OwnStage {
  readonly server: BuiltServer
  readonly stage: Stage
  close(): Promise<void>
}

/** Starts a server with a stage of its own. */
async function openStage(browser: Browser): Promise<OwnStage> {
  const server = await startBuiltServer({ nodeOptions: quickStart, settings: stageSettings })
  const stage = await setStage(server, browser)
  return {
    server,
    stage,
    async close() {
      await stage[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}

/** Opens a new page in the state of this name. */
export async function opened(stage: Stage, name: string): Promise<Page> {
  const state = states.find(each => each.name === name)
  if (!state) throw new Error(`There is no state ${name}`)
  const page = await stage.pageOf(state.viewer)
  await state.open(page, stage)
  return page
}
