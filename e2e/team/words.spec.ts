import { expect, type Page } from '@playwright/test'
import type { OwnWord } from '#contract/ownWords.ts'
import { drivenFixes, uploadFixes } from '#testing/live/drivenLaps.ts'
import type { Client } from '#testing/people/client.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import {
  boardOf,
  fillOf,
  landscape,
  outlineOf,
  phoneOptions,
  portrait,
  teamPhone,
  wordOn,
} from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { messageColours } from '../messageColours.ts'
import { refuse } from '../mockApi.ts'

test('words that are added from the wall or the messages lead back there', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  for (const word of await scene.ana.call.words.list({ teamId: scene.team.id }))
    await scene.ana.call.words.remove({ teamId: scene.team.id, wordId: word.id })
  const page = await open(scene.ana)
  const data = page.getByRole('heading', { name: 'Data link' })
  for (const [url, back] of [
    [`/teams/${scene.team.id}/wall`, 'Back to Pit wall'],
    [messageUrl, 'Back to Messages'],
  ] as const) {
    await page.goto(url)
    await moreOf(page).click()
    await page.getByRole('link', { name: 'Add words' }).click()
    await page.getByRole('link', { name: back }).click()
    await expect(page).toHaveURL(url)
    await moreOf(page).click()
    await page.getByRole('link', { name: 'Race settings, data link' }).click()
    await expect(page).toHaveURL(new RegExp(`/${session.id}/laps`))
    await expect(data).toBeInViewport()
    await page.getByRole('link', { name: back.replace('Back to ', '') }).click()
    await expect(page).toHaveURL(url)
  }
})

test('an own word is added, sent from the sheet, and fills the driver’s screen', async ({
  scene,
  open,
  phone,
  messageUrl,
}) => {
  const editor = await open(scene.ana)
  await editor.goto(`/teams/${scene.team.id}`)
  await editor.getByRole('link', { name: 'Own messages' }).click()
  for (const word of await scene.ana.call.words.list({ teamId: scene.team.id }))
    await scene.ana.call.words.remove({ teamId: scene.team.id, wordId: word.id })
  const pit = await open(scene.kim, teamPhone)
  await pit.goto(messageUrl)
  await expect(moreOf(pit)).toBeEnabled()

  await test.step('a reserved word is refused while it is typed; the preview shows the plate', async () => {
    await editor.getByRole('button', { name: 'Add word' }).click()
    await editor.getByRole('textbox', { name: 'Word' }).fill('p i t')
    await expect(editor.getByText('This word has a meaning of its own.')).toBeVisible()
    await expect(editor.getByRole('button', { name: 'Save' })).toBeDisabled()
    await editor.getByRole('textbox', { name: 'Word' }).fill('rain tyres')
    await editor.getByLabel('Orange').check()
    await expect(editor.getByRole('figure')).toContainText('RAIN TYRES')
  })

  await test.step('a failed save keeps the text and can be tried again', async () => {
    const restore = await refuse(editor, 'words.save', 'too-many')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect(editor.getByRole('alert')).toContainText('Too many tries.')
    await expect(editor.getByRole('textbox', { name: 'Word' })).toHaveValue('rain tyres')
    restore()
    await editor.getByRole('button', { name: 'Try again' }).click()
    await expect(editor.getByRole('dialog')).toHaveCount(0)
    await expect(editor.getByRole('listitem')).toContainText('RAIN TYRES')
  })

  await test.step('the open message screen has it at once', async () => {
    await moreOf(pit).click()
    await sheetOf(pit).getByRole('button', { name: 'RAIN TYRES' }).click()
    await expect(sheetOf(pit)).toHaveCount(0)
    await expect(boardOf(pit)).toContainText('RAIN TYRES')
    await expect(boardOf(pit)).toContainText('Shown after')
  })

  await test.step('it fits the screen of the driver, who acknowledges it', async () => {
    const word = wordOn(phone)
    await expect(word).toHaveText('RAIN TYRES')
    await expect.poll(() => outlineOf(word)).toBe(messageColours.Fuel)
    for (const size of [portrait, landscape]) {
      await phone.setViewportSize(size)
      await expect.poll(() => overflow(phone)).toBe(false)
    }
    await phone.mouse.click(200, 300)
    await expect(boardOf(pit)).toContainText('Copied after')
    await expect.poll(() => fillOf(word)).toBe('solid')
  })

  await test.step('deleting it can be undone, and changes no sent message', async () => {
    await editor.getByRole('button', { name: 'Delete RAIN TYRES' }).click()
    await expect(editor.getByRole('listitem')).toHaveCount(0)
    await expect(boardOf(pit)).toContainText('RAIN TYRES')
    await expect(wordOn(phone)).toHaveText('RAIN TYRES')
    await editor.getByRole('button', { name: 'Undo' }).click()
    await expect(editor.getByRole('listitem')).toContainText('RAIN TYRES')
  })
})

test('the sheet works by keyboard: Shift+M opens it, a word is asked, Escape closes it', async ({
  scene,
  open,
  phone,
  session,
  messageUrl,
}) => {
  await makeWord(scene, { text: 'BOX 2', colour: 'pit' })
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await expect(moreOf(pit)).toBeEnabled()
  await pit.keyboard.press('Shift+M')
  await expect(sheetOf(pit)).toBeVisible()
  await pit.keyboard.press('Escape')
  await expect(sheetOf(pit)).toHaveCount(0)

  await pit.keyboard.press('Shift+M')
  await sheetOf(pit).getByRole('button', { name: 'Ask ?' }).click()
  // An order cannot be asked: it stays one.
  await expect(sheetOf(pit).getByRole('button', { name: 'CODE 60', exact: true })).toBeEnabled()
  await sheetOf(pit).getByRole('button', { name: 'BOX 2?' }).press('Enter')
  await phone.getByRole('button', { name: 'Yes, to BOX 2?' }).click()
  await expect(boardOf(pit)).toContainText(/After \d/)

  const log = await open(scene.leo, phoneOptions)
  await log.goto(`/teams/${session.teamId}/${session.id}/log`)
  await expect(log.getByText('BOX 2?')).toBeVisible()
})

