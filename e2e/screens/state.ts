import type { Page } from '@playwright/test'
import type { Stage, Viewer } from './stage.ts'

/** A screen in one of its states. */
export interface State extends Options {
  name: string
  viewer: Viewer
  /** Whether it looks the same in both themes. */
  black?: boolean
  open: Open
}

interface Options {
  /** Name of the state that this one continues, in the same page. */
  from?: string
  /**
   * Whether it can be opened in the page of another such state, without loading the app again. Its screen is opened by
   * `visit`, and depends on no data that another state left in the page, such as that of its team. A call that it keeps
   * pending is sent to the server before the next state opens, and must not open another screen.
   */
  sharesPage?: boolean
  /** Returns to the state `from` for the next state that continues it. The last one needs none. */
  leave?: (page: Page) => Promise<unknown>
}

/** Brings the page from the state `from`, or an empty page, into this state. */
export type Open = (page: Page, stage: Stage) => Promise<unknown>

type Arguments = readonly [open: Open] | readonly [options: Options, open: Open]

/** A state that Marta sees, a member of the team. */
export const watching = statesOf({ viewer: 'marta' })

/** A state of the drive screen. */
export const driving = statesOf({ viewer: 'theo', black: true })

/** States of other screens that a driver, a user without a team, or nobody signed in sees. */
export const asTheo = statesOf({ viewer: 'theo' })
export const asInes = statesOf({ viewer: 'ines' })
export const asGuest = statesOf({ viewer: 'guest' })

export const shared: Options = { sharesPage: true }

function statesOf(seen: Pick<State, 'viewer' | 'black'>) {
  return (name: string, ...rest: Arguments): State => {
    const [options, open] = rest.length === 1 ? [{}, rest[0]] : rest
    return { name, ...seen, ...options, open }
  }
}
