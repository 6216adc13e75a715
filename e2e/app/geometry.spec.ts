import { expect, type Page } from '@playwright/test'
import { waitForPaint } from '../drive/driveScreen.ts'
import { opened, test } from '../screens/stageTest.ts'

/** Screens while loading and loaded, whose lists must start at the same position. */
const pairs = [
  { waiting: 'teams-loading', loaded: 'teams' },
  { waiting: 'members-loading', loaded: 'members' },
  { waiting: 'team-home-loading', loaded: 'team-home' },
]
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

for (const { waiting, loaded } of pairs) {
  test(`loading shifts no layout: ${loaded}`, async ({ stage }) => {
    const before = await measured(await opened(stage, waiting))
    const page = await opened(stage, loaded)
    await expect.poll(() => measured(page)).toEqual(before)
  })
}

/** Returns positions of the list, its first row and the row's three-letter plate, in whole pixels. */
async function measured(page: Page) {
  const found = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(size.width)
    await page.evaluate(() => document.fonts.ready)
    await waitForPaint(page)
    found.push(
      await page.evaluate(() => {
        const list = document.querySelector('output[aria-busy]:has(> span > *), main ul')
        const row = list?.querySelector(':scope > span, li:not([aria-hidden]) > *')
        const plate = row?.firstElementChild
        const [listBox, rowBox, plateBox] = [list, row, plate].map(part =>
          part?.getBoundingClientRect(),
        )
        return {
          rail: Math.round(listBox?.top ?? -1),
          row: [Math.round(rowBox?.top ?? -1), Math.round(rowBox?.height ?? -1)],
          plate: [Math.round(plateBox?.top ?? -1), Math.round(plateBox?.left ?? -1)],
        }
      }),
    )
  }
  return found
}