test('the wall sends an own word, which television, log and replay show', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
  const team = await createTeam(ana, [leo])
  const teamId = team.id
  await makeWord({ ana, team }, { text: 'BOX 2', colour: 'pit' })
  const session = await leo.call.sessions.start({ teamId, name: 'Friday practice 1' })
  const sessionId = session.id
  const first = session.startedAt - 4000
  const fixes = drivenFixes(0, { laps: 1 })
    .slice(20, 60)
    .map((fix, index) => ({ ...fix, at: first + index * 250 }))
  const phone = (await leo.connect()).keepAlive()
  await phone.drive(sessionId)

  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await lane.waitFor()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('More messages')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('m')
  await expect(sheetOf(page)).toHaveCount(0)
  await page.keyboard.press('Shift+M')
  await sheetOf(page).getByRole('button', { name: 'BOX 2' }).press('Enter')
  await expect(sheetOf(page)).toHaveCount(0)
  const { message } = await phone.next('message')
  expect(message).toMatchObject({ type: 'BOX 2', colour: 'pit' })
  const shownAt = Date.now()
  phone.send({ t: 'receipt', version: message.version, stage: 'shown', at: shownAt })
  await expect(lane).toContainText('BOX 2')
  await expect(lane).toContainText('Shown after')
  await expect(moreOf(page)).toContainText('BOX 2')
  await expect(page.getByRole('log')).toContainText('BOX 2')
  const big = await open(leo, { viewport: { width: 1920, height: 1080 } })
  await big.goto(`/teams/${teamId}/wall?big`)
  await expect(big.getByRole('article')).toContainText('BOX 2')

  await page.keyboard.press('Shift+M')
  await sheetOf(page).getByRole('button', { name: 'CODE 60' }).click()
  await expect(lane).toContainText('CODE 60')

  await uploadFixes(
    leo,
    sessionId,
    fixes.filter(({ at }) => at <= Date.now() + 4000),
  )
  await leo.call.sessions.end({ sessionId })
  await page.goto(`/teams/${teamId}/${sessionId}/log`)
  await expect(page.getByText('BOX 2')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'CODE 60' })).toContainText('by ')
  await page.goto(`/teams/${teamId}/${sessionId}/laps/replay`)
  const glass = page.getByRole('region', { name: "Driver's screen" })
  await expect(glass).toContainText('No message')
  await page.getByRole('slider', { name: 'Time' }).fill(String(shownAt - first))
  await expect(glass.getByText('BOX 2', { exact: true })).toBeVisible()
})

test('CODE 60 is sent from the sheet, and shown in violet until it is replaced', async ({
  scene,
  open,
  phone,
  messageUrl,
  send,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.goto(messageUrl)
  await moreOf(pit).click()
  await sheetOf(pit).getByRole('button', { name: 'CODE 60' }).click()
  await expect(wordOn(phone)).toHaveText('Code 60')
  await expect.poll(() => outlineOf(wordOn(phone))).toBe(messageColours['Code 60'])
  await phone.setViewportSize(landscape)
  await expect.poll(() => overflow(phone)).toBe(false)
  await expect(moreOf(pit)).toContainText('CODE 60')
  await send('Go')
  await expect(wordOn(phone)).toHaveText('Go')
  await expect(moreOf(pit)).not.toContainText('CODE 60')
})

test('More leaves the plates of the pad as large, and is off with the data link', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const pit = await open(scene.ana, teamPhone)
  await pit.goto(messageUrl)
  await expect(moreOf(pit)).toBeEnabled()
  for (const [size, least] of [
    [portrait, 76],
    [landscape, 72],
    [{ width: 360, height: 640 }, 76],
  ] as const) {
    await pit.setViewportSize(size)
    await expect(moreOf(pit)).toBeInViewport({ ratio: 1 })
    for (const plate of await pit
      .getByRole('group', { name: 'Messages' })
      .getByRole('button')
      .all())
      await expect
        .poll(async () => (await plate.boundingBox())?.height)
        .toBeGreaterThanOrEqual(least)
  }
  await scene.ana.call.sessions.setDataLink({ sessionId: session.id, dataLink: false })
  await expect(moreOf(pit)).toBeDisabled()
  await pit.keyboard.press('Shift+M')
  await expect(sheetOf(pit)).toHaveCount(0)
})

function moreOf(pit: Page) {
  return pit.getByRole('button', { name: /^More/ })
}

function sheetOf(pit: Page) {
  return pit.getByRole('dialog', { name: 'More messages' })
}

/** Replaces the words of the team by this one. */
async function makeWord(
  { ana, team }: { ana: { call: Client }; team: { id: string } },
  word: Omit<OwnWord, 'id'>,
) {
  for (const { id } of await ana.call.words.list({ teamId: team.id }))
    await ana.call.words.remove({ teamId: team.id, wordId: id })
  await ana.call.words.save({ teamId: team.id, word: { id: crypto.randomUUID(), ...word } })
}

/** Returns whether the screen cuts off the word. */
function overflow(phone: Page): Promise<boolean> {
  return wordOn(phone).evaluate(word => {
    const { left, right, top, bottom } = word.getBoundingClientRect()
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
  })
}
