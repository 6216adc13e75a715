import type { Auth } from '#contract/endpoint.ts'
import type { Up } from '#contract/live.ts'
import { scopes } from '#contract/shared/scopes.ts'
import type { Access } from './access.ts'

const ofAnyLogin = { auth: 'any-login', scopes } as const
const ofReader = { auth: 'any-login', scopes: ['read', 'wall'] } as const
const ofDriver = { auth: 'signed-in', scopes: ['drive'] } as const

/** The login each frame needs; `bad` is one that does not match the protocol. An anonymous login may only subscribe. */
export const frameAccess: Readonly<Record<Up['t'] | 'bad', Access<Exclude<Auth, 'anyone'>>>> = {
  hello: ofAnyLogin,
  bad: ofAnyLogin,
  heartbeat: ofAnyLogin,
  subscribe: ofReader,
  unsubscribe: ofReader,
  drive: ofDriver,
  'stop-driving': ofDriver,
  fix: ofDriver,
  receipt: ofDriver,
  answer: ofDriver,
  'flag-shown': ofDriver,
  phone: ofDriver,
  test: ofDriver,
  'test-seen': { auth: 'signed-in', scopes: ['send'] },
}
