import { expect, type Page } from '@playwright/test'
import { becomePhone, type Phone } from '../fakePhone.ts'
import { type Fixtures, test } from '../fixtures.ts'

const blocked: Phone = { permission: 'denied', position: { error: 1 } }

const failing: [name: string, Phone, heading: string, row: string, found: string, step: string][] =
  [
    [
      'an insecure origin',
      { secure: false },
      'This page is not secure',
      'Secure page',
      'Not secure',
      'https',
    ],
    [
      'an untrusted certificate',
      { untrusted: true },
      'This phone does not trust the paddock',
      'Secure page',
      'Not trusted',
      'http://localhost',
    ],
    [
      'a question for the location that was closed',
      { permission: 'prompt', position: { error: 1 } },
      'Location is not allowed',
      'Location',
      'Not allowed',
      'Tap Ask for location',
    ],
    [
      'location denied to the site',
      blocked,
      'Location is blocked for this site',
      'Location',
      'Not allowed',
      'Permissions, then Location',
    ],
    [
      'location denied to the site in Safari',
      { ...blocked, iphone: 'tab' },
      'Location is blocked for this site',
      'Location',
      'Not allowed',
      'Website Settings',
    ],
    [
      'location denied to the installed app',
      { ...blocked, iphone: 'installed' },
      'Location is off for the installed app',
      'Location',
      'Not allowed',
      'Location Services, Pitboard',
    ],
    [
      'location off on the phone',
      { permission: 'granted', position: { error: 1 } },
      'Location is off on this phone',
      'Location',
      'Off',
      'Swipe down',
    ],
    [
      'approximate location',
      { position: { accuracyM: 2000 } },
      'Location is approximate',
      'Location',
      '±2 km',
      'Turn on Use precise location',
    ],
    [
      'an inaccurate position',
      { position: { accuracyM: 400 } },
      'The position is inaccurate',
      'Location',
      '±400 m',
      'windscreen',
    ],
    [
      'a browser without a location',
      { position: 'missing' },
      'This browser provides no location',
      'Location',
      'None',
      'Chrome or Safari',
    ],
    [
      'no wake lock',
      { wakeLock: 'missing' },
      'The screen may go dark in the car',
      'Screen stays on',
      'No',
      'auto-lock',
    ],
    [
      'a refused wake lock',
      { wakeLock: 'refused' },
      'The screen may go dark in the car',
      'Screen stays on',
      'Refused',
      'battery saver',
    ],
    [
      'Low Power Mode',
      { iphone: 'tab', frameMs: 33 },
      'Low Power Mode is on',
      'Power saving',
      'On',
      'Turn off Low Power Mode',
    ],
    [
      'a wrong clock',
      { clockAheadMs: 240_000 },
      'The clock is 4 min wrong',
      'Clock',
      '4 min wrong',
      'Set automatically',
    ],
    [
      'a clock that is 3 s behind',
      { clockAheadMs: -3500 },
      'The clock is',
      'Clock',
      's wrong',
      'Set automatically',
    ],
    [
      'full storage',
      { storage: { freeBytes: 1000 } },
      'Storage is full',
      'Storage',
      'Full',
      'Delete a video',
    ],
    [
      'a private window',
      { storage: { throws: true } },
      'This browser stores nothing',
      'Storage',
      'None',
      'private window',
    ],
    ['locked sound', { sound: 'locked' }, 'The sound is locked', 'Sound', 'Locked', 'silent mode'],
    [
      'a low battery',
      { battery: { level: 0.34, charging: false } },
      'The battery may not last a stint',
      'Power',
      '34%, no cable',
      'charger',
    ],
    [
      'no server',
      { serverIsDown: true },
      'No connection to the server',
      'Team',
      'No connection',
      'Wi-Fi',
    ],
  ]

