import { expect } from '@playwright/test'
import type { ListedSession } from '#contract/sessions.ts'
import { addMember } from '#testing/people/addMember.ts'
import { addCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { changeResponse } from '../mockApi.ts'

test('a viewer finds a session by its driver and returns to the same search', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana', 'Winter'), await person('Leo', 'Garnier')]
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  await addMember(ana, teamId, leo)
  const stint = await leo.call.sessions.start({ teamId, name: 'Stint of Leo' })
  await leo.call.sessions.end({ sessionId: stint.id })
  const car = await addCar(ana, teamId, '17')
  await ana.call.sessions.start({ teamId, name: 'Stint of Ana', carId: car.id })
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })

  const page = await open(leo)
  await changeResponse(page, 'sessions.list', (listed: { sessions: ListedSession[] }) => ({
    ...listed,
    sessions: listed.sessions.map(session => ({ ...session, laps: 9 })),
  }))
  await page.goto(`/teams/${teamId}`)
  await page.getByRole('link', { name: 'All sessions' }).click()
  const items = page.getByRole('list', { name: 'All sessions' }).getByRole('listitem')
  await expect(items).toHaveText([
    /Stint of Ana.*Active.*9 laps by this phone/,
    /Stint of Leo.*9 laps(?! by)/,
  ])
  await page.getByLabel('Search').fill('GARNIER')
  await expect(items).toHaveText([/Stint of Leo/])
  // An ended session has a replay in place of its map.
  await expect(page.getByRole('link', { name: 'Replay, Stint of Leo' })).toHaveAttribute(
    'href',
    `/teams/${teamId}/${stint.id}/laps/replay`,
  )
  await page.getByRole('link', { name: 'Laps, Stint of Leo' }).click()
  await expect(page.getByRole('heading', { name: 'No laps', exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Search')).toHaveValue('GARNIER')
  await expect(items).toHaveText([/Stint of Leo/])
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(page.getByText('No session matches.')).toBeVisible()
})
