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
  /** Whether it can be opened in the page of another such state, without loading the app again. */
  sharesPage?: boolean
  /** Brings the page from the state `from`, or an empty page, into this state. */
  open: (page: Page, stage: Stage) => Promise<unknown>
  /** Returns to the state `from` for the next state that continues it. The last one needs none. */
  leave?: (page: Page) => Promise<unknown>
}

/** Returns a state that continues the state with this name. */
export function continuing(from: string, state: State, leave?: State['leave']): State {
  return { ...state, from, ...(leave && { leave }) }
}

/**
 * Returns a state that can be opened in the page of another one. Its screen is opened by `visit`, and depends on no data
 * that another state left in the page, such as that of its team. A call that it keeps pending is sent to the server
 * before the next state opens, and must not open another screen.
 */
export function sharing(state: State): State {
  return { ...state, sharesPage: true }
}
