import type { Page } from '@playwright/test'
import type { Stage, Viewer } from './stage.ts'

/** A screen in one of its states. `open` leaves the page in it. */
export interface State {
  name: string
  viewer: Viewer
  /** Whether it looks the same in both themes. */
  black?: boolean
  open: (page: Page, stage: Stage) => Promise<unknown>
}
