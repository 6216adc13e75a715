import type { Locator, Page } from '@playwright/test'

/** The note that says that something failed. */
export function errorOn(page: Page): Locator {
  return notes(page).locator('[data-kind=error]')
}

/** The note that says that something was done. */
export function successOn(page: Page): Locator {
  return notes(page).locator('[data-kind=success]')
}

function notes(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' })
}
