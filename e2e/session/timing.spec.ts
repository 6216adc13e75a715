import { expect } from '@playwright/test'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { oneCarRace } from '#testing/people/raceScene.ts'
import { addCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'

const lines = [
  '$B,5,"Race 1"',
  '$C,1,"GT"',
  '$A,"1","17",1,"","","",1',
  '$A,"2","382",2,"","","",1',
  '$F,9999,"01:00:00","14:00:00","00:04:00","Green "',
  '$G,1,"2",1,"00:02:00.000"',
  '$G,2,"1",1,"00:02:03.250"',
]

test('a team follows the official order that the timekeeper sends', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const car = await addCar(ana, teamId, '17')
  const raceId = await createRace(ana, teamId, { carIds: [car.id] })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  await page.getByRole('link', { name: 'Official timing' }).click()
  await expect(page.getByText('No source')).toBeVisible()

  await page.getByLabel('RMonitor').check()
  await page.getByLabel('Address').fill('192.168.1.20')
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await expect(page.getByText('This is a private address')).toBeVisible()

  await page.getByLabel('Send us your feed').check()
  const relay = page.getByLabel("Run this on the timekeeper's network")
  await expect(relay).toHaveValue(new RegExp(`--race ${raceId} --token TOKEN$`))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Waiting for data')).toBeVisible()

  const { timing } = (await person('Ana')).call
  await expect(timing.ofRace({ raceId })).rejects.toMatchObject({ code: 'not-a-member' })
  const { token } = await ana.call.auth.createToken({ name: 'Relay', scopes: ['timing'] })
  const push = (number: number, sent = lines) =>
    page.request.post('/api/timing.push', {
      headers: { authorization: `Bearer ${token}` },
      data: { raceId, number, lines: sent },
    })
  // The timekeeper's first lines are those of another race.
  expect(await (await push(1, ['$B,4,"Race 0"', ...lines.slice(3, 6)])).json()).toEqual({
    number: 1,
  })
  await expect(page.getByText('Not in the official timing: 17. Is it another race?')).toBeVisible()
  expect(await (await push(2)).json()).toEqual({ number: 2 })
  await expect(page.getByText('Not in the official timing')).toHaveCount(0)
  await expect(page.getByRole('row', { name: 'P2 17' })).toContainText('+3.3')
  await expect(page.getByText('Green', { exact: true })).toBeVisible()

  // The feed has become silent, so its flag is not current.
  await expect(page.getByText('Connected, but no data')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('Flag not known')).toBeVisible()
  await expect(page.getByText('Green', { exact: true })).toHaveCount(0)

  // A missing response also removes the flag, before the request fails.
  await push(3)
  await expect(page.getByText('Green', { exact: true })).toBeVisible()
  await page.route('**/api/timing.ofRace*', () => {})
  await expect(page.getByText('Flag not known')).toBeVisible({ timeout: 8000 })
  await expect(page.getByText('Green', { exact: true })).toHaveCount(0)
})

test('a member replaces or deletes the token of a provider, which is never shown', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const raceId = await createRace(ana, teamId)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}/timing`)
  await page.getByLabel('RaceHero').check()
  await page.getByLabel('Number of the event').fill('3134')
  await page.getByLabel(/^Token/).fill('secret-1')
  const save = page.getByRole('button', { name: 'Save and connect' })
  await save.click()
  const stored = page.getByLabel('Token (one is stored)')
  await expect(stored).toHaveValue('')
  const remove = page.getByRole('button', { name: 'Delete the token' })
  await remove.click()
  await page.getByRole('button', { name: 'Keep the token' }).click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(stored).toBeVisible()
  await remove.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the token' }).click()
  await expect(page.getByText('The token was deleted. Enter one to connect again.')).toBeVisible()
  await expect(page.getByLabel('Number of the event')).toHaveValue('3134')
  await save.click()
  await expect(page.getByText('Enter the token of your account')).toBeVisible()
  await page.getByLabel(/^Token/).fill('secret-2')
  await save.click()
  await expect(stored).toHaveValue('')
})

test('a recorded file is played, and labelled as recorded', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await createTeam(ana, [])
  const raceId = await createRace(ana, teamId)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/races/${raceId}/timing`)
  await page.getByLabel('Recorded file').check()
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(page.getByText('Choose a recorded file.')).toBeVisible()
  const seconds = Array.from({ length: 100 }, (_, second) => [
    `##2026-06-20 14:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000`,
    ...(second === 0 ? lines : ['$F,9999,"01:00:00","14:00:00","00:04:00","Green "']),
  ])
  await page.getByLabel('File with lines of RMonitor').setInputFiles({
    name: 'feed.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(seconds.flat().join('\r\n')),
  })
  await page.getByLabel('Speed').selectOption('10 times as fast')
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(page.getByText('It is not live')).toBeVisible()
  await expect(page.getByRole('row', { name: 'P2 17' })).toContainText('+3.3')
  await expect(page.getByText('Green')).toBeVisible()
  expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({
    source: { kind: 'recorded', speed: 10 },
  })
  // Another member chooses a real source: nothing of the file reaches it.
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  await expect(page.getByText('The file was not played to its end.')).toBeVisible()
  expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({ run: null, silentForMs: null })
})

test('wall and message screen show the official flag and place while they are current', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId, sessionId: id } = await oneCarRace(ana)
  const pages = [await open(ana), await open(ana)] as const
  const [wall, board] = pages
  await wall.goto(`/teams/${teamId}/wall`)
  await board.goto(`/teams/${teamId}/${id}/message`)
  await expect(wall.getByRole('article', { name: '17' })).toBeVisible()
  await expect(board.getByText('To go')).toBeVisible()

  const { timing } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  for (const page of pages) await expect(page.getByText('Flag not known')).toBeVisible()
  // Before any place is known, the lane has no rows of nothing.
  const withoutPlaces = lines.filter(line => !line.startsWith('$G'))
  await timing.push({ raceId, number: 1, lines: withoutPlaces })
  await expect(wall.getByText('Green', { exact: true })).toBeVisible()
  await expect(wall.getByText('not known')).toHaveCount(0)
  for (const [index, page] of pages.entries()) {
    await timing.push({ raceId, number: index + 2, lines })
    await expect(page.getByText('Green', { exact: true })).toBeVisible()
    await expect(page.getByText('P2', { exact: true })).toBeVisible()
    await expect(page.getByText('+3.3 to 382')).toBeVisible()
  }
  // The feed has become silent.
  for (const page of pages) {
    await expect(page.getByText('Flag not known')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByText('P2', { exact: true })).toHaveCount(0)
  }
  await timing.setSource({ raceId, source: null })
  for (const page of pages) await expect(page.getByText('Flag not known')).toHaveCount(0)
})
