import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { unrouteCalls } from '../callRoutes.ts'
import type { Stage } from '../screens/stage.ts'
import { test } from '../screens/stageTest.ts'
import type { State } from '../screens/state.ts'
import { openState, states } from '../screens/states.ts'

// Hundreds of short tests, which are distributed one by one.
test.describe.configure({ mode: 'parallel' })

/**
 * The minified code: `axe.source` is twice as long, and each page receives it. In ASCII, because V8 stores a string with
 * any character above U+00FF in twice the memory.
 */
const axeSource = readFileSync(
  fileURLToPath(import.meta.resolve('axe-core/axe.min.js')),
  'utf8',
).replaceAll(/[^\0-\x7F]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** WCAG 2.2 A and AA. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Checks one message of eight: the others differ only in letters and colour. */
const checkedStates = states.filter(
  ({ name }) => !/^drive-(easy|go|push|fuel|fcy|sc|abort)(-hollow)?$/.test(name),
)

/** Maximum number of states opened one after another in one page: loading the app takes longer than a check. */
const mostInPage = 6

test.describe('axe finds no violation of WCAG 2.2 A and AA in either theme', () => {
  for (const group of groupsOf(checkedStates)) {
    test(group.map(({ name }) => name).join(', '), async ({ stage }) => {
      const page = await stage.pageOf(group[0]!.viewer)
      for (const state of group) {
        await test.step(state.name, async () => {
          await unrouteCalls(page)
          await page.mouse.move(-1, -1)
          await openState(state, page, stage)
          await check(page, stage, state)
        })
      }
    })
  }
})

/** Groups the states that do not continue another one by the page in which they are opened. */
function groupsOf(all: readonly State[]): State[][] {
  const groups: State[][] = []
  let shared: State[] = []
  for (const state of all) {
    // `check` opens it after the state that it continues.
    if (all.some(({ name }) => name === state.from)) continue
    const fits = shared[0]?.viewer === state.viewer && shared.length < mostInPage
    if (state.sharesPage && fits) {
      shared.push(state)
      continue
    }
    const group = [state]
    if (state.sharesPage) shared = group
    groups.push(group)
  }
  return groups
}

/** Checks the state that the page shows, then the states that continue it. */
async function check(page: Page, stage: Stage, { name, black }: State) {
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await violations(page, { type: 'tag', values: standards }), name).toEqual([])
  if (!black) {
    // The themes differ only in colours.
    await page.emulateMedia({ colorScheme: 'light' })
    const contrast = await violations(page, { type: 'rule', values: ['color-contrast'] })
    expect.soft(contrast, name).toEqual([])
  }
  const next = checkedStates
    .filter(({ from }) => from === name)
    // One that does not return to this state is the last.
    .toSorted((a, b) => Number(!a.leave) - Number(!b.leave))
  for (const [index, state] of next.entries()) {
    await test.step(state.name, async () => {
      await state.open(page, stage)
      await check(page, stage, state)
      if (index < next.length - 1) await state.leave!(page)
    })
  }
}

/** Returns each violated rule with the HTML of the elements that violate it. */
async function violations(page: Page, runOnly: axe.RunOnly) {
  // Sent once for each document: axe is half a megabyte of code.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
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
