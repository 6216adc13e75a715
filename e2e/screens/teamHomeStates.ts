import type { Page } from '@playwright/test'
import type { ListedSession } from '#contract/sessions.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { exampleCar } from '#testing/exampleRace.ts'
import { changeFrames } from '../liveFrames.ts'
import { changeResponse, hold, refuse, respondWith } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'
import { backdateSessions, becomeViewer, blockSnapshots, showWatching } from './network.ts'
import { membersOf, type Stage } from './stage.ts'
import { asTheo, type State, unloaded, watching } from './state.ts'

const ages = {
  'Friday practice 1': 24 * minuteMs + 7000,
  'Stint 3, night': 112 * minuteMs + 40_000,
  Shakedown: 6 * minuteMs + 18_000,
}

export const teamHomeStates: readonly State[] = [
  watching('team-home', async (page, stage) => {
    await backdateSessions(page, ages)
    await stage.startSession('Stint 3, night')
    await openTeam(page, stage)
  }),
  watching('team-home-silent', async (page, stage) => {
    await backdateSessions(page, ages, 'silent')
    await stage.startSession('Stint 3, night')
    await openTeam(page, stage)
  }),
  watching('team-home-pit-wall', async (page, stage) => {
    await showWatching(page, await membersOf(stage))
    await stage.startSession('Stint 3, night')
    await openTeam(page, stage)
    await page.getByRole('region', { name: 'At the pit wall' }).getByText('Noor Haddad').waitFor()
  }),
  watching('team-home-viewer', { shows: 'You watch this team.' }, async (page, stage) => {
    await becomeViewer(page)
    await backdateSessions(page, ages)
    await stage.startSession('Stint 3, night')
    await openTeam(page, stage)
  }),
  watching('team-home-loading', async (page, { team }) => {
    await hold(page, 'teams.get')
    await hold(page, 'sessions.listActive')
    await blockSnapshots(page)
    await page.goto(`/teams/${team.id}`)
    await page.getByLabel('Loading sessions').waitFor()
  }),
  watching('team-home-empty', { shows: 'No Active Sessions' }, (page, { quietTeam }) =>
    page.goto(`/teams/${quietTeam.id}`),
  ),
  watching('team-home-failed', async (page, { team }) => {
    await refuse(page, 'sessions.listActive', 'too-many')
    await blockSnapshots(page)
    await page.goto(`/teams/${team.id}`)
    await page.getByRole('alert').waitFor()
  }),
  watching('install-help-dialog', async (page, stage) => {
    await becomeIphone(page)
    await openTeam(page, stage)
    await page.getByRole('button', { name: /^Install Pitboard/ }).click()
    await page.getByRole('dialog').waitFor()
  }),
  asTheo('team-home-active', openOwnSession),
  asTheo('end-session-dialog', { from: 'team-home-active' }, async page => {
    await page.getByRole('button', { name: 'End Session' }).click()
    await page.getByRole('alertdialog').waitFor()
  }),
  asTheo('toasts', async (page, stage) => {
    await refuse(page, 'sessions.end', 'server-error')
    await openOwnSession(page, stage)
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('link', { name: 'Invite' }).click()
    await page.getByLabel('First Name').fill('Ines')
    await page.getByLabel('Last Name').fill('Okonkwo')
    await page.getByLabel('Email').fill(stage.people.ines.email)
    const { id, details } = stage.people.ines
    await respondWith(page, 'teams.invite', { id, ...details, expiresAt: 0, mailed: true })
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('Invite sent').waitFor()
    await page.getByText('Invite sent').hover()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'End Session' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End Session' }).click()
    await errorOn(page).waitFor()
  }),
  watching('all-sessions', async (page, stage) => {
    await stage.startSession('Stint 3, night')
    await page.goto(`/teams/${stage.team.id}/sessions`)
    await page.getByRole('link', { name: 'Map, Stint 3, night' }).waitFor()
  }),
  watching('all-sessions-laps', { shows: '1:51.8' }, async (page, stage) => {
    await changeResponse(page, 'sessions.list', (listed: { sessions: ListedSession[] }) => {
      const sessions = listed.sessions.map((each, n) => ({
        ...each,
        ...(n > 0 && { endedAt: 1, circuit: 'Circuit Zolder', laps: 40 + n, bestLapMs: 111_800 }),
      }))
      return { sessions, next: sessions[0]?.id ?? null }
    })
    await stage.startSession('Zolder 6 hours, car 17, first stint in the wet')
    await page.goto(`/teams/${stage.team.id}/sessions`)
  }),
  watching('all-sessions-none-found', { shows: 'No session matches' }, async (page, stage) => {
    await page.goto(
      `/teams/${stage.team.id}/sessions?search=nurburgring&from=2026-05-01&to=2026-05-03`,
    )
  }),
  ...unloaded('all-sessions', {
    call: 'sessions.list',
    loading: 'Loading sessions',
    open: (page, { team }) => page.goto(`/teams/${team.id}/sessions`),
  }),
  watching('rename-session-dialog', { from: 'log-empty' }, async page => {
    await page.getByRole('button', { name: 'Rename session' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  watching('session-new', { atOnce: 'button[type=submit], summary' }, async (page, { team }) => {
    await page.goto(`/teams/${team.id}/new`)
    await page.getByRole('link', { name: 'Northline Racing' }).waitFor()
  }),
  watching(
    'session-new-driven',
    { shows: 'Another phone is in this car.' },
    async (page, stage) => {
      const { teamId } = await stage.startSession()
      const car = exampleCar()
      const inCar = { car: { id: car.id, number: car.number } }
      await respondWith(page, 'roster.get', { cars: [car], drivers: [] })
      await changeResponse<ListedSession[]>(page, 'sessions.listActive', sessions =>
        sessions.map(each => ({ ...each, ...inCar })),
      )
      await changeFrames(
        page,
        (text, seat) => text.replaceAll('"car":null', seat),
        JSON.stringify(inCar).slice(1, -1),
      )
      await page.goto(`/teams/${teamId}/new`)
      await page.locator('summary').click()
    },
  ),
  watching('session-new-failed', { from: 'session-new' }, async page => {
    await refuse(page, 'sessions.start', 'server-error')
    await startSession(page)
    await errorOn(page).waitFor()
  }),
  asTheo('session-new-driving-already', async (page, stage) => {
    await stage.startSession()
    await page.goto(`/teams/${stage.team.id}/new`)
    await startSession(page)
    await page.getByRole('link', { name: 'Enter Friday practice 1' }).waitFor()
  }),
]

/** Lets the page believe that it runs in Safari on an iPhone. */
export async function becomeIphone(page: Page) {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
  await page.addInitScript(
    value => Object.defineProperty(navigator, 'userAgent', { value }),
    userAgent,
  )
}

/** Opens the team's page and waits for its sessions. */
export async function openTeam(page: Page, { team }: Stage) {
  await page.goto(`/teams/${team.id}`)
  await page.getByRole('link', { name: /Shakedown/ }).waitFor()
}

async function openOwnSession(page: Page, stage: Stage) {
  await backdateSessions(page, ages)
  await stage.startSession()
  await openTeam(page, stage)
}

async function startSession(page: Page) {
  await page.getByLabel('Name').fill('Friday practice 2')
  await page.getByRole('button', { name: 'Start' }).click()
}
