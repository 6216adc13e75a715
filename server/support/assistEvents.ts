import { z } from 'zod'
import { maxAssistBytes } from '#contract/supportRules.ts'

const Coordinate = z.number().min(-1e6).max(1e6)
const Point = z.tuple([Coordinate, Coordinate])
const Nothing = z.unknown().transform(() => undefined)
/** Names of media streams as browsers make them, or ids of peers. */
const StreamId = z.string().max(200)
const VideoFeed = z.object({ streamId: StreamId, enabled: z.boolean() })

/**
 * What an agent may send to a tab, and what it must look like. Source: the add-on's protocol (tracker-assist
 * 9.0.1). What is not in the table goes nowhere.
 */
export const agentEvents = {
  request_control: Nothing,
  release_control: Nothing,
  move: Point,
  click: Point,
  scroll: Point,
  focus: z.int(),
  input: z.string().max(10_000),
  startAnnotation: Point,
  moveAnnotation: Point,
  stopAnnotation: Nothing,
  request_recording: Nothing,
  stop_recording: Nothing,
  // The name is the server's to say.
  _agent_name: Nothing,
  videofeed: VideoFeed,
  call_end: Nothing,
} as const
export type AgentEvent = keyof typeof agentEvents

/**
 * What a tab tells of itself. The rest of what the tracker knows goes nowhere; its title too, in which there are
 * names of teams and people that nobody agreed to show.
 */
export const TabNews = z.object({
  active: z.boolean().optional(),
  uxtId: z.number().optional(),
  agentIds: z.array(z.string().max(200)).max(20).optional(),
  isCallActive: z.boolean().optional(),
})
export type TabNews = z.infer<typeof TabNews>

/** What a tab may send to agents. */
export const tabEvents = {
  UPDATE_SESSION: TabNews,
  control_granted: z.string().max(64),
  control_rejected: z.string().max(64),
  control_busy: z.string().max(64),
  // By the add-on without anything; after an absence with the agent it was given to.
  recording_accepted: z.string().max(64).optional(),
  recording_rejected: Nothing,
  recording_busy: Nothing,
  videofeed: VideoFeed,
  call_end: Nothing,
  view: z.instanceof(Buffer).refine(bytes => bytes.length <= maxAssistBytes),
} as const
export type TabEvent = keyof typeof tabEvents

/** Everything is sent as `{meta: {tabId}, data}`. */
export const Envelope = z.object({
  meta: z.object({ tabId: z.string().max(32).optional() }).optional(),
  data: z.unknown().optional(),
})

export type Envelope = z.infer<typeof Envelope>

/** A tab's own name, as the tracker makes it. Peer ids of agents begin with `agent`: no tab may take one. */
export const TabId = z.string().regex(/^(?!agent)[0-9a-z]{1,32}$/)

export function isAgentEvent(name: string): name is AgentEvent {
  return Object.hasOwn(agentEvents, name)
}

export function isTabEvent(name: string): name is TabEvent {
  return Object.hasOwn(tabEvents, name)
}
