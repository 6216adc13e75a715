import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { Session } from '#contract/sessions.ts'
import { patience } from '#testing/patience.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { swapScene } from '#testing/people/raceScene.ts'
import { addCar } from '#testing/people/roster.ts'
import { phoneOptions } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { changeResponse } from '../mockApi.ts'

test('a problem takes over wall, message screen and television until somebody got it', async ({
  scene,
  open,
  person,
  session,
  phone,
  messageUrl,
}) => {
  const { ana, team } = scene
  const mia = await person('Mia')
  await addMember(ana, team.id, mia)
  await ana.call.messages.set({ sessionId: session.id, type: 'Push', commandId: randomUUID() })
  const wall = await open(mia, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${team.id}/wall`)
  const board = await open(ana)
  await board.goto(messageUrl)
  const big = await open(ana, { viewport: { width: 1920, height: 1080 } })
  await big.goto(`/teams/${team.id}/wall?big`)

  const home = await open(mia)
  await home.goto(`/teams/${team.id}`)
  const row = home.getByRole('region', { name: 'Message' }).getByRole('link')
  await expect(row).toBeVisible()
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await phone.keyboard.down('p')
  await expect(row).toContainText('PROBLEM')
  const banner = home.getByRole('alert').getByRole('link', { name: /PROBLEM/i })
  await expect(banner).toHaveAttribute('href', new URL(messageUrl, home.url()).pathname)
  await expect(banner).toBeInViewport({ ratio: 1 })
  // A report is not Copied.
  for (const page of [wall, board, big]) {
    const problem = page.getByRole('region', { name: 'PROBLEM' })
    await expect(problem).toContainText(
      /On the glass\s*PUSH\s*shown(, not copied \d:\d\d| \d+ s ago)/i,
    )
  }
  await phone.keyboard.up('p')
  for (const [page, size] of [
    [wall, { width: 320, height: 568 }],
    [board, { width: 390, height: 844 }],
  ] as const) {
    await page.setViewportSize(size)
    await expect(page.getByText(/^shown(, not copied \d:\d\d| \d+ s ago)$/i)).toBeInViewport({
      ratio: 1,
    })
  }
  await wall.setViewportSize({ width: 1440, height: 900 })
  await board.goto(`${messageUrl}?view=map`)
  await expect(board.getByText(/^shown(, not copied \d:\d\d| \d+ s ago)$/i)).toBeVisible()
  await board.goto(messageUrl)
  await phone.getByRole('alert').getByText('Push').click()
  for (const page of [wall, board, big])
    await expect(page.getByText(/^copied \d+ s ago$/)).toBeVisible()
  await expect(big.getByRole('button', { name: /^Got it/ })).toBeHidden()
  await phone.getByRole('button', { name: 'PIT THIS LAP' }).click()
  await expect(phone.getByText('PIT THIS LAP').first()).toBeVisible()
  await expect(phone.getByRole('button', { name: 'PIT THIS LAP' })).toHaveCount(0)
  for (const page of [wall, board, big]) {
    await expect(page.getByRole('region', { name: 'PROBLEM' })).toContainText('PIT THIS LAP')
  }

  // An order is not "Got it".
  await board.getByRole('button', { name: 'PIT', exact: true }).click()
  await expect(phone.getByRole('alert').getByText('Pit')).toBeVisible()
  await expect(wall.getByRole('region', { name: 'PROBLEM' })).toBeVisible()
  await wall.getByRole('button', { name: /^Got it/ }).click()
  // The delivery of the order stays.
  for (const page of [wall, board, big]) {
    await expect(page.getByRole('region', { name: 'PROBLEM' })).toBeHidden()
    await expect(page.getByText(/^Shown after/).first()).toBeVisible()
    await expect(page.getByText('PROBLEM · Mia has it', { exact: true })).toBeVisible()
  }
  await expect(row).not.toContainText('PROBLEM')
  await board.getByRole('button', { name: 'CLEAR', exact: true }).click()
  for (const page of [wall, big])
    await expect(page.getByText(/Mia has it, after 0:\d\d/).first()).toBeVisible()
  const has = board.getByText('Mia has it', { exact: true })
  await expect(has).toBeVisible()
  await board.reload()
  await expect(has).toBeVisible()

  await phone.getByRole('button', { name: /Tap to take it back/ }).click()
  await expect(board.locator('b', { hasText: 'TAKEN BACK' })).toBeVisible()
  await expect(has).toBeHidden()
})

test('a problem that a member has got stays in a lane with an answered question', async ({
  scene,
  open,
  session,
  phone,
}) => {
  const { ana, team } = scene
  const question = { sessionId: session.id, type: 'Push', ask: true, commandId: randomUUID() }
  await ana.call.messages.set(question)
  await phone.getByRole('button', { name: 'Yes, to Push?' }).click()
  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${team.id}/wall`)
  const lane = wall.getByRole('article')
  await expect(lane).toContainText('On the glass: laps')
  const getIt = await report(phone, ana, session)
  await getIt()
  await expect(lane).toContainText(/PUSH\?YES.*PROBLEM.*Ana has it/)
})

