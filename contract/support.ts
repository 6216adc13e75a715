import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, UserId } from './ids.ts'
import { LineOfText, LinesOfText, said } from './text.ts'
import { Person } from './users.ts'

/** One server that helps two peers to find a way to each other: an entry of RTCConfiguration.iceServers. */
export const IceServer = z.strictObject({
  urls: z.union([z.string(), z.array(z.string()).max(10)]),
  username: z.string().max(512).optional(),
  credential: z.string().max(512).optional(),
})
export type IceServer = z.infer<typeof IceServer>

/** One browser that has the app open: 128 random bits, and 128 that tie them to a user. */
export const VisitId = z.string().regex(/^[0-9a-f]{64}$/)
export type VisitId = z.infer<typeof VisitId>

/** What the app needs before it may be helped. */
const SupportSettings = z.object({
  /** Where the tracker reports to. None: to this server itself. */
  ingestUrl: z.string().nullable(),
  projectKey: z.string(),
  /** Whether this user may act as a support agent here. */
  isAgent: z.boolean(),
})
export type SupportSettings = z.infer<typeof SupportSettings>

/** Somebody who has the app open and can be helped. */
const Visitor = z.object({
  visitId: VisitId,
  person: Person,
  since: EpochMs,
  tabs: z.array(
    z.object({
      tabId: z.string(),
      /** Whether it can be seen at this moment. */
      active: z.boolean(),
      inCall: z.boolean(),
    }),
  ),
  /** Names of the agents who are with them. */
  agents: z.array(z.string()),
})
export type Visitor = z.infer<typeof Visitor>

/** What opens an agent's sockets, for one visit. */
const AgentPass = z.object({
  token: z.string(),
  expiresAt: EpochMs,
  /** The `peerId` in the query of the assist socket. */
  room: z.string(),
  /** The agent's own id at the signalling of calls; a visitor's is `<room>-<tabId>`. */
  peerId: z.string(),
})
export type AgentPass = z.infer<typeof AgentPass>

/**
 * What is kept of what agents did, and what the person said to it. Expired: nobody answered, or the page went;
 * withdrawn: the agent took the request back, or went.
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
  tasks: z.array(NewTask).min(1, said('missing')).max(20, said('too-long')),
})

const TestId = z.coerce.number().int().min(1).max(2_147_483_647)

const UsabilityTest = NewTest.extend({ id: z.int(), createdAt: EpochMs })
export type UsabilityTest = z.infer<typeof UsabilityTest>

/** What came of a step of a test: of the whole test where `task` is none, else of that task from 1 on. */
const TestSignal = z.object({
  userId: UserId,
  task: z.int().nullable(),
  status: z.enum(['begin', 'done', 'skipped']),
  durationMs: z.int(),
  answer: z.string().nullable(),
  at: EpochMs,
})

/** Support as the app and an agent's page see it. All but `settings` and `callServers` is only for agents: else `not-found`. */
export const support = {
  settings: read({
    auth: 'signed-in',
    summary:
      'Where support is reached from the app. Refused with not-found where it is not set up.',
    input: z.object({}),
    output: SupportSettings,
  }),
  callServers: read({
    auth: 'signed-in',
    summary:
      'STUN and TURN servers for a call, with credentials for a short time. Only for an agent who is with a visitor, and for a visitor while a call rings or is on; else not-found.',
    input: z.object({}),
    output: z.object({ iceServers: z.array(IceServer) }),
  }),
  visitors: read({
    auth: 'signed-in',
    summary: 'Who has the app open and can be helped.',
    input: z.object({}),
    output: z.array(Visitor),
  }),
  join: command({
    auth: 'signed-in',
    summary: "Gives an agent a pass for one visit's sockets. It is valid for five minutes.",
    input: z.object({ visitId: VisitId }),
    output: AgentPass,
  }),
  audit: read({
    auth: 'signed-in',
    summary: 'What agents asked for and what was answered, newest first.',
    input: z.object({
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
    output: z.array(AuditEntry),
  }),
  createTest: command({
    auth: 'signed-in',
    summary: 'Makes a usability test. It is opened with ?oruxt=<id>.',
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
    summary: 'One usability test with what came of it.',
    input: z.object({ testId: TestId }),
    output: UsabilityTest.extend({ people: z.array(Person), signals: z.array(TestSignal) }),
  }),
}
