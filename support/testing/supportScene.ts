import type { AgentPass, SupportEvent } from '#support/contract/support.ts'
import type { SupportConfig } from '#support/server/settings.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { addPasskey } from '#testing/people/addPasskey.ts'
import type { Person } from '#testing/people/person.ts'
import type { AssistConnection } from './assistConnection.ts'
import { openAgent, openTab, startVisit } from './assistVisit.ts'

export interface SupportScene extends AsyncDisposable {
  app: TestApp
  /** An agent, by the settings. */
  sam: Person
  /** Somebody who uses the app. */
  leo: Person
  /** Takes the role of an agent from somebody. */
  dismiss(person: Person): void
  /** Another agent. */
  agent(firstName: string): Promise<Person>
  /** Starts a visit as the tracker does, and opens one tab of it. */
  visit(person: Person, tabId?: string): Promise<{ visitId: string; tab: AssistConnection }>
  /** An agent who is with this visit. */
  join(agent: Person, visitId: string): Promise<AssistConnection & { pass: AgentPass }>
  /** Leo with one tab, and Sam beside him. */
  together(): Promise<Together>
  /** The audited events of a visit, newest first. */
  audited(visitId: string): Promise<SupportEvent[]>
  /** Closes every connection that was opened. */
  closeConnections(): void
}

interface Together {
  visitId: string
  tab: AssistConnection
  agent: AssistConnection & { pass: AgentPass }
}

/** The whole server with a support desk of its own, an agent and somebody to be helped. */
export async function supportScene(
  settings: Partial<Pick<SupportConfig, 'recheckIntervalMs' | 'iceServers'>> = {},
): Promise<SupportScene> {
  const admins = new Set<string>()
  const support = { external: undefined, iceServers: [], admins, ...settings }
  const app = await testApp({ support, anonymousAccounts: true })
  const connections: AssistConnection[] = []
  async function agent(firstName: string) {
    const person = await app.person(firstName, 'Support')
    admins.add(person.email)
    await addPasskey(person, app.url)
    return person
  }
  async function visit(person: Person, tabId = 'tab1') {
    const visitId = await startVisit(app.url, person)
    const tab = openTab(app.url, person, { visitId, tabId })
    connections.push(tab)
    if (!(await tab.opened())) throw new Error('The tab was refused')
    return { visitId, tab }
  }
  async function join(person: Person, visitId: string) {
    const pass = await person.call.support.join({ visitId })
    const connection = Object.assign(openAgent(app.url, person, pass), { pass })
    connections.push(connection)
    if (!(await connection.opened())) throw new Error('The agent was refused')
    return connection
  }
  const [sam, leo] = [await agent('Sam'), await app.person('Leo')]
  return {
    app,
    sam,
    leo,
    agent,
    dismiss: person => void admins.delete(person.email),
    visit,
    join,
    async together() {
      const { visitId, tab } = await visit(leo)
      await tab.next('NO_AGENT')
      const connection = await join(sam, visitId)
      await tab.next('NEW_AGENT')
      return { visitId, tab, agent: connection }
    },
    async audited(visitId) {
      const entries = await sam.call.support.audit({ limit: 50 })
      return entries.filter(entry => entry.visitId === visitId).map(({ event }) => event)
    },
    closeConnections: () => {
      for (const connection of connections.splice(0)) connection.close()
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.close()
      await app[Symbol.asyncDispose]()
    },
  }
}
