import { randomUUID } from 'node:crypto'
import {
  anyLoginGets,
  everybodyGets,
  forAnyLogin,
  forEverybody,
  forReaders,
  forSignedIn,
  type Rows,
  signedInGet,
  withAccount,
} from '../answers.ts'
import { newPerson } from '../sceneInputs.ts'

/** Calls about logins, passkeys and the caller's own account. */
export const peopleRows: Rows = {
  'auth.sendCode': { input: newPerson, answers: forEverybody },
  'auth.verifyCode': {
    input: () => ({ email: newPerson().email, code: '000000' }),
    answers: { ...everybodyGets('code-dead'), joined: 'attach-first' },
  },
  'auth.login': forEverybody,
  'auth.logins': forAnyLogin,
  'auth.createToken': {
    input: { name: 'Logger', scopes: ['drive'] },
    answers: withAccount(forSignedIn),
  },
  'auth.endLogin': { input: () => ({ loginId: randomUUID() }), answers: anyLoginGets('not-found') },
  'auth.signOutEverywhere': forAnyLogin,
  'passkeys.list': forSignedIn,
  'passkeys.startAdding': forSignedIn,
  'passkeys.add': {
    input: {
      name: 'Phone',
      credential: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
      },
    },
    answers: signedInGet('passkey-refused'),
  },
  'passkeys.remove': {
    input: () => ({ passkeyId: randomUUID() }),
    answers: signedInGet('not-found'),
  },
  'passkeys.startSignIn': forEverybody,
  'passkeys.signIn': {
    input: {
      credential: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
      },
    },
    answers: everybodyGets('passkey-refused'),
  },
  'users.me': forAnyLogin,
  'users.get': { ...forReaders, anonymous: 'not-found', stranger: 'not-found' },
  'users.rename': { input: { firstName: 'Re', lastName: 'Named' }, answers: forSignedIn },
  'users.sendEmailCodes': { input: () => ({ email: newPerson().email }), answers: forSignedIn },
  'users.changeEmail': {
    input: () => ({ email: newPerson().email, currentCode: '000000', newCode: '000000' }),
    answers: signedInGet('code-dead'),
  },
  'users.delete': {
    // Somebody without an e-mail confirms with nothing: see `deleteAccount.test.ts`.
    input: { email: 'somebody@example.com' },
    answers: { ...signedInGet('invalid-input'), joined: 'invalid-input' },
  },
  'users.deletePositions': forSignedIn,
  'privacy.settings': forEverybody,
}
