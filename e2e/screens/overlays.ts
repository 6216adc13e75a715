import { expect, type Page } from '@playwright/test'

/** Closes the open menu or dialog. */
export async function closeOverlay(page: Page) {
  await page.keyboard.press('Escape')
  await expect(page.locator('[role=menu], [role=dialog], [role=alertdialog]')).toHaveCount(0)
}
