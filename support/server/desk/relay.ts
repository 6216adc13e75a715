import type { z } from 'zod'
import { parseSafely } from '#contract/parse.ts'
import { agentName } from '../agents/agents.ts'
import {
  type AgentEvent,
  agentEvents,
  Envelope,
  isAgentEvent,
  isTabEvent,
  type TabEvent,
  type TabState,
  tabEvents,
} from './assistEvents.ts'
import { callerOf } from './caller.ts'
import type { ConsentKind } from './consent.ts'
import { consentOf, type Desk, sendAgentName, toAgents } from './desk.ts'
import type { AgentConnection, Tab, Visit } from './visit.ts'

interface EventContext<Name> {
  desk: Desk
  visit: Visit
  tab: Tab
  name: Name
  data: unknown
}

/** Forwards an agent's event to its tab, if that tab has consented. Drops everything else. */
export function fromAgent(desk: Desk, connection: AgentConnection, name: string, payload: unknown) {
  const visit = desk.visit(connection.visitId)
  if (!visit || !isAgentEvent(name)) return
  const tabId = envelope(payload)?.meta?.tabId
  const tab = tabId === undefined ? [...visit.tabs.values()][0] : visit.tabs.get(tabId)
  if (!tab) return connection.send('SESSION_DISCONNECTED', tabId)
  const data = parseSafely<z.ZodType>(agentEvents[name], envelope(payload)?.data)
  if (!data.success) return
  const forTab = applyAgentEvent({ desk, visit, tab, name, data: data.data }, connection)
  if (forTab)
    tab.connection.send(name, connection.id, {
      meta: { tabId: tab.connection.tabId },
      data: forTab.data,
    })
}

/** Returns the data to forward to the tab, or null to drop the event. */
function applyAgentEvent(
  { desk, visit, tab, name, data }: EventContext<AgentEvent>,
  connection: AgentConnection,
) {
  const consent = consentOf(visit, tab.connection.tabId)
  switch (name) {
    case 'request_control':
      return requestConsent({ desk, visit, tab, name: 'control', data: undefined }, connection)
    case 'request_recording': {
      const { id, email } = connection.agent
      const who = JSON.stringify({ id, email, name: agentName(connection.agent) })
      return requestConsent({ desk, visit, tab, name: 'recording', data: who }, connection)
    }
    case 'release_control':
      return releaseControl({ desk, visit, tab, name, data }, connection)
    case 'stop_recording':
      if (consent.holderOf('recording') !== connection.id || !consent.isGranted('recording'))
        return null
      consent.end('recording')
      desk.record(visit, connection, 'recording-ended')
      return { data }
    case 'move':
    case 'click':
    case 'scroll':
    case 'focus':
    case 'input':
      return consent.mayAct(connection.id) ? { data } : null
    case 'startAnnotation':
    case 'moveAnnotation':
    case 'stopAnnotation':
      return consent.mayAct(connection.id) || tab.calling.includes(connection.peerId)
        ? { data }
        : null
    case '_agent_name':
      return { data: agentName(connection.agent) }
    case 'videofeed':
      return { data }
    case 'call_end':
      if (callerOf(visit, tab) !== connection) return null
      desk.endCalls(visit, tab, 'withdrawn', connection.id)
      return { data }
  }
}

/**
 * The page responds that control is over. A pending request is audited here, because the page would report
 * a refusal.
 */
function releaseControl(
  { desk, visit, tab }: EventContext<AgentEvent>,
  connection: AgentConnection,
) {
  const control = consentOf(visit, tab.connection.tabId).of('control')
  if (control?.agent !== connection.id) return null
  if (!control.granted) {
    desk.recordEnd(visit, { what: 'control', request: control, unanswered: 'withdrawn' })
  }
  return { data: false }
}

/** Allows one pending request per tab: a second agent is notified that it is busy. */
function requestConsent(
  { desk, visit, tab, name, data }: EventContext<ConsentKind>,
  connection: AgentConnection,
) {
  const consent = consentOf(visit, tab.connection.tabId)
  if (consent.ask(name, connection.id)) {
    // The page forgets a name when its agent hangs up, but labels the pointer with it.
    sendAgentName(tab, connection)
    desk.record(visit, connection, `${name}-asked`)
    return { data }
  }
  if (consent.holderOf(name) !== connection.id) {
    connection.send(`${name}_busy`, { meta: { tabId: tab.connection.tabId }, data: connection.id })
  }
  return null
}

