import type { z } from 'zod'
import { parseSafely } from '#contract/parse.ts'
import { agentName } from './agents.ts'
import {
  type AgentEvent,
  agentEvents,
  Envelope,
  isAgentEvent,
  isTabEvent,
  type TabEvent,
  type TabNews,
  tabEvents,
} from './assistEvents.ts'
import { callerOf } from './caller.ts'
import type { Asked } from './consent.ts'
import {
  type AgentLine,
  consentOf,
  type Desk,
  sayName,
  type Tab,
  toAgents,
  type Visit,
} from './desk.ts'

interface Sent<Name> {
  desk: Desk
  visit: Visit
  tab: Tab
  name: Name
  data: unknown
}

/** Forwards an agent's event to its tab, if that tab has consented. Drops everything else. */
export function fromAgent(desk: Desk, line: AgentLine, name: string, payload: unknown) {
  const visit = desk.visit(line.visitId)
  if (!visit || !isAgentEvent(name)) return
  const tabId = envelope(payload)?.meta?.tabId
  const tab = tabId === undefined ? [...visit.tabs.values()][0] : visit.tabs.get(tabId)
  if (!tab) return line.send('SESSION_DISCONNECTED', tabId)
  const data = parseSafely<z.ZodType>(agentEvents[name], envelope(payload)?.data)
  if (!data.success) return
  const forTab = agentSays({ desk, visit, tab, name, data: data.data }, line)
  if (forTab) tab.line.send(name, line.id, { meta: { tabId: tab.line.tabId }, data: forTab.data })
}

/** Returns the data to forward to the tab, or null to drop the event. */
function agentSays({ desk, visit, tab, name, data }: Sent<AgentEvent>, line: AgentLine) {
  const consent = consentOf(visit, tab.line.tabId)
  switch (name) {
    case 'request_control':
      return ask({ desk, visit, tab, name: 'control', data: undefined }, line)
    case 'request_recording': {
      const { id, email } = line.agent
      const who = JSON.stringify({ id, email, name: agentName(line.agent) })
      return ask({ desk, visit, tab, name: 'recording', data: who }, line)
    }
    case 'release_control':
      return takeBackControl({ desk, visit, tab, name, data }, line)
    case 'stop_recording':
      if (consent.holderOf('recording') !== line.id || !consent.isGranted('recording')) return null
      consent.end('recording')
      desk.note(visit, line, 'recording-ended')
      return { data }
    case 'move':
    case 'click':
    case 'scroll':
    case 'focus':
    case 'input':
      return consent.mayAct(line.id) ? { data } : null
    case 'startAnnotation':
    case 'moveAnnotation':
    case 'stopAnnotation':
      return consent.mayAct(line.id) || tab.calling.includes(line.peerId) ? { data } : null
    case '_agent_name':
      return { data: agentName(line.agent) }
    case 'videofeed':
      return { data }
    case 'call_end':
      if (callerOf(visit, tab) !== line) return null
      desk.endCalls(visit, tab, 'withdrawn', line.id)
      return { data }
  }
}

/**
 * The page responds that control is over. A pending request is audited here, because the page would report
 * a refusal.
 */
function takeBackControl({ desk, visit, tab }: Sent<AgentEvent>, line: AgentLine) {
  const control = consentOf(visit, tab.line.tabId).of('control')
  if (control?.agent !== line.id) return null
  if (!control.granted) {
    desk.noteEnd(visit, { what: 'control', asking: control, unanswered: 'withdrawn' })
  }
  return { data: false }
}

/** Allows one pending request per tab: a second agent is notified that it is busy. */
function ask({ desk, visit, tab, name, data }: Sent<Asked>, line: AgentLine) {
  const consent = consentOf(visit, tab.line.tabId)
  if (consent.ask(name, line.id)) {
    // The page forgets a name when its agent hangs up, but labels the pointer with it.
    sayName(tab, line)
    desk.note(visit, line, `${name}-asked`)
    return { data }
  }
  if (consent.holderOf(name) !== line.id) {
    line.send(`${name}_busy`, { meta: { tabId: tab.line.tabId }, data: line.id })
  }
  return null
}

