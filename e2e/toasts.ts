import type { Locator, Page } from '@playwright/test'

/** The error toast. */
export function errorOn(page: Page): Locator {
  return toasts(page).locator('[data-kind=error]')
}

/** The success toast. */
export function successOn(page: Page): Locator {
  return toasts(page).locator('[data-kind=success]')
}

function toasts(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' })
}
