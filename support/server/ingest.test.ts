import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingest, startVisit } from '#support/testing/assistVisit.ts'
import { type SupportScene, supportScene } from '#support/testing/supportScene.ts'
import type { Person } from '#testing/people/person.ts'

let scene: SupportScene
beforeAll(async () => {
  scene = await supportScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const made = {
  title: 'Find the map',
  guidelines: 'Say what you think.\n<img src=x onerror="alert(1)"> & more',
  tasks: [
    { title: 'Open the map', description: 'Of any session.', allowTyping: false },
    { title: 'Where is the car?', description: '', allowTyping: true },
  ],
}

function post(path: string, body: object, token: string, person: Person = scene.leo) {
  return ingest(scene.app.url, person, { path, body, token })
}

test('a visit has its own id, is for support only, and continues with its token', async () => {
  const { url } = scene.app
  const start = { path: 'start', body: { userUUID: null } }
  const first = await (await ingest(url, scene.leo, start)).json()
  expect(first).toMatchObject({ assistOnly: true, delay: 0, userUUID: expect.any(String) })
  expect(first).toMatchObject({ token: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const { sessionID } = first as { sessionID: string }
  expect(await startVisit(url, scene.leo, sessionID)).toBe(sessionID)
  expect(await startVisit(url, scene.leo)).not.toBe(sessionID)
  expect(await startVisit(url, scene.sam, sessionID)).not.toBe(sessionID)
})

// spec: CA-22
test('every other call of the tracker gets a response', async () => {
  const token = await startVisit(scene.app.url, scene.leo)
  const flags = await post('feature-flags', {}, token)
  expect(await flags.json()).toEqual({ flags: [] })
  const tags = await ingest(scene.app.url, scene.leo, { path: 'tags', token })
  expect(await tags.json()).toEqual({ tags: [] })
  for (const path of ['i?batch=1_1', 'images', 'not-started']) {
    expect((await post(path, { any: 'thing' }, token)).status).toBe(200)
  }
  const upload = await ingest(scene.app.url, scene.leo, { path: 'uxt/upload-url', token })
  expect(upload.status).toBe(404)
})

test('a usability test escapes its guidelines and stores the results', async () => {
  const test = await scene.sam.call.support.createTest(made)
  const token = await startVisit(scene.app.url, scene.leo)
  const served = await ingest(scene.app.url, scene.leo, { path: `uxt/test/${test.id}`, token })
  const body = (await served.json()) as { test: { guidelines: string; tasks: object[] } }
  expect(body.test).toMatchObject({ title: made.title, reqMic: false, reqCamera: false })
  expect(body.test.guidelines).toBe(
    'Say what you think.\n&#60;img src=x onerror=&#34;alert(1)&#34;&#62; &#38; more',
  )
  expect(body.test.tasks[1]).toEqual({
    task_id: 2,
    title: 'Where is the car?',
    description: '',
    allow_typing: true,
  })

  const testId = test.id
  await post('uxt/signals/test', { testId, status: 'begin', duration: 0 }, token)
  await post('uxt/signals/task', { testId, taskId: 2, status: 'done', duration: 900.4 }, token)
  const answered = { testId, taskId: 2, status: 'done', duration: 1200, taskAnswer: 'In Eau Rouge' }
  expect((await post('uxt/signals/task', answered, token)).status).toBe(200)

  const result = await scene.sam.call.support.getTest({ testId })
  expect(result).toMatchObject({ ...made, people: [{ id: scene.leo.id }] })
  expect(result.signals).toEqual([
    expect.objectContaining({ task: null, status: 'begin', durationMs: 0, answer: null }),
    expect.objectContaining({
      userId: scene.leo.id,
      task: 2,
      status: 'done',
      durationMs: 1200,
      answer: 'In Eau Rouge',
    }),
  ])
  expect((await scene.sam.call.support.listTests())[0]).toMatchObject({ id: testId })
})

test.each([
  ['uxt/signals/test', { testId: 'x', status: 'begin' }, 400],
  ['uxt/signals/test', { testId: 1, status: 'won' }, 400],
  ['uxt/signals/test', { testId: 1e12, status: 'done' }, 400],
  ['uxt/signals/test', { testId: 999_999, status: 'done' }, 404],
  ['uxt/signals/task', { testId: 1, taskId: 0, status: 'done' }, 400],
  ['uxt/signals/task', { testId: 1, taskId: 1, status: 'done', taskAnswer: 'x'.repeat(4001) }, 400],
  ['uxt/signals/task', { testId: 1, taskId: 1, status: 'done', taskAnswer: 'a\0b' }, 400],
  ['uxt/signals/test', { length: { toString: 1 } }, 400],
  ['uxt/signals/task', { testId: 999_999, taskId: 1, status: 'done' }, 404],
  ['uxt/signals/task', 'no object', 400],
])('%s with %j is refused with %d', async (path, body, status) => {
  const token = await startVisit(scene.app.url, scene.leo)
  expect((await post(path, body as object, token)).status).toBe(status)
})

test.each(['abc', '0', '-1', '1.5', '999999'])('an unknown test %s is not found', async id => {
  const token = await startVisit(scene.app.url, scene.leo)
  const asked = { path: `uxt/test/${id}`, token }
  expect((await ingest(scene.app.url, scene.leo, asked)).status).toBe(404)
})

test('a body that is too large is refused', async () => {
  const token = await startVisit(scene.app.url, scene.leo)
  const large = { text: 'x'.repeat(1024 * 1024) }
  expect((await post('i', large, token)).status).toBe(413)
  expect((await post('uxt/signals/test', large, token)).status).toBe(413)
})
