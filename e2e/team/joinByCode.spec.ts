import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { phoneOptions } from '../drive/driveScreen.ts'
import { type Fixtures, test } from '../fixtures.ts'
import { errorOn, successOn } from '../toasts.ts'

/** Shows a code on the page of a member, and returns the code. */
async function showCode(pit: Page, teamId: string, who = 'A member lets in'): Promise<string> {
  await pit.goto(`/teams/${teamId}/members`)
  await pit.getByRole('link', { name: 'Join by code' }).click()
  await pit.getByLabel('Who comes with this code').selectOption(who)
  await pit.getByRole('button', { name: 'Show a code' }).click()
  const shown = pit.locator('[data-code]')
  await expect(shown).toHaveText(/^[A-Z2-9]{3} [A-Z2-9]{3}$/)
  await expect(pit.getByRole('img', { name: 'QR code of the link to join' })).toBeVisible()
  return (await shown.innerText()).replace(' ', '')
}

/** Opens the page of a new team's owner, who shows a code, and another browser. */
async function pitAndPhone({ open, person }: Pick<Fixtures, 'open' | 'person'>) {
  const ana = await person('Ana', 'Lindqvist')
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const pit = await open(ana)
  return { team, pit, code: await showCode(pit, team.id), phone: await open() }
}

async function typeName(phone: Page, firstName = 'Mia', lastName = 'Larsen') {
  await phone.getByLabel('First Name').fill(firstName)
  await phone.getByLabel('Last Name').fill(lastName)
  await phone.getByRole('button', { name: 'Join', exact: true }).click()
}

/** Counts the taps and the fields that a person fills in on a page, also across reloads. */
async function countInput(page: Page) {
  await page.addInitScript(() => {
    const key = 'test.input'
    const known: { taps: number; fields: string[] } = JSON.parse(
      sessionStorage.getItem(key) ?? '{"taps":0,"fields":[]}',
    )
    const store = () => sessionStorage.setItem(key, JSON.stringify(known))
    addEventListener(
      'click',
      () => {
        known.taps += 1
        store()
      },
      { capture: true },
    )
    addEventListener(
      'input',
      ({ target }) => {
        const { name } = target as HTMLInputElement
        if (!known.fields.includes(name)) known.fields.push(name)
        store()
      },
      { capture: true },
    )
  })
}

function counted(page: Page): Promise<{ taps: number; fields: string[] }> {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem('test.input') ?? '{}'))
}

test('a second browser joins by a code, is let in, drives and sees a PIT', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const pit = await open(ana, { viewport: { width: 1440, height: 900 } })
  const code = await showCode(pit, team.id)
  await pit.getByRole('link', { name: 'Back to Your Team' }).click()

  const phone = await open(undefined, phoneOptions)
  await countInput(phone)
  await phone.goto(`/join/${code}`)
  await expect(phone.getByText('Ana Lindqvist shows this code')).toBeVisible()
  await typeName(phone)
  await expect(phone.getByRole('status')).toHaveText("Waiting for Let in on a member's phone")

  await expect(pit.getByText('Mia Larsen wants to join')).toBeVisible()
  await pit.getByRole('button', { name: 'Let Mia Larsen in', exact: true }).click()
  await expect(successOn(pit)).toContainText('Mia Larsen is in the team now.')
  const members = pit.getByRole('list', { name: 'Members' })
  await expect(members.getByRole('listitem').filter({ hasText: 'Mia' })).toContainText('No email')

  await phone.getByRole('link', { name: 'I drive' }).click()
  await phone.getByRole('textbox', { name: 'Name' }).fill('Stint 1')
  await phone.getByRole('button', { name: 'Start' }).click()
  await expect(phone).toHaveURL(/\/drive/)
  await phone.getByRole('button', { name: /^Drive/ }).click()
  const { taps, fields } = await counted(phone)
  expect(taps).toBeLessThanOrEqual(4)
  expect(fields).toHaveLength(3)

  const [session] = await ana.call.sessions.listActive({ teamId: team.id })
  const sessionId = session?.id ?? ''
  await ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await expect(phone.getByRole('alert')).toHaveText('Pit')
})

