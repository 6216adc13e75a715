import type { IncomingHttpHeaders } from 'node:http'
import { parseSafely } from '#contract/parse.ts'
import type { Person } from '#contract/users.ts'
import { personFromRow, userById } from '#server/auth/people.ts'
import type { AppContext, Caller } from '#server/context.ts'
import { builtinProjectKey } from '#support/contract/supportRules.ts'
import { TabId } from '../desk/assistEvents.ts'
import { isVisitOf } from '../visitId.ts'
import { agentById } from './agents.ts'
import { type AgentToken, verifyAgentToken } from './agentToken.ts'

/** Services for authenticating support sockets and calls. */
export interface SupportAuthContext extends Pick<AppContext, 'db' | 'log' | 'live'> {
  support: NonNullable<AppContext['config']['support']>
  /** Key that signs visits and agents' tokens. */
  key: Buffer
  authenticateHeaders(headers: IncomingHttpHeaders): Promise<Caller | null>
}

/** The user's own tab: `<project key>-<visit>-<tab>` with a login that the visit belongs to. */
export interface OwnTab {
  visitId: string
  tabId: string
  person: Person
}

/** A person and the login of their browser. */
export interface SignedIn {
  person: Person
  loginId: string
}

/** Authenticates by a browser's cookie. A device's token is not accepted. */
export async function signedInBy(
  auth: SupportAuthContext,
  headers: IncomingHttpHeaders,
): Promise<SignedIn | null> {
  const { cookie } = headers
  const caller = await auth.authenticateHeaders(cookie === undefined ? {} : { cookie })
  // The token of a device, sent as a cookie.
  if (!caller || caller.scopes !== null) return null
  const user = await userById(auth.db, caller.userId)
  if (!user || user.is_anonymous) return null
  return { person: personFromRow(user), loginId: caller.loginId }
}

/** Returns the person of a browser's cookie, or null. */
export async function visitorOf(auth: SupportAuthContext, headers: IncomingHttpHeaders) {
  return (await signedInBy(auth, headers))?.person ?? null
}

/** Returns the tab that a peer id names, if it belongs to this person. */
export function ownTab(auth: SupportAuthContext, peerId: unknown, person: Person): OwnTab | null {
  const { visitId, rest: tabId } = partsOf(peerId)
  if (!isVisitOf(auth.key, visitId, person.id)) return null
  return parseSafely(TabId, tabId).success ? { visitId, tabId, person } : null
}

/** Verifies an agent's token: signed, not expired, issued to this person, who is still an agent. */
export async function agentTokenOf(
  auth: SupportAuthContext,
  token: unknown,
  person: Person,
): Promise<AgentToken | null> {
  const agentToken = verifyAgentToken(auth.key, token, Date.now())
  if (agentToken?.agentId !== person.id) return null
  return (await agentById(auth.db, auth.support, person.id)) ? agentToken : null
}

/** Interval of the checks of open sockets. */
export function recheckIntervalMs({
  support: { recheckIntervalMs = 30_000 },
}: SupportAuthContext): number {
  return recheckIntervalMs
}

/** Whether the same browser is still signed in, and an agent still is one. */
export async function isStillAuthorized(
  auth: SupportAuthContext,
  headers: IncomingHttpHeaders,
  { person: { id }, isAgent }: { person: Person; isAgent: boolean },
): Promise<boolean> {
  const person = await visitorOf(auth, headers)
  if (person?.id !== id) return false
  return !isAgent || auth.support.admins.has(person.email ?? '')
}

/** Parses `pitboard-<visit>-<tab or agent>`; the parts are empty if it does not match. */
function partsOf(peerId: unknown): { visitId: string; rest: string } {
  const pattern = new RegExp(`^${builtinProjectKey}-([0-9a-f]{64})-([0-9a-z]+)$`)
  const [, visitId = '', rest = ''] = pattern.exec(String(peerId)) ?? []
  return { visitId, rest }
}

/** The room shared by the agents and tabs of one visit. */
export function roomOf(visitId: string): string {
  return `${builtinProjectKey}-${visitId}`
}
