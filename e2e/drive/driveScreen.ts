import type { Locator, Page } from '@playwright/test'

/** Colours of the connection state and its dot. */
export const green = 'rgb(43, 227, 111)'
export const red = 'rgb(255, 81, 71)'

/** Returns the style of the dot before the connection state, a pseudo-element. */
export async function dotOf(phone: Page): Promise<{ backgroundColor: string }> {
  return phone.getByText(/^(Online|Offline)$/).evaluate(state => {
    const { backgroundColor } = getComputedStyle(state, '::before')
    return { backgroundColor }
  })
}

/** Returns the bounding box of a visible element. */
export async function boxOf(found: Locator) {
  const box = await found.boundingBox()
  if (!box) throw new Error('The element is not visible')
  return box
}
