import type { Page } from '@playwright/test'

/** Keeps what disappears after this time. Call it before the page opens. */
export function keepShown(page: Page, forMs: number) {
  return page.addInitScript(keptMs => {
    const setTimer = window.setTimeout
    Object.assign(window, {
      setTimeout: (act: () => void, ms: number) => setTimer(act, ms === keptMs ? 1e9 : ms),
    })
  }, forMs)
}