/** Forwards a tab's event to its agents, and records its consent. */
export function fromTab(desk: Desk, tab: Tab, name: string, payload: unknown) {
  const visit = desk.visit(tab.line.visitId)
  if (!visit || !isTabEvent(name)) return
  const data = parseSafely<z.ZodType>(tabEvents[name], envelope(payload)?.data)
  if (data.success) tabSays({ desk, visit, tab, name, data: data.data })
}

function tabSays(sent: Sent<TabEvent>) {
  const { desk, visit, tab, name, data } = sent
  const { tabId } = tab.line
  const consent = consentOf(visit, tabId)
  const wrapped = { meta: { tabId }, data }
  switch (name) {
    case 'UPDATE_SESSION':
      hearNews(sent, data as TabNews)
      return Object.keys(data as TabNews).length > 0 ? toAgents(visit, name, wrapped) : undefined
    case 'control_granted': {
      const agent = visit.agents.get(data as string)
      if (!agent) return tab.line.send('AGENT_DISCONNECTED', data)
      const before = consent.of('control')
      if (before && before.agent !== agent.id) endAsked(sent, 'control')
      consent.grant('control', agent.id)
      desk.note(visit, agent, 'control-granted')
      sayName(tab, agent)
      return toAgents(visit, name, wrapped)
    }
    case 'control_rejected':
      if (consent.holderOf('control') === data) endAsked(sent, 'control')
      return toAgents(visit, name, wrapped)
    case 'recording_accepted':
      return hearRecording(sent)
    case 'recording_rejected': {
      const agentId = consent.holderOf('recording')
      endAsked(sent, 'recording')
      return agentId === null
        ? undefined
        : toAgents(visit, name, { meta: { tabId }, data: agentId })
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
      return hearBusy(sent, 'control')
    case 'recording_busy':
      return hearBusy(sent, 'recording')
    case 'videofeed':
      return toAgents(visit, name, wrapped)
  }
}

/**
 * The tab rejected the request because of one that is already over here, so the agent may request again.
 */
function hearBusy(sent: Sent<TabEvent>, what: Asked) {
  const { visit, tab, name, data } = sent
  const { tabId } = tab.line
  const consent = consentOf(visit, tabId)
  const asker = consent.isGranted(what) ? null : consent.holderOf(what)
  if (asker !== null && (data ?? asker) === asker) endAsked(sent, what)
  toAgents(visit, name, { meta: { tabId }, data: data ?? asker })
}

function hearNews({ desk, visit, tab }: Sent<TabEvent>, news: TabNews) {
  if (news.active !== undefined) tab.active = news.active
  if (news.isCallActive === true) {
    tab.calling = news.agentIds ?? []
    for (const agent of visit.agents.values()) {
      if (tab.calling.includes(agent.peerId)) sayName(tab, agent)
    }
  }
  if (news.isCallActive !== false) return
  tab.calling = []
  // A call that is still ringing is a newer one: an agent who hung up may call again at once.
  for (const [agentId, { granted }] of tab.calls) {
    if (granted) desk.endCalls(visit, tab, 'refused', agentId)
  }
}

function hearRecording({ desk, visit, tab, name, data }: Sent<TabEvent>) {
  const consent = consentOf(visit, tab.line.tabId)
  const holder = consent.holderOf('recording')
  const agentId = (data as string | undefined) ?? holder
  // There is no request, so the acceptance is ignored.
  if (agentId === null) return
  const agent = visit.agents.get(agentId)
  if (agent && agentId === holder) {
    consent.grant('recording', agentId)
    desk.note(visit, agent, 'recording-granted')
    return toAgents(visit, name, { meta: { tabId: tab.line.tabId }, data: agentId })
  }
  // The requesting agent has left, so nobody records: the page must stop showing that it is recorded.
  if (agentId === holder) consent.end('recording')
  tab.line.send('stop_recording', agentId, { meta: { tabId: tab.line.tabId } })
}

function endAsked({ desk, visit, tab }: Sent<TabEvent>, what: Asked) {
  const was = consentOf(visit, tab.line.tabId).end(what)
  if (was) desk.noteEnd(visit, { what, asking: was, unanswered: 'refused' })
}

function envelope(payload: unknown): Envelope | null {
  return parseSafely(Envelope, payload).data ?? null
}
