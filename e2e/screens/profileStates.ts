import type { Page } from '@playwright/test'
import type { SignedInDevice } from '#contract/auth.ts'
import { refuse, respondWith } from '../mockApi.ts'
import { closeOverlay } from './overlays.ts'
import { type State, unloaded, watching } from './state.ts'
import { openMenu } from './teamStates.ts'

export const profileStates: readonly State[] = [
  watching('delete-account-dialog', { from: 'teams', leave: closeOverlay }, async page => {
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Delete account' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  watching('export-dialog', { from: 'teams', leave: closeOverlay }, async page => {
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Export my data' }).click()
    await page.getByRole('dialog').waitFor()
  }),
  watching('notifications-dialog', { shows: 'Off for this device' }, async page => {
    await page.addInitScript(() => {
      // A headless browser denies notifications without asking.
      Object.defineProperty(Notification, 'permission', { value: 'default' })
    })
    await openNotifications(page)
  }),
  watching('notifications-dialog-failed', async page => {
    await refuse(page, 'notifications.settings', 'too-many')
    await openNotifications(page)
    await page.getByRole('alert').waitFor()
  }),
  watching('devices', { shows: 'Gearbox logger, car 7' }, async page => {
    await mockLogins(page)
    await openDevices(page)
  }),
  watching('device-token-new', { from: 'devices-this-alone' }, openNewToken),
  watching('device-token-created', { from: 'device-token-new' }, async page => {
    const token = `pitboard_${'3kq9Zt7v_aB1'.repeat(4).slice(0, 43)}`
    const expiresAt = Date.UTC(2027, 10, 24)
    await respondWith(page, 'auth.createToken', { token, expiresAt })
    await page.getByLabel('Name of the device').fill('Gearbox logger, car 7')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog', { name: 'Token created' }).waitFor()
  }),
  watching('devices-this-alone', { from: 'teams', shows: 'This device' }, openDevicesMenu),
  ...unloaded('devices', { call: 'auth.logins', loading: 'Loading devices', open: openDevices }),
  watching('devices-sign-out', { from: 'devices' }, async page => {
    await page.getByRole('button', { name: 'Sign out Chrome on Android' }).click()
    await page.getByRole('alertdialog').waitFor()
  }),
]

async function openNotifications(page: Page) {
  await page.goto('/teams')
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Notifications' }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).waitFor()
}

async function openDevices(page: Page) {
  await page.goto('/teams')
  await openDevicesMenu(page)
}

async function openDevicesMenu(page: Page) {
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Signed-in devices' }).click()
  await page.getByRole('dialog', { name: 'Signed-in devices' }).waitFor()
}

async function openNewToken(page: Page) {
  await page.getByRole('button', { name: 'New token for a device' }).click()
  await page.getByRole('dialog', { name: 'New token for a device' }).waitFor()
}

const browser = { device: null, scopes: null, expiresAt: Date.UTC(2026, 11, 24), isThis: false }
const elsewhere: SignedInDevice[] = [
  {
    ...browser,
    id: '00000000-0000-4000-8000-000000000001',
    browser: 'Firefox',
    system: 'Linux',
    createdAt: Date.UTC(2026, 9, 12, 8),
    lastUsedAt: Date.UTC(2026, 10, 21, 15, 4),
    isThis: true,
  },
  {
    ...browser,
    id: '00000000-0000-4000-8000-000000000002',
    browser: 'Chrome',
    system: 'Android',
    createdAt: Date.UTC(2026, 10, 2, 9),
    lastUsedAt: Date.UTC(2026, 10, 21, 14, 31),
  },
  {
    ...browser,
    id: '00000000-0000-4000-8000-000000000003',
    browser: 'Samsung Internet',
    system: 'Android',
    createdAt: Date.UTC(2026, 8, 30, 9),
    lastUsedAt: Date.UTC(2026, 10, 8, 6, 12),
  },
  {
    ...browser,
    id: '00000000-0000-4000-8000-000000000004',
    device: 'Gearbox logger, car 7',
    scopes: ['drive'],
    browser: null,
    system: null,
    createdAt: Date.UTC(2026, 3, 4, 9),
    lastUsedAt: Date.UTC(2026, 9, 18, 16, 40),
  },
]

function mockLogins(page: Page) {
  return respondWith(page, 'auth.logins', elsewhere)
}
