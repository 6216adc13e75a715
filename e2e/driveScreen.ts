import type { Locator, Page } from '@playwright/test'

/** Of the state line and its dot. */
export const green = 'rgb(43, 227, 111)'
export const red = 'rgb(255, 81, 71)'

/** The dot before the state line. It is no element of its own. */
export async function dotOf(phone: Page): Promise<{ backgroundColor: string }> {
  return phone.getByText(/^(Online|Offline)$/).evaluate(line => {
    const { backgroundColor } = getComputedStyle(line, '::before')
    return { backgroundColor }
  })
}

/** Where something stands, which has to be seen. */
export async function boxOf(found: Locator) {
  const box = await found.boundingBox()
  if (!box) throw new Error('It is not seen.')
  return box
}
