import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxFileBytes } from '#contract/shared/fileRules.ts'
import type { TestApp } from '#testing/app.ts'
import { fileClient } from '#testing/files/files.ts'
import { type FilesScene, filesScene, type TeamWithFiles } from '#testing/files/filesScene.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { requestTimeoutMs } from '../http/slowRequests.ts'
import { inFlight } from './uploadSlots.ts'

const clock = heldClock()
let scene: FilesScene
let team: TeamWithFiles
let unfinished: ClientRequest[] = []
/** The uploads that the server has counted so far. */
let countedUploads = 0

beforeAll(async () => {
  scene = await filesScene({}, clock)
  countUploads(scene.app)
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  team = await scene.newTeam()
})
afterEach(async () => {
  await hangUp(...unfinished)
  unfinished = []
})

const boundary = 'cut'
const startOfForm = [
  `--${boundary}`,
  'content-disposition: form-data; name="file"; filename="a"',
  '',
  'x'.repeat(1000),
].join('\r\n')

interface Begun {
  sent: ClientRequest
  response: Promise<IncomingMessage>
}

/** Opens a real connection that announces this many bytes, sends the first thousand, and no more. */
async function begin(person: Person, announcedBytes: number): Promise<Begun> {
  if (!person.jar.get('XSRF-TOKEN')) await person.call.auth.login()
  const before = countedUploads
  const sent = request(`${scene.app.url}/api/files.upload`, {
    method: 'POST',
    agent: false,
    headers: {
      cookie: person.jar.header,
      'x-xsrf-token': person.jar.get('XSRF-TOKEN'),
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': announcedBytes,
      expect: '100-continue',
    },
  })
  unfinished.push(sent)
  let isAnswered = false
  const response = new Promise<IncomingMessage>(resolve => {
    sent.once('response', answer => {
      isAnswered = true
      resolve(answer)
    })
  })
  sent.on('error', () => undefined)
  sent.flushHeaders()
  await Promise.race([once(sent, 'continue'), response])
  // An admitted upload holds its slot by the time it is counted.
  const isCounted = () => isAnswered || countedUploads > before
  await expect.poll(isCounted).toBe(true)
  sent.write(startOfForm)
  return { sent, response }
}

/** Counts the uploads of a server. */
function countUploads({ rateLimits }: TestApp) {
  const enforce = rateLimits.enforce.bind(rateLimits)
  rateLimits.enforce = limit => {
    enforce(limit)
    if (limit.what === 'upload') countedUploads += 1
  }
}

/** Returns the response to an incomplete upload. */
async function answerTo({ response }: Begun) {
  const answer = await response
  return { answer, body: JSON.parse(await text(answer)) as { code: string; detail?: string } }
}

async function hangUp(...requests: ClientRequest[]) {
  const closed = requests
    .filter(each => !each.closed)
    .map(each => new Promise(resolve => each.once('close', resolve)))
  for (const each of requests) each.destroy()
  await Promise.all(closed)
}

async function upload(person: Person) {
  const bytes = Buffer.from('x')
  const files = fileClient(scene.app.url, person.jar)
  return files.upload({ teamId: team.teamId, name: `plan ${randomUUID()}`, bytes }).then(
    () => 'stored',
    (error: { code: string; detail?: string }) => `${error.code} ${error.detail}`,
  )
}

/** Fewer attempts than the hourly limit per person. */
const patience = { timeout: 10_000, interval: 250 }

const busy = 'too-many uploads-busy'

test('a person may have two concurrent uploads, others are not blocked', async () => {
  const { ana, leo } = scene
  const [first] = [await begin(ana, maxFileBytes), await begin(ana, maxFileBytes)]
  await expect.poll(() => upload(ana), patience).toBe(busy)
  expect(await upload(leo)).toBe('stored')

  await hangUp(first!.sent)
  await expect.poll(() => upload(ana), patience).toBe('stored')
  expect(await team.blobs()).toHaveLength((await team.names()).length)
})

test('concurrent uploads are limited per network', async () => {
  const crowd: Person[] = []
  for (let n = 0; n < inFlight.perNetwork / inFlight.perPerson; n++) {
    const person = await scene.app.person(`Crowd${n}`)
    await addMember(scene.ana, team.teamId, person)
    crowd.push(person)
  }
  for (const person of crowd) {
    for (let n = 0; n < inFlight.perPerson; n++) await begin(person, 100_000)
  }
  await expect.poll(() => upload(scene.leo), patience).toBe(busy)
  await hangUp(unfinished[0]!)
  await expect.poll(() => upload(scene.leo), patience).toBe('stored')
})

test('the bytes of concurrent uploads are limited per network', async () => {
  const { ana, leo, eve } = scene
  for (const person of [ana, ana, eve, eve]) await begin(person, maxFileBytes)
  const { answer, body } = await answerTo(await begin(leo, maxFileBytes))
  expect(body.code).toBe('too-many')
  // The server does not read the rest of a refused upload.
  expect(answer.headers.connection).toBe('close')
  expect(await upload(leo)).toBe('stored')
})

describe('an upload that arrives too slowly', () => {
  test('is refused, releases its slot and leaves nothing behind', async () => {
    const { ana } = scene
    const slow = [await begin(ana, maxFileBytes), await begin(ana, maxFileBytes)]
    await expect.poll(() => upload(ana), patience).toBe(busy)
    const answers = slow.map(answerTo)
    clock.pass(requestTimeoutMs)
    for (const { answer, body } of await Promise.all(answers)) {
      expect(answer.statusCode).toBe(400)
      expect(answer.headers.connection).toBe('close')
      expect(body.code).toBe('too-slow')
    }
    await expect.poll(() => upload(ana), patience).toBe('stored')
    expect(await team.names()).toHaveLength(1)
    expect(await team.blobs()).toHaveLength(1)
  })
})
