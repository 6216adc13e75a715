import type { Page } from '@playwright/test'
import type { BuiltServer } from '#testing/builtServer.ts'
import { test as base } from '../workerFixtures.ts'
import type { OwnStage, Stage } from './stage.ts'
import { openState, stateNamed } from './states.ts'

interface StageFixtures {
  ownStage: OwnStage
  stage: Stage
  /** The server of the stage. */
  stageServer: BuiltServer
}

/** A test with the product and its users. One page is open at a time. */
export const test = base.extend<StageFixtures>({
  ownStage: async ({ nextStage }, provide) => {
    const own = await nextStage()
    await provide(own)
    await own.stage.leave()
  },
  stage: async ({ ownStage }, provide) => provide(ownStage.stage),
  stageServer: async ({ ownStage }, provide) => provide(ownStage.server),
})

/** Opens a new page in the state of this name. */
export async function opened(stage: Stage, name: string): Promise<Page> {
  const state = stateNamed(name)
  const page = await stage.pageOf(state.viewer)
  await openState(state, page, stage)
  return page
}