test('a person who waits can cancel, and then joins again', async ({ open, person }) => {
  const { pit, code, phone } = await pitAndPhone({ open, person })
  await phone.goto(`/join/${code}`)
  await typeName(phone)
  await pit.getByRole('link', { name: 'Back to Your Team' }).click()
  await expect(pit.getByText('Mia Larsen wants to join')).toBeVisible()
  await phone.getByRole('button', { name: 'Cancel' }).click()
  await expect(phone.getByRole('heading', { name: 'Join with a code' })).toBeVisible()
  await expect(pit.getByText('Mia Larsen wants to join')).toBeHidden()
  await phone.goto(`/join/${code}`)
  await typeName(phone)
  await expect(phone.getByRole('status')).toHaveText("Waiting for Let in on a member's phone")
})

test('a person who was turned away by mistake asks again with the same code', async ({
  open,
  person,
}) => {
  const { team, pit, code, phone } = await pitAndPhone({ open, person })
  await phone.goto(`/join/${code}`)
  await typeName(phone)
  await expect(phone.getByRole('status')).toHaveText("Waiting for Let in on a member's phone")
  await pit.goto(`/teams/${team.id}/members`)
  await pit.getByRole('button', { name: 'Do not let Mia Larsen in' }).click()
  await expect(successOn(pit)).toContainText('They can ask again with the same code.')
  await expect(phone.getByRole('heading', { name: 'Not let in' })).toBeVisible()
  await phone.getByRole('link', { name: 'Ask again' }).click()
  await typeName(phone)
  await expect(phone.getByRole('status')).toHaveText("Waiting for Let in on a member's phone")
  await pit.getByRole('button', { name: 'Let Mia Larsen in', exact: true }).click()
  await expect(phone.getByRole('status')).toHaveText('You are in')
})

test('a person whose login has ended sees why Join asks for a name', async ({ open, person }) => {
  const ana = await person('Ana', 'Lindqvist')
  const [one, two] = [
    await ana.call.teams.create({ name: 'Northline Racing' }),
    await ana.call.teams.create({ name: 'Southline Racing' }),
  ]
  const pit = await open(ana)
  const phone = await open()
  await phone.goto(`/join/${await showCode(pit, one.id, 'Comes in at once')}`)
  await typeName(phone)
  await expect(phone.getByRole('status')).toHaveText('You are in')
  await phone.goto(`/join/${await showCode(pit, two.id)}`)
  await expect(phone.getByText('You join as Mia Larsen.')).toBeVisible()
  const mia = (await ana.call.teams.members({ teamId: one.id })).find(each => each.email === null)
  await ana.call.teams.removeMember({ teamId: one.id, userId: mia?.id ?? '' })
  await phone.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(errorOn(phone)).toContainText('This device was signed out. Enter your name')
  await typeName(phone)
  await expect(phone.getByRole('status')).toHaveText("Waiting for Let in on a member's phone")
})

