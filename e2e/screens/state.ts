import type { Page } from '@playwright/test'
import type { EndpointName } from '#contract/api.ts'
import { hold, refuse } from '../mockApi.ts'
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
  /** A selector of elements that are visible without scrolling on a phone held sideways. */
  atOnce?: string
  /** A text that is visible once the page is in this state. */
  shows?: string | RegExp
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

/** The states of a screen of Marta's in which a call is pending, and in which it has failed. */
export function unloaded(
  name: string,
  { call, loading, open, ...options }: Unloaded,
): readonly State[] {
  return [
    watching(`${name}-loading`, options, async (page, stage) => {
      await hold(page, call)
      await open(page, stage)
      await page.getByLabel(loading).waitFor()
    }),
    watching(`${name}-failed`, options, async (page, stage) => {
      await refuse(page, call, 'too-many')
      await open(page, stage)
      await page.getByRole('alert').waitFor()
    }),
  ]
}

interface Unloaded extends Options {
  call: EndpointName
  /** The label that is shown while the call is pending. */
  loading: string
  open: Open
}

function statesOf(seen: Pick<State, 'viewer' | 'black'>) {
  return (name: string, ...rest: Arguments): State => {
    const [{ shows, ...options }, act] = rest.length === 1 ? [{} as Options, rest[0]] : rest
    const open: Open = async (page, stage) => {
      await act(page, stage)
      if (shows !== undefined)
        await page.getByText(shows).filter({ visible: true }).first().waitFor()
    }
    return { name, ...seen, ...options, open }
  }
}
