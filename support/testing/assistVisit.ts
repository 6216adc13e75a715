import type { AgentPass } from '#support/contract/support.ts'
import { builtinProjectKey, ingestPath } from '#support/contract/supportRules.ts'
import type { Person } from '#testing/people/person.ts'
import { AssistConnection } from './assistConnection.ts'

/** A call of the ingest, as the tracker sends it from a page of ours. */
export function ingest(
  url: string,
  person: Person | null,
  { path, body, token }: { path: string; body?: object | string; token?: string },
): Promise<Response> {
  return fetch(`${url}${ingestPath}/v1/web/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      origin: url,
      ...(person && { cookie: person.jar.header }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

export async function startVisit(url: string, person: Person, token?: string): Promise<string> {
  const answer = await ingest(url, person, { path: 'start', body: { userUUID: null, token } })
  const { sessionID } = (await answer.json()) as { sessionID: string }
  return sessionID
}

/** One tab of a visit; whether it is let in is another matter. */
export function openTab(
  url: string,
  person: Person,
  { visitId, tabId }: { visitId: string; tabId: string },
): AssistConnection {
  return new AssistConnection(url, {
    cookie: person.jar.header,
    query: {
      identity: 'session',
      peerId: `${builtinProjectKey}-${visitId}-${tabId}`,
      tabId,
      sessionInfo: JSON.stringify({ pageTitle: 'Night Owls', active: true }),
    },
  })
}

/** An agent's connection; whether it is let in is another matter. */
export function openAgent(
  url: string,
  person: Person,
  { room, token }: Pick<AgentPass, 'room' | 'token'>,
): AssistConnection {
  return new AssistConnection(url, {
    cookie: person.jar.header,
    query: { identity: 'agent', peerId: room },
    token,
  })
}

/** The sent data, as the add-on wraps it. */
export function to(tabId: string, data?: unknown) {
  return { meta: { tabId }, data }
}
