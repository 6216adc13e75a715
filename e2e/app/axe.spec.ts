import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { Stage } from '../screens/stage.ts'
import { test } from '../screens/stageTest.ts'
import type { State } from '../screens/state.ts'
import { openState, states } from '../screens/states.ts'

// Playwright runs this file last, and each test on any worker: see `playwright.config.ts`.

/** The minified code: `axe.source` is twice as long, and each state sends it to the page. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** WCAG 2.2 A and AA. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Checks one message of eight: the others differ only in letters and colour. */
const checkedStates = states.filter(
  ({ name }) => !/^drive-(easy|go|push|fuel|fcy|sc|abort)(-hollow)?$/.test(name),
)

test.describe('axe finds no violation of WCAG 2.2 A and AA in either theme', () => {
  for (const state of checkedStates) {
    // The test of the state that it continues checks this state too.
    if (checkedStates.some(({ name }) => name === state.from)) continue
    test(state.name, async ({ stage }) => {
      const page = await stage.pageOf(state.viewer)
      await openState(state, page, stage)
      // Evaluated once for all checks of the page: it is half a megabyte of code.
      await page.evaluate(axeSource)
      await check(page, stage, state)
    })
  }
})

/** Checks the state that the page is in, then those that continue it: loading the page takes longer than a check. */
async function check(page: Page, stage: Stage, { name, black }: State) {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await violations(page, { type: 'tag', values: standards }), name).toEqual([])
  if (!black) {
    // The themes differ only in colours.
    await page.emulateMedia({ colorScheme: 'light' })
    const contrast = await violations(page, { type: 'rule', values: ['color-contrast'] })
    expect.soft(contrast, name).toEqual([])
  }
  const next = checkedStates.filter(({ from }) => from === name)
  for (const [index, state] of next.entries()) {
    await test.step(state.name, async () => {
      await state.open(page, stage)
      await check(page, stage, state)
      if (index < next.length - 1) await state.leave!(page)
    })
  }
}

/** Returns each violated rule with the HTML of the elements that violate it. */
function violations(page: Page, runOnly: axe.RunOnly) {
  return page.evaluate(async only => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      // Focus guards around an open menu or dialog pass the focus on at once.
      { exclude: ['[data-base-ui-focus-guard]'] },
      // Passing checks need no details in the result.
      { runOnly: only, resultTypes: ['violations'], selectors: false },
    )
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)] as const)
  }, runOnly)
}