test('a problem of another car is on the message screen of this one', async ({
  scene,
  open,
  person,
  session,
  phone,
}) => {
  const { ana, team } = scene
  const mia = await person('Mia')
  await addMember(ana, team.id, mia)
  const car = await addCar(ana, team.id, '44')
  const start = { teamId: team.id, name: 'Next car', carId: car.id }
  const { id } = await mia.call.sessions.start(start)
  const board = await open(ana, { viewport: { width: 320, height: 568 } })
  await board.goto(`/teams/${team.id}/${id}/message`)
  await expect(board.getByRole('button', { name: 'PIT', exact: true })).toBeEnabled()
  const strip = board.getByRole('main').getByRole('link', { name: /PROBLEM/ })
  await expect(strip).toHaveCount(0)
  const getIt = await report(phone, ana, session)
  await expect(strip).toContainText('Leo Garnier')
  await expect(strip).not.toContainText('PIT THIS LAP')
  await phone.getByRole('button', { name: 'PIT THIS LAP' }).click()
  await expect(strip).toContainText('PIT THIS LAP')
  await strip.click()
  await expect(board).toHaveURL(new RegExp(`/${session.id}/message$`))
  await expect(board.getByRole('region', { name: 'PROBLEM' })).toBeVisible()
  await expect(strip).toHaveCount(0)
  await board.goBack()
  await expect(strip).toBeVisible()
  await getIt()
  await expect(strip).toHaveCount(0)
})

test('"Got it" fills the glass for ten seconds, and a new hold is a new problem', async ({
  scene,
  session,
  phone,
}) => {
  const getIt = await report(phone, scene.ana, session)
  await getIt()
  await expect(phone.getByText(/^Ana, after 0:\d\d$/)).toBeVisible()
  await expect(phone.getByText('Got it', { exact: true })).toBeVisible()
  const plate = phone.getByRole('button', { name: /Tap to take it back/ })
  await expect(plate).toHaveCount(0)
  await expect(plate).toContainText('Got it by Ana', { timeout: 20_000 * patience })
  await expect(phone.getByRole('button', { name: 'PIT THIS LAP' })).toBeVisible()
  // The reason why there are no laps is below it.
  await expect(phone.locator('[data-no-gps]')).toBeVisible({ timeout: 20_000 * patience })
  const { sessions } = scene.ana.call
  const reported = async () => (await sessions.get({ sessionId: session.id })).problem
  const before = await reported()
  await phone.keyboard.down('p')
  await expect.poll(async () => (await reported())?.gotIt).toBeUndefined()
  await phone.keyboard.up('p')
  expect((await reported())?.id).not.toBe(before?.id)
  await expect(phone.getByRole('button', { name: 'Take back: PROBLEM' })).toBeVisible()
})

test('a message takes the glass from a problem, which is a plate above it', async ({
  scene,
  session,
  phone,
  send,
}) => {
  const getIt = await report(phone, scene.ana, session)
  await send('Push')
  const plate = phone.getByRole('button', { name: /Tap to take it back/ })
  await expect(plate).toContainText('PROBLEM')
  await expect(plate).not.toContainText('Got it')
  // The server also clears an obeyed PIT at a pit exit.
  await send(null)
  await expect(phone.getByRole('button', { name: 'Take back: PROBLEM' })).toBeVisible()
  await send('Push')
  await getIt()
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
  await expect(plate).toContainText('Got it by Ana')
})

test('on a phone without lap timing a problem ends at the pit exit of its car', async ({
  open,
  person,
}) => {
  const { ana, leo, teamId, first, second } = await swapScene(person)
  const { id: sessionId } = first
  await ana.call.sessions.setLapTiming({ sessionId, lapTiming: false })
  const phone = await open(leo, phoneOptions)
  let visits: PitVisit[] = []
  await changeResponse<StoredCarRace>(phone, 'carRaces.ofSession', race => ({
    ...race,
    runs: [{ sessionId: second.id, from: 0, until: null, decidedBy: 'moved' }],
    unsure: [sessionId],
    phones: race.phones.map(each => (each.sessionId === second.id ? { ...each, visits } : each)),
  }))
  await phone.goto(`/teams/${teamId}/${sessionId}/drive`)
  await expect(phone.getByText('Online')).toBeVisible()
  const getIt = await report(phone, ana, first)
  await ana.call.messages.set({ sessionId, type: 'Push', commandId: randomUUID() })
  await getIt()
  const plate = phone.getByRole('button', { name: /Tap to take it back/ })
  await expect(plate).toContainText('Got it by Ana')
  const endedAt = Date.now()
  visits = [{ startedAt: endedAt - 60_000, endedAt, stoppedAt: null, leftAt: null }]
  await ana.call.stints.setAutoPit({ sessionId, on: true })
  await expect(plate).toHaveCount(0)
  await expect(phone.getByRole('alert').getByText('Push')).toBeVisible()
})

test('while the data link is off no screen shows a problem', async ({
  scene,
  open,
  session,
  phone,
  messageUrl,
}) => {
  const { ana, leo, team } = scene
  const board = await open(ana)
  await board.goto(messageUrl)
  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${team.id}/wall`)
  await report(phone, ana, session)
  const problems = [wall, board].map(page => page.getByRole('region', { name: 'PROBLEM' }))
  for (const problem of problems) await expect(problem).toBeVisible()
  const setLink = (dataLink: boolean) =>
    leo.call.sessions.setDataLink({ sessionId: session.id, dataLink })
  await setLink(false)
  for (const page of [wall.getByRole('article'), board, phone]) {
    await expect(page.getByText('Data link off').first()).toBeVisible()
    await expect(page.getByText('PROBLEM')).toHaveCount(0)
  }
  await setLink(true)
  for (const problem of problems) await expect(problem).toBeVisible()
})

/** Reports a problem on the phone, and returns a function with which a member gets it. */
async function report(phone: Page, { call }: Person, { id: sessionId }: Session) {
  await phone.keyboard.down('p')
  await expect(phone.getByText('Sent, no answer yet').first()).toBeVisible()
  await phone.keyboard.up('p')
  // The answer before it may have been the one that the team has.
  const reported = async () => (await call.sessions.get({ sessionId })).problem
  await expect.poll(async () => (await reported())?.kind).toBe('Problem')
  const problem = await reported()
  return () => call.messages.gotIt({ sessionId, answerId: problem?.id ?? '' })
}
