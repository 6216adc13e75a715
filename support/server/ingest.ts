import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseJsonSafely, parseSafely } from '#contract/parse.ts'
import { Refusal } from '#contract/refusal.ts'
import { LinesOfText } from '#contract/text.ts'
import type { Person } from '#contract/users.ts'
import { VisitId } from '#support/contract/support.ts'
import { ingestPath } from '#support/contract/supportRules.ts'
import { type SupportAuthContext, visitorOf } from './agents/auth.ts'
import { saveSignal, testForVisitor } from './usabilityTests.ts'
import { isVisitOf, newVisitId } from './visitId.ts'

/** Body limit. The tracker uploads every 10 s, but nothing for a visit that is only for support. */
const maxBatchBytes = 1024 * 1024

const Start = z.object({
  token: VisitId.optional().catch(undefined),
  userUUID: z.uuid().nullable().catch(null),
})

const Status = z.enum(['begin', 'done', 'skipped'])
/** The library's duration may be a fraction, or negative if its clock runs backwards. */
const DurationMs = z
  .number()
  .catch(0)
  .transform(ms => Math.round(Math.min(Math.max(ms, 0), 2_147_483_647)))
const TestId = z.coerce.number().int().min(1).max(2_147_483_647)
const TestSignal = z.object({ testId: TestId, status: Status, duration: DurationMs })
const TaskSignal = TestSignal.extend({
  taskId: z.int().min(1).max(20),
  taskAnswer: LinesOfText.optional(),
})

const at = (path: string) => `${ingestPath}/v1/web/${path}`

// The library cannot repeat the XSRF cookie, so the browser's Origin is checked instead, as with plain forms.
const route = { schema: { hide: true }, config: { plainForm: true } }

/**
 * Implements the ingest API of the session tracker. Stores only the usability tests, because the visit is
 * for support only (`assistOnly`). Every request needs the login's cookie; the token that the library
 * repeats is the visit's id, and valid only together with it. Source: the paths of the specification,
 * section 7.
 */
export async function addIngest(app: FastifyInstance, auth: SupportAuthContext) {
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    addVisit(scope, auth)
    addTests(scope, auth)
  })
}

/** Adds the routes that start a visit and receive its recording, which is discarded. */
function addVisit(scope: FastifyInstance, auth: SupportAuthContext) {
  scope.post(at('start'), route, async request => {
    const person = await requireVisitor(auth, request)
    const { token, userUUID } = jsonOf(request, Start)
    const known = token !== undefined && isVisitOf(auth.key, token, person.id)
    const visitId = known ? token : newVisitId(auth.key, person.id)
    return {
      token: visitId,
      sessionID: visitId,
      userUUID: userUUID ?? randomUUID(),
      projectID: '1',
      delay: 0,
      compressionThreshold: 24_000,
      assistOnly: true,
      canvasEnabled: false,
    }
  })
  scope.post(at('feature-flags'), route, async request => {
    await visitorWithVisit(auth, request)
    return { flags: [] }
  })
  scope.get(at('tags'), route, async request => {
    await visitorWithVisit(auth, request)
    return { tags: [] }
  })
  for (const path of ['i', 'images']) {
    scope.post(at(path), { ...route, bodyLimit: maxBatchBytes }, async request => {
      await visitorWithVisit(auth, request)
      return {}
    })
  }
  scope.post(at('not-started'), route, async request => {
    await requireVisitor(auth, request)
    return {}
  })
}

/** Adds the usability tests and the answers to them. */
function addTests(scope: FastifyInstance, auth: SupportAuthContext) {
  scope.get<{ Params: { testId: string } }>(at('uxt/test/:testId'), route, async request => {
    await visitorWithVisit(auth, request)
    const { data: testId } = parseSafely(TestId, request.params.testId)
    const test = testId === undefined ? null : await testForVisitor(auth.db, testId)
    if (!test) throw new Refusal('not-found')
    return { test }
  })
  scope.post(at('uxt/signals/test'), route, async request => {
    const { id: userId } = await visitorWithVisit(auth, request)
    const { testId, status, duration } = jsonOf(request, TestSignal)
    await saveSignal(auth.db, { testId, userId, task: null, status, durationMs: duration })
    return {}
  })
  scope.post(at('uxt/signals/task'), route, async request => {
    const { id: userId } = await visitorWithVisit(auth, request)
    const { testId, taskId: task, status, duration, taskAnswer } = jsonOf(request, TaskSignal)
    const signal = { testId, userId, task, status, durationMs: duration, answer: taskAnswer }
    await saveSignal(auth.db, signal)
    return {}
  })
  scope.get(at('uxt/upload-url'), route, async request => {
    await visitorWithVisit(auth, request)
    // Our tests request neither camera nor microphone, so there is nothing to upload.
    throw new Refusal('not-found')
  })
}

async function requireVisitor(auth: SupportAuthContext, request: FastifyRequest): Promise<Person> {
  const person = await visitorOf(auth, request.headers)
  if (!person) throw new Refusal('not-signed-in')
  return person
}

/** Authenticates the owner of a visit, whose id the request contains. */
async function visitorWithVisit(
  auth: SupportAuthContext,
  request: FastifyRequest,
): Promise<Person> {
  const person = await requireVisitor(auth, request)
  const [, token = ''] = /^Bearer (\w+)$/.exec(request.headers.authorization ?? '') ?? []
  // A 401 makes the library start a new visit.
  if (!isVisitOf(auth.key, token, person.id)) throw new Refusal('not-signed-in')
  return person
}

/** Parses JSON whatever the content type: the library does not always set it. */
function jsonOf<Schema extends z.ZodType>(request: FastifyRequest, schema: Schema) {
  const text = request.body instanceof Buffer ? request.body.toString() : ''
  const { data, success } = parseJsonSafely(schema, text)
  if (!success) throw new Refusal('invalid-input')
  return data
}