test('a notice on the other pages lets a person in, and a stopped code lets in nobody', async ({
  open,
  person,
}) => {
  const { team, pit, code, phone } = await pitAndPhone({ open, person })
  await phone.goto('/join')
  await phone.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3).toLowerCase()}`)
  await phone.getByRole('button', { name: 'Continue' }).click()
  await pit.goto(`/teams/${team.id}`)
  await expect(pit.getByRole('heading', { name: 'Northline Racing' })).toBeVisible()
  await typeName(phone)
  await expect(pit.getByRole('alert')).toContainText('Mia Larsen wants to join')
  await pit.getByRole('button', { name: 'Let in', exact: true }).click()
  await expect(phone.getByRole('status')).toHaveText('You are in')
  await expect(pit.getByRole('alert')).toBeHidden()

  await pit.goto(`/teams/${team.id}/members/code`)
  await expect(pit.getByText('19 of 20')).toBeVisible()
  await pit.getByRole('button', { name: 'Stop code' }).click()
  await expect(pit.getByRole('button', { name: 'Show a code' })).toBeVisible()
  const late = await open()
  await late.goto(`/join/${code}`)
  await expect(late.getByText('This code has ended. Ask for a new one.')).toBeVisible()
})

test('a person who joined before takes the name to a new phone, then adds an email', async ({
  open,
  person,
  server,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const pit = await open(ana)
  const code = await showCode(pit, team.id, 'Comes in at once')
  const old = await open()
  await old.goto(`/join/${code}`)
  await typeName(old)
  await expect(old.getByRole('status')).toHaveText('You are in')

  const phone = await open()
  await phone.goto(`/join/${code}`)
  await typeName(phone)
  await expect(phone.getByRole('alert')).toContainText('There is a Mia Larsen in the team.')
  await phone.getByRole('button', { name: 'That is me' }).click()
  await pit.goto(`/teams/${team.id}/members`)
  await pit.getByRole('button', { name: 'Let Mia Larsen in', exact: true }).click()
  await phone.getByRole('link', { name: 'I am crew' }).click()
  await expect(phone).toHaveURL(`/teams/${team.id}`)
  await old.goto('/teams')
  await expect(old).toHaveURL('/auth/sign-in')

  const email = `mia-${randomUUID().slice(0, 8)}@northline.example`
  await phone.getByRole('button', { name: 'Add email' }).click()
  await phone.getByLabel('New email').fill(email)
  await phone.getByRole('button', { name: 'Send code' }).click()
  const [newCode = ''] = /\b\d{6}\b/.exec((await server.mails.next(email)).text) ?? []
  await phone.getByLabel(`Code sent to ${email}`).fill(newCode)
  await phone.getByRole('dialog').getByRole('button', { name: 'Add email' }).click()
  await expect(successOn(phone)).toContainText(email)
  await expect(pit.getByRole('listitem').filter({ hasText: email })).toBeVisible()
})

test('signing in where somebody joined by a code asks whose email it is', async ({
  open,
  person,
  codeMailedTo,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const code = await showCode(await open(ana), team.id, 'Comes in at once')
  const phone = await open()
  await phone.goto(`/join/${code}`)
  await typeName(phone)
  await phone.getByRole('link', { name: 'I am crew' }).waitFor()
  await phone.goto('/teams')
  await phone.getByRole('button', { name: 'ML: your profile' }).click()
  await phone.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(phone.getByRole('alertdialog')).toContainText('signed in on this device only')
  await phone.getByRole('button', { name: 'Stay signed in' }).click()
  await phone.goto('/auth/sign-in')
  await expect(
    phone.getByRole('heading', { name: 'You are Mia Larsen in this browser' }),
  ).toBeVisible()
  await phone.getByRole('button', { name: 'Yes, add it to Mia Larsen' }).click()
  const email = `mia-${randomUUID().slice(0, 8)}@northline.example`
  await phone.getByLabel('Email').fill(email)
  await phone.getByRole('button', { name: 'Sign In', exact: true }).click()
  await phone.getByLabel('One-time Code').fill(await codeMailedTo(email))
  await phone.getByRole('button', { name: 'Complete' }).click()
  await expect(phone.getByRole('link', { name: 'Northline Racing' })).toBeVisible()
  const members = await ana.call.teams.members({ teamId: team.id })
  expect(members.map(each => each.email)).toContain(email)
})

test('the button of an invitation mail accepts, after signing in', async ({
  open,
  person,
  server,
  codeMailedTo,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const team = await ana.call.teams.create({ name: 'Northline Racing' })
  const email = `leo-${randomUUID().slice(0, 8)}@northline.example`
  await ana.call.teams.invite({ teamId: team.id, firstName: 'Leo', lastName: 'Garnier', email })
  const { text } = await server.mails.next(email)
  const [, path = ''] = /Accept: \S+?(\/join\/invitation\/\S+)/.exec(text) ?? []
  const page = await open()
  await page.goto(path)
  const invited = page.getByText('Ana Lindqvist invited you to Northline Racing.')
  await expect(invited).toBeVisible()
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(invited).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.goBack()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('One-time Code').fill(await codeMailedTo(email))
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(`/teams/${team.id}`)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Invitation not accepted' })).toBeVisible()
})
