import { expect, type Locator, type Page } from '@playwright/test'
import { opened, test } from '../screens/stageTest.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`high-contrast mode uses full-strength text colours: ${colorScheme}`, async ({ stage }) => {
    const page = await opened(stage, 'sign-in')
    await page.emulateMedia({ contrast: 'no-preference', colorScheme })
    const usual = await contrastColours(page)
    await page.emulateMedia({ contrast: 'more', colorScheme })
    await expect
      .poll(() => contrastColours(page))
      .toEqual({
        ink: usual.ink,
        ink2: usual.ink,
        ink3: usual.ink,
        line: usual.ink,
        lineStrong: usual.ink,
      })
    expect(usual.ink2).not.toBe(usual.ink)
  })
}

function contrastColours(page: Page) {
  return page.evaluate(() => {
    const style = getComputedStyle(document.documentElement)
    return {
      ink: style.getPropertyValue('--ink'),
      ink2: style.getPropertyValue('--ink-2'),
      ink3: style.getPropertyValue('--ink-3'),
      line: style.getPropertyValue('--line'),
      lineStrong: style.getPropertyValue('--line-strong'),
    }
  })
}

test('touch targets on a phone are at least 48 px, message buttons 76 px', async ({ stage }) => {
  const names = [
    'sign-up',
    'code',
    'teams-menu',
    'team-home-active',
    'toasts',
    'members',
    'log',
    'drive-leave',
    'drive-ready',
  ]
  for (const name of names) {
    const page = await opened(stage, name)
    await expect.poll(() => smallTargets(page, 48), name).toEqual([])
  }
  const page = await opened(stage, 'message-refused')
  await expect.poll(() => smallTargets(page, 48)).toEqual([])
  const plates = await page.getByRole('group', { name: 'Messages' }).getByRole('button').all()
  expect(plates).toHaveLength(9)
  await page.setViewportSize({ width: 360, height: 640 })
  for (const plate of plates) {
    await expect
      .poll(async () => {
        const box = await plate.boundingBox()
        return Math.min(box?.width ?? 0, box?.height ?? 0)
      })
      .toBeGreaterThanOrEqual(76)
  }
})

test('navigation moves the focus to the title of the new page', async ({ stage }) => {
  const page = await opened(stage, 'teams')
  await page.getByRole('link', { name: 'Northline Racing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Northline Racing' })).toBeFocused()
  await expect(page).toHaveTitle('Northline Racing - Pitboard')
  await page.getByRole('link', { name: 'Members' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your Team' })).toBeFocused()
  await page.getByRole('link', { name: 'Invite' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Invite User' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Your Team' })).toBeFocused()
})

test('error screens have a title', async ({ stage }) => {
  for (const [name, title] of [
    ['broken', 'This page stopped working'],
    ['not-loaded', 'This page did not load'],
    ['unreachable', 'The server did not respond'],
  ] as const) {
    const page = await opened(stage, name)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
})

test('a refused form focuses its first invalid field, described by the error', async ({
  stage,
}) => {
  const page = await opened(stage, 'team-create')
  await page.route('**/api/teams.create', route =>
    route.fulfill({
      status: 400,
      json: { code: 'invalid-input', message: 'No.', fields: { name: 'not-printable' } },
    }),
  )
  await page.getByLabel('Team Name').fill('A')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByLabel('Team Name')).toBeFocused()
  await expect(page.getByLabel('Team Name')).toHaveAccessibleDescription(
    'Use letters, digits and punctuation only.',
  )
  await expect(page.getByLabel('Team Name')).toHaveAttribute('aria-invalid', 'true')
})

test('fields set autocomplete and the keyboard of a phone', async ({ stage }) => {
  const page = await opened(stage, 'sign-up')
  await expectInput(page.getByLabel('First Name'), { autocomplete: 'given-name' })
  await expectInput(page.getByLabel('Last Name'), { autocomplete: 'family-name' })
  await expectInput(page.getByLabel('Email'), {
    autocomplete: 'email',
    inputmode: 'email',
    type: 'email',
    autocapitalize: 'none',
  })
  await page.goto('/auth/confirm-otp?email=a@b.example')
  await expectInput(page.getByLabel('One-time Code'), {
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
  })
})

test('the whole app works with the keyboard alone, from sign-up to End Session', async ({
  stage,
  stageServer,
}) => {
  const page = await stage.pageOf('guest')
  const email = 'keyboard@northline.example'
  const { mails } = stageServer
  await page.goto('/auth/sign-up')
  await type(page, page.getByLabel('First Name'), 'Kay')
  await type(page, page.getByLabel('Last Name'), 'Board')
  await type(page, page.getByLabel('Email'), email)
  await submit(page)
  await expect(page.getByLabel('One-time Code')).toBeFocused()
  await page.keyboard.type(await mails.nextCode(email))
  await submit(page)

  await press(page, page.getByRole('link', { name: 'Add Team' }))
  await type(page, page.getByLabel('Team Name'), 'Key Racing')
  await submit(page)
  await press(page, page.getByRole('link', { name: 'Start a new Race Session' }))
  await type(page, page.getByLabel('Name', { exact: true }), 'Night')
  await submit(page)
  await expect(page.getByText('Online')).toBeVisible()
  await page.keyboard.press('Escape')

  await press(page, page.getByRole('link', { name: /^Night/ }))
  await press(page, page.getByRole('button', { name: 'PIT' }))
  await expect(page.getByRole('button', { name: 'PIT' })).toHaveAttribute('aria-pressed', 'true')
  await press(page, page.getByRole('button', { name: 'CLEAR' }))
  await expect(page.getByRole('button', { name: 'PIT' })).toHaveAttribute('aria-pressed', 'false')
  await press(page, page.getByRole('link', { name: 'Back to the team' }))

  await press(page, page.getByRole('button', { name: 'End Session' }))
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'End Session' })).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, dialog.getByRole('button', { name: 'End Session' }))
  await expect(page.getByText('No Active Sessions')).toBeVisible()
})

/** Presses Tab until the target has the focus, and checks that its focus outline is visible. */
async function tabTo(page: Page, target: Locator) {
  // A link is disabled while its page is requested.
  await expect(target).toBeEnabled()
  for (let tabs = 0; tabs < 40; tabs++) {
    if (await target.evaluate(element => element === document.activeElement)) {
      await expect(target).toHaveCSS('outline-style', 'solid')
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(target)}`)
}

async function press(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function type(page: Page, field: Locator, text: string) {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

/** Submits a complete form with Enter. */
async function submit(page: Page) {
  await expect(page.locator('[type=submit]')).toBeEnabled()
  await page.keyboard.press('Enter')
}

async function expectInput(field: Locator, attributes: Record<string, string>) {
  for (const [name, value] of Object.entries(attributes)) {
    await expect(field).toHaveAttribute(name, value)
  }
}

/** Returns links, buttons and fields whose hit area is smaller than this in width or height. */
function smallTargets(page: Page, leastPx: number): Promise<string[]> {
  return page.getByRole('main').evaluate((main, least) => {
    const targets = [
      ...(main.ownerDocument ?? document).querySelectorAll('a, button, input, select'),
    ]
    return targets
      .filter(target => {
        const { width, height } = target.getBoundingClientRect()
        if (width === 0) return false
        // `::after` extends the hit area beyond the visible box.
        const reach = Number.parseFloat(getComputedStyle(target, '::after').inset) || 0
        return Math.min(width, height) - 2 * Math.min(0, reach) < least - 0.5
      })
      .map(target => target.outerHTML.slice(0, 120))
  }, leastPx)
}
