import type { Auth } from '#contract/endpoint.ts'
import type { Up } from '#contract/live.ts'
import type { BadFrame } from './up.ts'

/** The login each frame needs. An anonymous login may only subscribe. */
export const frameAuth: Readonly<Record<(Up | BadFrame)['t'], Exclude<Auth, 'anyone'>>> = {
  hello: 'any-login',
  bad: 'any-login',
  heartbeat: 'any-login',
  subscribe: 'any-login',
  unsubscribe: 'any-login',
  drive: 'signed-in',
  'stop-driving': 'signed-in',
  fix: 'signed-in',
  receipt: 'signed-in',
  phone: 'signed-in',
  test: 'signed-in',
  'test-seen': 'signed-in',
}
