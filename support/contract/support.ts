import { z } from 'zod'
import { command, read } from '#contract/endpoint.ts'
import { EpochMs, UserId } from '#contract/ids.ts'
import { LineOfText, LinesOfText, refusalDetail } from '#contract/text.ts'
import { Person } from '#contract/users.ts'

/** A STUN or TURN server: an entry of RTCConfiguration.iceServers. */
export const IceServer = z.strictObject({
  urls: z.union([z.string(), z.array(z.string()).max(10)]),
  username: z.string().max(512).optional(),
  credential: z.string().max(512).optional(),
})
export type IceServer = z.infer<typeof IceServer>

/** Identifies one browser that has the app open: 128 random bits, and 128 that bind them to a user. */
export const VisitId = z.string().regex(/^[0-9a-f]{64}$/)
export type VisitId = z.infer<typeof VisitId>

/** Configuration of the tracker in the app. */
const SupportSettings = z.object({
  /** The tracker's endpoint. Null: this server itself. */
  ingestUrl: z.string().nullable(),
  projectKey: z.string(),
  /** Whether this user may act as a support agent here. */
  isAgent: z.boolean(),
  /** Present for an agent who has to sign in with a passkey first. */
  passkeyNeeded: z.literal(true).optional(),
})
export type SupportSettings = z.infer<typeof SupportSettings>

/** A user who has the app open and can be helped. */
const Visitor = z.object({
  visitId: VisitId,
  person: Person,
  since: EpochMs,
  tabs: z.array(
    z.object({
      tabId: z.string(),
      /** Whether the tab is visible at this moment. */
      active: z.boolean(),
      inCall: z.boolean(),
    }),
  ),
  /** Names of the agents connected to this visitor. */
  agents: z.array(z.string()),
})
export type Visitor = z.infer<typeof Visitor>

/** Credentials for an agent's sockets, for one visit. */
const AgentPass = z.object({
  token: z.string(),
  expiresAt: EpochMs,
  /** The `peerId` in the query of the assist socket. */
  room: z.string(),
  /** The agent's own id in call signalling; a visitor's is `<room>-<tabId>`. */
  peerId: z.string(),
})
export type AgentPass = z.infer<typeof AgentPass>

/**
 * Audited actions of agents, and the person's responses. Expired: nobody responded, or the page was closed;
 * withdrawn: the agent cancelled the request, or disconnected.
 */
export const SupportEvent = z.enum([
  'pass-given',
  'agent-came',
  'agent-went',
  'control-asked',
  'control-granted',
  'control-refused',
  'control-expired',
  'control-withdrawn',
  'control-ended',
  'recording-asked',
  'recording-granted',
  'recording-refused',
  'recording-expired',
  'recording-withdrawn',
  'recording-ended',
  'call-asked',
  'call-answered',
  'call-refused',
  'call-expired',
  'call-withdrawn',
  'call-ended',
  'test-made',
])
export type SupportEvent = z.infer<typeof SupportEvent>

const AuditEntry = z.object({
  id: z.int(),
  at: EpochMs,
  event: SupportEvent,
  visitId: z.string().nullable(),
  visitor: Person.nullable(),
  agent: Person.nullable(),
})

const NewTask = z.object({ title: LineOfText, description: LinesOfText, allowTyping: z.boolean() })

const NewTest = z.object({
  title: LineOfText,
  guidelines: LinesOfText,
  tasks: z.array(NewTask).min(1, refusalDetail('missing')).max(20, refusalDetail('too-long')),
})

const TestId = z.coerce.number().int().min(1).max(2_147_483_647)

const UsabilityTest = NewTest.extend({ id: z.int(), createdAt: EpochMs })
export type UsabilityTest = z.infer<typeof UsabilityTest>

/** A result of one task of a test, counted from 1; null means the whole test. */
const TestSignal = z.object({
  userId: UserId,
  task: z.int().nullable(),
  status: z.enum(['begin', 'done', 'skipped']),
  durationMs: z.int(),
  answer: z.string().nullable(),
  at: EpochMs,
})

/**
 * Support calls of the app and of an agent's page. All but `settings` and `callServers` are only for
 * agents; everybody else gets `not-found`.
 */
export const support = {
  settings: read({
    auth: 'signed-in',
    summary:
      'Settings of support for the app. Refused with not-found if support is not configured.',
    input: z.object({}),
    output: SupportSettings,
  }),
  callServers: read({
    auth: 'signed-in',
    summary:
      'STUN and TURN servers for a call, with short-lived credentials. Only for an agent connected to a visitor, and for a visitor during a ringing or active call; otherwise not-found.',
    input: z.object({}),
    output: z.object({ iceServers: z.array(IceServer) }),
  }),
  visitors: read({
    auth: 'signed-in',
    summary: 'Users who have the app open and can be helped.',
    input: z.object({}),
    output: z.array(Visitor),
  }),
  join: command({
    auth: 'signed-in',
    summary: "Issues an agent's token for one visit's sockets. It is valid for five minutes.",
    input: z.object({ visitId: VisitId }),
    output: AgentPass,
  }),
  audit: read({
    auth: 'signed-in',
    summary: 'The audit log of requests and responses, newest first.',
    input: z.object({
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
    output: z.array(AuditEntry),
  }),
  createTest: command({
    auth: 'signed-in',
    limit: 'rare',
    summary: 'Creates a usability test. Open it with ?oruxt=<id>.',
    input: NewTest,
    output: UsabilityTest,
  }),
  listTests: read({
    auth: 'signed-in',
    summary: 'All usability tests, newest first.',
    input: z.object({}),
    output: z.array(UsabilityTest),
  }),
  getTest: read({
    auth: 'signed-in',
    summary: 'One usability test with its results.',
    input: z.object({ testId: TestId }),
    output: UsabilityTest.extend({ people: z.array(Person), signals: z.array(TestSignal) }),
  }),
}
