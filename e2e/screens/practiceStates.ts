import type { Page } from '@playwright/test'
import type { Session } from '#contract/sessions.ts'
import type { Stage } from './stage.ts'
import { type State, watching } from './state.ts'

/** In a team of its own, whose other screens are not in the list. */
export const practiceStates: readonly State[] = [
  watching('wall-practice', async (page, stage) => {
    const { teamId } = await playPractice(page, stage)
    await page.goto(`/teams/${teamId}/wall`)
    await page.getByRole('article').getByText('Online').waitFor()
  }),
  watching('message-practice', async (page, stage) => {
    const { teamId, id } = await playPractice(page, stage)
    await page.goto(`/teams/${teamId}/${id}/message`)
    await page.getByText('PRACTICE', { exact: true }).waitFor()
  }),
  watching('team-home-practice', async (page, stage) => {
    const { teamId } = await playPractice(page, stage)
    await page.goto(`/teams/${teamId}`)
    await page.getByText('PRACTICE', { exact: true }).waitFor()
  }),
]

/** Plays the practice car in this page: the one that drives, so that few are started in an hour. */
async function playPractice(page: Page, { people: { marta } }: Stage): Promise<Session> {
  const teams = await marta.call.teams.list({})
  const teamId = teams.find(({ name }) => name === 'Kestrel Endurance')?.id ?? ''
  const car =
    (await marta.call.sessions.practice({ teamId })) ??
    (await marta.call.sessions.startPractice({ teamId }))
  await page.addInitScript(id => sessionStorage.setItem('pitboard.practice', id), car.id)
  return car
}