for (const [name, phone, heading, row, found, step] of failing)
  test(`the phone check finds ${name}, and says what to tap`, async ({ newPage }) => {
    const page = await openCheck(newPage, phone)
    await page
      .getByRole('button', { name: 'Check again' })
      .or(page.getByRole('button', { name: 'Ask for location' }))
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
    await expect(page.getByText('Not ready', { exact: true })).toBeVisible()
    await expect(page.getByRole('list').first()).toContainText(step)
    await expect(checkRow(page, row)).toContainText(found)
    await expect(checkRow(page, row).getByLabel('To do')).toBeVisible()
    await expect(page.getByText(/^1 to do, /)).toBeVisible()
  })

for (const [name, phone, heading] of [
  ['that may not be reached', { network: 'denied' }, "This phone blocks the paddock's network"],
  ['that does not respond', { serverIsDown: true }, "The paddock's network cannot be reached"],
] as const)
  test(`the phone check finds a local network ${name}`, async ({ page, server }) => {
    await becomePhone(page, phone)
    // The page of a server in the paddock, without one there.
    const address = 'https://192.168.8.20'
    await page.route(`${address}/**`, async route => {
      const { pathname } = new URL(route.request().url())
      if (phone.serverIsDown && pathname === '/version.json') return route.abort()
      await route.fulfill({ response: await route.fetch({ url: server.url + pathname }) })
    })
    await page.goto(`${address}/check`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
    await expect(checkRow(page, 'Local network').getByLabel('To do')).toBeVisible()
    // A request that is still underway would fail with the page.
    await page.unrouteAll({ behavior: 'wait' })
  })

test('a good phone is ready; a dash is not measured, and a note does not block', async ({
  newPage,
}) => {
  const page = await openCheck(newPage, {})
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This phone is ready')
  for (const row of ['Secure page', 'Location', 'Screen stays on', 'Clock', 'Storage', 'Team'])
    await expect(checkRow(page, row).getByLabel('Good'), row).toBeVisible()
  for (const row of ['Sound', 'Installed', 'Notifications', 'Power'])
    await expect(checkRow(page, row).getByLabel('Good'), row).toBeVisible()
  // Only Safari shows it.
  await expect(checkRow(page, 'Power saving').getByLabel('Not measured')).toBeVisible()
  await expect(page.getByText('10 of 11 good')).toBeVisible()
})

test('notes and dashes of another phone', async ({ newPage }) => {
  const page = await openCheck(newPage, {
    battery: 'missing',
    installed: false,
    notifications: 'denied',
    storage: { persisted: false },
  })
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This phone is ready')
  await expect(checkRow(page, 'Power').getByLabel('Not measured')).toBeVisible()
  await expect(checkRow(page, 'Power')).toContainText('Check by eye')
  for (const [row, found] of [
    ['Installed', 'No'],
    ['Notifications', 'Blocked'],
    ['Storage', 'May be cleared'],
  ] as const) {
    await expect(checkRow(page, row).getByLabel('Note'), row).toBeVisible()
    await expect(checkRow(page, row)).toContainText(found)
  }
})

test('a phone without a position is not ready yet', async ({ newPage }) => {
  const page = await openCheck(newPage, { position: 'none' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No satellites yet')
  await expect(checkRow(page, 'Location').getByLabel('Waiting')).toBeVisible()
})

test('the most important failed check comes first, and the others are named', async ({
  newPage,
}) => {
  const page = await openCheck(newPage, { ...blocked, storage: { freeBytes: 0 }, untrusted: true })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'This phone does not trust the paddock',
  )
  await expect(
    page.getByText('Then: Location is blocked for this site. Storage is full.'),
  ).toBeVisible()
  await expect(page.getByText(/^3 to do, /)).toBeVisible()
  await expect(page.getByText('While you drive, your crew sees:')).toContainText(
    'Location not allowed',
  )
})

async function openCheck(newPage: Fixtures['newPage'], phone: Phone): Promise<Page> {
  const page = await newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await becomePhone(page, phone)
  await page.route('**/version.json', async route => {
    if (phone.serverIsDown) return route.abort()
    const date = new Date(Date.now() - 500 - (phone.clockAheadMs ?? 0)).toUTCString()
    await route.fulfill({ json: { version: '1' }, headers: { date } })
  })
  await page.goto('/check')
  return page
}

function checkRow(page: Page, name: string) {
  return page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
}
