import type { RefusalCode } from '#contract/refusal.ts'
import type { Scene } from './sceneInputs.ts'

/** The kinds of callers; a joined one is a member who joined by a code, the driver a member who drives the session. */
export type Who =
  | 'nobody'
  | 'anonymous'
  | 'stranger'
  | 'invited'
  | 'viewer'
  | 'member'
  | 'joined'
  | 'driver'
  | 'owner'

type ByDefault = 'invited' | 'viewer' | 'joined' | 'owner'

/**
 * The answer to each kind of caller. An invited person gets the same as a stranger, a viewer, a joined person and the
 * owner the same as a member, unless a row states another.
 */
export type Answers<Of = 'ok' | RefusalCode> = Record<Exclude<Who, ByDefault>, Of> &
  Partial<Record<ByDefault, Of>>

/** The answers of calls, by name, with what their requests contain besides the ids of the scene. */
export type Rows = Record<string, Answers | Row>

interface Row {
  readonly input: object | ((scene: Scene) => object)
  readonly answers: Answers
}

/** Returns a test case for each kind of caller. */
export function byCaller<Of>(answers: Omit<Answers<Of>, 'nobody'> & { nobody?: Of }) {
  const { stranger, member } = answers
  return Object.entries({
    invited: stranger,
    viewer: member,
    joined: member,
    owner: member,
    ...answers,
  }).map(([who, answer]) => ({ who: who as Who, answer: answer as Of }))
}

/** The same answer to every caller. */
export function everybodyGets<Of extends 'ok' | RefusalCode>(answer: Of) {
  return { nobody: answer, anonymous: answer, stranger: answer, member: answer, driver: answer }
}

/** The same answer to every caller with a login. */
export function anyLoginGets<Of extends 'ok' | RefusalCode>(answer: Of) {
  return { ...everybodyGets(answer), nobody: 'not-signed-in' } as const
}

/** The same answer to every caller with an email address. */
export function signedInGet<Of extends 'ok' | RefusalCode>(answer: Of) {
  return { ...anyLoginGets(answer), anonymous: 'address-needed' } as const
}

export const forEverybody = everybodyGets('ok')
export const forAnyLogin = anyLoginGets('ok')
/** Like `forMembers`, for calls that need no email address: an anonymous login is refused as a non-member. */
export const forReaders = {
  ...forAnyLogin,
  anonymous: 'not-a-member',
  stranger: 'not-a-member',
} as const
export const forSignedIn = signedInGet('ok')
export const forMembers = { ...forSignedIn, stranger: 'not-a-member' } as const
export const forEditors = { ...forMembers, viewer: 'view-only' } as const
export const forDriver = { ...forMembers, member: 'not-the-driver' } as const
export const forInvited = { ...signedInGet('not-found'), invited: 'ok' } as const
export const forOwner = {
  ...forMembers,
  member: 'not-the-owner',
  driver: 'not-the-owner',
  owner: 'ok',
} as const

/** The same answers, but a person who joined by a code needs an e-mail or a passkey. */
export function withAccount(answers: Answers): Answers {
  return { ...answers, joined: 'address-needed' }
}

/** The same refusal to every member who is not a viewer. */
export function editorsGet(answer: RefusalCode) {
  return { ...forEditors, member: answer, driver: answer }
}
