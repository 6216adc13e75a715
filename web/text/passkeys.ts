import { part } from './text.ts'

export const passkeysText = part('passkeys', {
  signIn: 'Sign in with a passkey',
  passkeyNotUsed: 'No passkey was used. Try again, or sign in with a code.',

  passkeys: 'Passkeys',
  passkeysText: 'Sign in with your fingerprint, face or screen lock instead of a code.',
  offer: 'Sign in without a code next time',
  notNow: 'Not now',
  passkeysLoading: 'Loading passkeys',
  passkeysFailed: 'The passkeys did not load',
  noPasskeys: 'You have no passkey yet.',
  passkeysUnsupported: 'This browser does not support passkeys here.',
  addPasskey: 'Add a passkey',
  passkeyAdded: (name: string) => `You can now sign in with ${name}.`,
  passkeyNotAdded: 'The passkey was not created. Try again.',
  passkeyName: 'This browser',
  passkeyUsed: (used: string, added: string) => `Last used ${used}. Added ${added}`,
  passkeyUnused: (added: string) => `Never used. Added ${added}`,
  remove: 'Remove',
  removePasskey: (name: string) => `Remove ${name}`,
  removePasskeyTitle: (name: string) => `Remove ${name}?`,
  removePasskeyText: 'You can no longer sign in with it. You can still sign in with a code.',
  passkeyRemoved: (name: string) => `${name} is removed.`,
})

declare module './text.ts' {
  interface Text {
    readonly passkeys: typeof passkeysText
  }
}
