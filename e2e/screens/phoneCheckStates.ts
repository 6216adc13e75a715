import { becomePhone, type Phone } from '../fakePhone.ts'
import { asGuest, type State } from './state.ts'

export const phoneCheckStates: readonly State[] = [
  checking('phone-check-ready', {}, 'This phone is ready', true),
  checking('phone-check-waiting', { position: 'none' }, 'No satellites yet'),
  checking(
    'phone-check-blocked',
    { permission: 'denied', position: { error: 1 } },
    'Location is blocked for this site',
  ),
  checking('phone-check-approximate', { position: { accuracyM: 2000 } }, 'Location is approximate'),
  checking(
    'phone-check-many',
    {
      untrusted: true,
      permission: 'denied',
      position: { error: 1 },
      wakeLock: 'missing',
      storage: { freeBytes: 0 },
      battery: { level: 0.2, charging: false },
      notifications: 'denied',
      installed: false,
    },
    'This phone does not trust the paddock',
  ),
]

function checking(name: string, phone: Phone, heading: string, tapped = false): State {
  return asGuest(name, async page => {
    await becomePhone(page, phone)
    await page.goto('/check')
    if (tapped) await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
  })
}
