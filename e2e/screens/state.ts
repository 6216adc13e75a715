import type { Page } from '@playwright/test'
import type { Stage, Viewer } from './stage.ts'

/** A screen in one of its states. */
export interface State {
  name: string
  viewer: Viewer
  /** Whether it looks the same in both themes. */
  black?: boolean
  /** Name of the state that this one continues, in the same page. */
  from?: string
  /** Leaves the page in this state. It begins in the state `from`, or in an empty page. */
  open: (page: Page, stage: Stage) => Promise<unknown>
  /** Returns to the state `from`, which another state then continues. Only the last of them has none. */
  leave?: (page: Page) => Promise<unknown>
}

/** A state that continues the state of this name. */
export function continuing(from: string, state: State, leave?: State['leave']): State {
  return { ...state, from, ...(leave && { leave }) }
}