/** Forwards a tab's event to its agents, and records its consent. */
export function fromTab(desk: Desk, tab: Tab, name: string, payload: unknown) {
  const visit = desk.visit(tab.connection.visitId)
  if (!visit || !isTabEvent(name)) return
  const data = parseSafely<z.ZodType>(tabEvents[name], envelope(payload)?.data)
  if (data.success) applyTabEvent({ desk, visit, tab, name, data: data.data })
}

function applyTabEvent(context: EventContext<TabEvent>) {
  const { desk, visit, tab, name, data } = context
  const { tabId } = tab.connection
  const consent = consentOf(visit, tabId)
  const wrapped = { meta: { tabId }, data }
  switch (name) {
    case 'UPDATE_SESSION':
      applyTabState(context, data as TabState)
      return Object.keys(data as TabState).length > 0 ? toAgents(visit, name, wrapped) : undefined
    case 'control_granted': {
      const agent = visit.agents.get(data as string)
      if (!agent) return tab.connection.send('AGENT_DISCONNECTED', data)
      const before = consent.of('control')
      if (before && before.agent !== agent.id) endRequest(context, 'control')
      consent.grant('control', agent.id)
      desk.record(visit, agent, 'control-granted')
      sendAgentName(tab, agent)
      return toAgents(visit, name, wrapped)
    }
    case 'control_rejected':
      if (consent.holderOf('control') === data) endRequest(context, 'control')
      return toAgents(visit, name, wrapped)
    case 'recording_accepted':
      return acceptRecording(context)
    case 'recording_rejected': {
      const agentId = consent.holderOf('recording')
      // The rejection of an agent who has left must not end a newer request.
      if (agentId === null || (data ?? agentId) !== agentId) return
      endRequest(context, 'recording')
      return toAgents(visit, name, { meta: { tabId }, data: agentId })
    }
    case 'call_end':
      desk.endCalls(visit, tab, 'refused')
      tab.calling = []
      return toAgents(visit, name, wrapped)
    case 'view':
      for (const agent of visit.agents.values()) {
        if (consent.maySee(agent.id)) agent.send(name, wrapped)
      }
      return
    case 'control_busy':
      return handleBusy(context, 'control')
    case 'recording_busy':
      return handleBusy(context, 'recording')
    case 'videofeed':
      return toAgents(visit, name, wrapped)
  }
}

/**
 * The tab rejected the request because of one that is already over here, so the agent may request again.
 */
function handleBusy(context: EventContext<TabEvent>, what: ConsentKind) {
  const { visit, tab, name, data } = context
  const { tabId } = tab.connection
  const consent = consentOf(visit, tabId)
  const asker = consent.isGranted(what) ? null : consent.holderOf(what)
  if (asker !== null && (data ?? asker) === asker) endRequest(context, what)
  toAgents(visit, name, { meta: { tabId }, data: data ?? asker })
}

function applyTabState({ desk, visit, tab }: EventContext<TabEvent>, state: TabState) {
  if (state.active !== undefined) tab.active = state.active
  if (state.isCallActive === true) {
    tab.calling = state.agentIds ?? []
    for (const agent of visit.agents.values()) {
      if (tab.calling.includes(agent.peerId)) sendAgentName(tab, agent)
    }
  }
  if (state.isCallActive !== false) return
  tab.calling = []
  // A call that is still ringing is a newer one: an agent who hung up may call again at once.
  for (const [agentId, { granted }] of tab.calls) {
    if (granted) desk.endCalls(visit, tab, 'refused', agentId)
  }
}

function acceptRecording({ desk, visit, tab, name, data }: EventContext<TabEvent>) {
  const consent = consentOf(visit, tab.connection.tabId)
  const holder = consent.holderOf('recording')
  const agentId = (data as string | undefined) ?? holder
  // There is no request, so the acceptance is ignored.
  if (agentId === null) return
  const agent = visit.agents.get(agentId)
  if (agent && agentId === holder) {
    consent.grant('recording', agentId)
    desk.record(visit, agent, 'recording-granted')
    return toAgents(visit, name, { meta: { tabId: tab.connection.tabId }, data: agentId })
  }
  // The requesting agent has left, so nobody records: the page must stop showing that it is recorded.
  if (agentId === holder) consent.end('recording')
  tab.connection.send('stop_recording', agentId, { meta: { tabId: tab.connection.tabId } })
}

function endRequest({ desk, visit, tab }: EventContext<TabEvent>, what: ConsentKind) {
  const was = consentOf(visit, tab.connection.tabId).end(what)
  if (was) desk.recordEnd(visit, { what, request: was, unanswered: 'refused' })
}

function envelope(payload: unknown): Envelope | null {
  return parseSafely(Envelope, payload).data ?? null
}
