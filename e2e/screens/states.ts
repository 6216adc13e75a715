import { readdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Stage } from './stage.ts'
import type { State } from './state.ts'

const files = readdirSync(import.meta.dirname)
  .filter(name => name.endsWith('States.ts'))
  .sort()

/** Every screen of the app in every state it has: the lists that the files `…States.ts` export. */
export const states: readonly State[] = (await Promise.all(files.map(statesIn))).flat()

/** Returns the list that a file exports under its own name. */
async function statesIn(file: string): Promise<readonly State[]> {
  const exported: Record<string, readonly State[]> = await import(`./${file}`)
  const own = exported[file.slice(0, -'.ts'.length)]
  if (!own) throw new Error(`${file} exports no list of its name.`)
  return own
}

/** Opens the states that this one continues, then this state. */
export async function openState({ from, open }: State, page: Page, stage: Stage) {
  if (from !== undefined) await openState(stateNamed(from), page, stage)
  await open(page, stage)
}

export function stateNamed(name: string): State {
  const state = states.find(each => each.name === name)
  if (!state) throw new Error(`There is no state ${name}`)
  return state
}
