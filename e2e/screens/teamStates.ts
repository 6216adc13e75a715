import type { Page } from '@playwright/test'
import { beganEarlier, hasNoLine, neverAnswers, refuses } from './network.ts'
import type { Stage } from './stage.ts'
import type { State } from './states.ts'

const minuteMs = 60_000
const ages = {
  'Friday practice 1': 24 * minuteMs + 7000,
  'Stint 3, night': 112 * minuteMs + 40_000,
  Shakedown: 6 * minuteMs + 18_000,
}

export const teamStates: readonly State[] = [
  {
    name: 'teams',
    viewer: 'marta',
    open: async page => {
      await page.goto('/teams')
      await page.getByRole('link', { name: 'Northline Racing' }).waitFor()
    },
  },
  {
    name: 'teams-loading',
    viewer: 'marta',
    open: async page => {
      await neverAnswers(page, 'teams.list')
      await hasNoSnapshot(page)
      await page.goto('/teams')
      await page.getByLabel('Loading teams').waitFor()
    },
  },
  {
    name: 'teams-empty',
    viewer: 'ines',
    open: async page => {
      await page.goto('/teams')
      await page.getByText('No Teams').waitFor()
    },
  },
  {
    name: 'teams-failed',
    viewer: 'marta',
    open: async page => {
      await refuses(page, 'teams.list', 'too-many')
      await hasNoSnapshot(page)
      await page.goto('/teams')
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'teams-menu', viewer: 'marta', open: openMenu },
  {
    name: 'name-dialog',
    viewer: 'marta',
    open: async page => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Edit name' }).click()
      await page.getByRole('dialog').waitFor()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'team-create',
    viewer: 'marta',
    open: async page => {
      await page.goto('/teams/create')
      await page.getByLabel('Team Name').waitFor()
    },
  },
  {
    name: 'team-create-failed',
    viewer: 'marta',
    open: async page => {
      await refuses(page, 'teams.create', 'server-error')
      await page.goto('/teams/create')
      await page.getByLabel('Team Name').fill('Tidewater Autosport')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'team-home',
    viewer: 'marta',
    open: async (page, stage) => {
      await beganEarlier(page, ages)
      await stage.drives('Stint 3, night')
      await openTeam(page, stage)
    },
  },
  {
    name: 'team-home-loading',
    viewer: 'marta',
    open: async (page, { team }) => {
      await neverAnswers(page, 'teams.get')
      await neverAnswers(page, 'sessions.listActive')
      await hasNoSnapshot(page)
      await page.goto(`/teams/${team.id}`)
      await page.getByLabel('Loading sessions').waitFor()
    },
  },
  {
    name: 'team-home-empty',
    viewer: 'marta',
    open: async (page, { quietTeam }) => {
      await page.goto(`/teams/${quietTeam.id}`)
      await page.getByText('No Active Sessions').waitFor()
    },
  },
  {
    name: 'team-home-failed',
    viewer: 'marta',
    open: async (page, { team }) => {
      await refuses(page, 'sessions.listActive', 'too-many')
      await hasNoSnapshot(page)
      await page.goto(`/teams/${team.id}`)
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'team-home-active', viewer: 'theo', open: openOwnSession },
  {
    name: 'end-session-dialog',
    viewer: 'theo',
    open: async (page, stage) => {
      await openOwnSession(page, stage)
      await page.getByRole('button', { name: 'End Session' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'toasts',
    viewer: 'theo',
    open: async (page, stage) => {
      await refuses(page, 'sessions.end', 'server-error')
      await openOwnSession(page, stage)
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('link', { name: 'Invite' }).click()
      await page.getByLabel('First Name').fill('Ines')
      await page.getByLabel('Last Name').fill('Okonkwo')
      await page.getByLabel('Email').fill(stage.people.ines.email)
      await page.route('**/api/teams.invite', route =>
        route.fulfill({ json: { id: stage.people.ines.id, ...stage.people.ines.details } }),
      )
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByText('Invite sent').waitFor()
      await page.getByText('Invite sent').hover()
      await page.getByRole('link', { name: 'Back' }).click()
      await page.getByRole('button', { name: 'End Session' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'End Session' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'offline',
    viewer: 'theo',
    open: async (page, stage) => {
      await hasNoLine(page)
      await stage.drives()
      await openTeam(page, stage)
      await page.getByText('You are offline').waitFor()
    },
  },
  {
    name: 'outdated',
    viewer: 'marta',
    open: async page => {
      await page.routeWebSocket('**/live', line => line.close({ code: 4101 }))
      await page.goto('/teams')
      await page.getByText('This app is out of date').waitFor()
    },
  },
  {
    name: 'not-your-team',
    viewer: 'ines',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}`)
      await page.getByRole('heading', { name: 'Not your team' }).waitFor()
    },
  },
  {
    name: 'broken',
    viewer: 'marta',
    open: async page => {
      await page.route('**/api/teams.list*', route => route.fulfill({ json: {} }))
      await hasNoSnapshot(page)
      await page.goto('/teams')
      await page.getByText('This page stopped working').waitFor()
    },
  },
  {
    name: 'not-loaded',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.route('**/assets/MembersScreen*.js', route => route.abort())
      await page.goto(`/teams/${team.id}/members`)
      await page.getByText('This page did not load').waitFor()
    },
  },
  {
    name: 'unreachable',
    viewer: 'marta',
    open: async page => {
      await refuses(page, 'auth.login', 'too-many')
      await page.goto('/teams')
      await page.getByText('The server did not answer').waitFor()
    },
  },
  {
    name: 'session-new',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}/new`)
      await page.getByRole('link', { name: 'Northline Racing' }).waitFor()
    },
  },
  {
    name: 'session-new-failed',
    viewer: 'marta',
    open: async (page, { team }) => {
      await refuses(page, 'sessions.start', 'server-error')
      await page.goto(`/teams/${team.id}/new`)
      await startSession(page)
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'session-new-driving-already',
    viewer: 'theo',
    open: async (page, stage) => {
      await stage.drives()
      await page.goto(`/teams/${stage.team.id}/new`)
      await startSession(page)
      await page.getByRole('link', { name: 'Enter Friday practice 1' }).waitFor()
    },
  },
  {
    name: 'members',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}/members`)
      await page.getByText('Théo Garnier').waitFor()
    },
  },
  {
    name: 'members-loading',
    viewer: 'marta',
    open: async (page, { team }) => {
      await neverAnswers(page, 'teams.members')
      await hasNoSnapshot(page)
      await page.goto(`/teams/${team.id}/members`)
      await page.getByLabel('Loading members').waitFor()
    },
  },
  {
    name: 'members-failed',
    viewer: 'marta',
    open: async (page, { team }) => {
      await refuses(page, 'teams.members', 'too-many')
      await hasNoSnapshot(page)
      await page.goto(`/teams/${team.id}/members`)
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'leave-dialog',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}/members`)
      await page.getByRole('button', { name: 'Leave team' }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'invite',
    viewer: 'marta',
    open: async (page, { team }) => {
      await page.goto(`/teams/${team.id}/members/invite`)
      await page.getByLabel('Email').waitFor()
    },
  },
  {
    name: 'invite-refused',
    viewer: 'marta',
    open: async (page, { team, people }) => {
      await page.goto(`/teams/${team.id}/members/invite`)
      await page.getByLabel('First Name').fill('Théo')
      await page.getByLabel('Last Name').fill('Garnier')
      await page.getByLabel('Email').fill(people.theo.email)
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
]

/** The live line is up, but tells nothing: a list that waits goes on waiting. */
function hasNoSnapshot(page: Page) {
  return page.routeWebSocket('**/live', line => {
    const server = line.connectToServer()
    server.onMessage(message => {
      if (!String(message).includes('"snapshot"')) line.send(message)
    })
  })
}

async function openMenu(page: Page) {
  await page.goto('/teams')
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menu').waitFor()
}

async function openTeam(page: Page, { team }: Stage) {
  await page.goto(`/teams/${team.id}`)
  await page.getByRole('link', { name: /Shakedown/ }).waitFor()
}

async function openOwnSession(page: Page, stage: Stage) {
  await beganEarlier(page, ages)
  await stage.drives()
  await openTeam(page, stage)
}

async function startSession(page: Page) {
  await page.getByLabel('Name').fill('Friday practice 2')
  await page.getByRole('button', { name: 'Start' }).click()
}
