import type { Page } from '@playwright/test'
import type { OwnWord } from '#contract/ownWords.ts'
import { exampleId } from '#testing/exampleRace.ts'
import { hold, refuse, respondWith } from '../mockApi.ts'
import { drive } from './driveStates.ts'
import { press, watch } from './messageStates.ts'
import { becomeViewer } from './network.ts'
import type { Stage } from './stage.ts'
import { driving, type State, shared, watching } from './state.ts'

export const ownWords: OwnWord[] = [
  { id: exampleId(1), text: 'BOX 2', colour: 'pit' },
  { id: exampleId(2), text: 'COOL', colour: 'easy' },
  { id: exampleId(3), text: 'RAIN TYRES', colour: 'push' },
  { id: exampleId(4), text: 'MMMMMMMMMM', colour: 'fcy' },
]

/** Own words and Code 60: the sheet, the editor, and the screens of driver and team. */
export const wordStates: readonly State[] = [
  watching('words-sheet', openSheet),
  watching('words-sheet-asking', { from: 'words-sheet' }, async page => {
    await page.getByRole('dialog').getByRole('button', { name: 'Ask ?' }).click()
    await page.getByRole('button', { name: 'BOX 2?' }).waitFor()
  }),
  watching('words-sheet-empty', async (page, stage) => {
    await respondWith(page, 'words.list', [])
    await watch(page, stage, 'shows')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('Your team has no words of its own yet.').waitFor()
  }),
  watching('words-sheet-failed', async (page, stage) => {
    await refuse(page, 'words.list', 'too-many')
    await watch(page, stage, 'shows')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('The words of the team did not load').waitFor()
  }),
  watching('words-all', async (page, stage) => {
    await openSheet(page, stage)
    await page.getByRole('button', { name: /^All \d cars/ }).click()
    await page.getByRole('button', { name: 'FCY' }).click()
    await page.getByText(/^FCY: Shown on 1 of/).waitFor()
  }),
  watching('words-all-failed', { from: 'words-all' }, async page => {
    await refuse(page, 'messages.set', 'too-many')
    await page.getByRole('button', { name: 'CODE 60' }).click()
    await page.getByText(/^CODE 60: Not sent to/).waitFor()
  }),
  watching('words-code60', shared, async (page, stage) => {
    await watch(page, stage, 'shows')
    await page.getByRole('button', { name: 'More' }).click()
    await press(page, 'CODE 60', 'Shown after')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }),
  watching('words-board', { ...shared, shows: /^Shown after/ }, async (page, stage) => {
    await watch(page, stage, 'shows')
    await sendWord(stage, ownWords[2]!)
  }),
  watching('words', openEditor),
  watching('words-edit', { from: 'words' }, async page => {
    await page.getByRole('button', { name: 'Edit BOX 2' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  watching('words-refused', { from: 'words-wrong' }, async page => {
    await refuse(page, 'words.save', 'too-many')
    await page.getByRole('textbox', { name: 'Word' }).fill('BOX 3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
  }),
  watching(
    'words-wrong',
    { from: 'words-edit', shows: 'This word has a meaning of its own.' },
    page => page.getByRole('textbox', { name: 'Word' }).fill('pit'),
  ),
  watching('words-none', { shows: 'Add the first word' }, async (page, stage) => {
    await respondWith(page, 'words.list', [])
    const { teamId } = await stage.startSession()
    await page.goto(`/teams/${teamId}/words`)
  }),
  watching('words-viewer', { shows: 'You watch this team.' }, async (page, stage) => {
    await becomeViewer(page)
    await openEditor(page, stage)
  }),
  watching('words-loading', async (page, stage) => {
    await hold(page, 'words.list')
    const { teamId } = await stage.startSession()
    await page.goto(`/teams/${teamId}/words`)
    await page.getByRole('status', { name: 'Loading the words' }).waitFor()
  }),
  ...ownWords.map((word, index) => {
    const previous = ownWords[index - 1]
    const options = previous ? { from: nameOf(previous) } : {}
    return driving(nameOf(word), options, async (page, stage) => {
      if (!previous) await drive(page, stage)
      await sendWord(stage, word)
      await page.getByRole('alert').getByText(word.text).waitFor()
    })
  }),
  driving('drive-word-ask', { from: 'drive-code60', shows: 'RAIN TYRES?' }, (_page, stage) =>
    sendWord(stage, ownWords[2]!, true),
  ),
  driving('drive-code60', { from: nameOf(ownWords[3]!) }, async (page, stage) => {
    await stage.send('Code 60')
    await page.getByRole('alert').getByText('Code 60').waitFor()
  }),
]

/** The name of the state of the drive screen with this word. */
function nameOf({ text }: OwnWord): string {
  return `drive-word-${text.toLowerCase().replace(' ', '-')}`
}

async function openSheet(page: Page, stage: Stage) {
  await respondWith(page, 'words.list', ownWords)
  await watch(page, stage, 'shows')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'RAIN TYRES' }).waitFor()
}

async function openEditor(page: Page, stage: Stage) {
  await respondWith(page, 'words.list', ownWords)
  const { teamId } = await stage.startSession()
  await page.goto(`/teams/${teamId}/words`)
  await page.getByText('RAIN TYRES').waitFor()
}

/** Sends an own word of the team, then deletes it. */
export async function sendWord(stage: Stage, { text, colour }: OwnWord, ask = false) {
  const { call } = stage.people.marta
  const { teamId } = stage.session
  const id = crypto.randomUUID()
  await call.words.save({ teamId, word: { id, text, colour } })
  await stage.send(text, { ask })
  await call.words.remove({ teamId, wordId: id })
}
