import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import { minUploadBytesPerSecond } from '#contract/shared/recordingRules.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { serverSockets } from '#testing/serverSockets.ts'
import { requestTimeoutMs } from '../http/slowRequests.ts'

const clock = heldClock()
const sockets = serverSockets()
let scene: LiveScene
let teamId: TeamId
beforeAll(async () => {
  scene = await liveScene(clock)
})
beforeEach(async () => {
  teamId = (await scene.newSession()).team.id
})
afterAll(async () => {
  sockets[Symbol.dispose]()
  await scene[Symbol.asyncDispose]()
})

/** More bytes than must arrive in each window. */
const enough = (1.1 * minUploadBytesPerSecond * requestTimeoutMs) / 1000

/** A short drive as a CSV file of 8 MB: each row has a long note. */
function largeFile(): Buffer {
  const startS = Math.floor(Date.now() / 1000) - 2 * 24 * 60 * 60
  const rows = Array.from(
    { length: 4000 },
    (_, n) => `${startS + n},${50 + n * 1e-4},5,${'x'.repeat(2000)}`,
  )
  return Buffer.from(['utc_s,latitude_deg,longitude_deg,note', ...rows].join('\n'))
}

/** Begins to upload a file of this length. */
async function begin({ jar, call }: Person, bytes: number, type = 'application/octet-stream') {
  if (!jar.get('XSRF-TOKEN')) await call.auth.login()
  const upload = request(`${scene.app.url}/api/v1/teams/${teamId}/recordings?name=Old`, {
    method: 'POST',
    agent: false,
    headers: {
      cookie: jar.header,
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      'content-type': type,
      'content-length': bytes,
    },
  })
  upload.on('error', () => {})
  const answer = once(upload, 'response').then(async ([response]: IncomingMessage[]) => ({
    status: response?.statusCode,
    connection: response?.headers.connection,
    body: response && (await json(response)),
  }))
  // It fails if the test disconnects.
  answer.catch(() => {})
  upload.flushHeaders()
  const [socket]: Socket[] = await once(upload, 'socket')
  const accepted = await sockets.of(socket!)
  return {
    answer,
    finish: (part: Buffer) => upload.end(part),
    disconnect: () => upload.destroy(),
    /**
     * Sends a part of the file and waits until the server has read it. Only an admitted upload is read beyond the
     * server's buffers.
     */
    async send(part: Buffer) {
      const before = accepted.bytesRead
      upload.write(part)
      await expect.poll(() => accepted.bytesRead).toBeGreaterThanOrEqual(before + part.length)
    },
  }
}

const endWindow = () => clock.pass(requestTimeoutMs)

test('a recording that takes minutes to arrive is imported', async () => {
  const file = largeFile()
  const upload = await begin(scene.leo, file.length)
  let sent = 0
  for (; sent + enough < file.length; sent += enough) {
    await upload.send(file.subarray(sent, sent + enough))
    endWindow()
  }
  upload.finish(file.subarray(sent))
  expect(await upload.answer).toMatchObject({ status: 200, body: { positions: 4000 } })
})

test.each([
  { name: 'sends too little', windows: [enough / 4] },
  { name: 'stops', windows: [enough, enough, 0] },
])('an upload that $name is refused', async ({ windows }) => {
  const upload = await begin(scene.leo, 8 * enough)
  for (const bytes of windows) {
    await upload.send(Buffer.alloc(bytes))
    endWindow()
  }
  expect(await upload.answer).toMatchObject({
    status: 400,
    connection: 'close',
    body: { code: 'too-slow' },
  })
})

test('an upload of an outsider is refused before it arrives', async () => {
  const eve = await scene.app.person('Eve')
  const upload = await begin(eve, 8 * enough)
  expect(await upload.answer).toMatchObject({ status: 403, body: { code: 'not-a-member' } })
  upload.disconnect()
})

test('an upload refused for its type is not refused once more at the end of a window', async () => {
  const upload = await begin(scene.leo, 8 * enough, 'image/png')
  expect(await upload.answer).toMatchObject({ status: 415, connection: 'close' })
  const errors: unknown[] = []
  const keep = (error: unknown) => errors.push(error)
  process.on('uncaughtExceptionMonitor', keep)
  endWindow()
  // A stream emits its error in the next tick.
  await new Promise(resolve => setImmediate(resolve))
  process.off('uncaughtExceptionMonitor', keep)
  expect(errors).toEqual([])
})

test('slow uploads of a person are limited, and leave room for quick ones', async () => {
  const slow = [await begin(scene.leo, 4 * enough), await begin(scene.leo, 4 * enough)]
  for (const upload of slow) await upload.send(Buffer.alloc(enough))
  endWindow()
  const quick = await begin(scene.leo, 1)
  quick.finish(Buffer.alloc(1))
  expect(await quick.answer).toMatchObject({ status: 400 })
  const third = await begin(scene.leo, 4 * enough)
  for (const upload of [...slow, third]) await upload.send(Buffer.alloc(enough))
  endWindow()
  expect(await third.answer).toMatchObject({ status: 429, body: { detail: 'uploads-busy' } })
  for (const upload of slow) await upload.send(Buffer.alloc(1))
  for (const upload of slow) upload.disconnect()
})

test('an upload whose login ends while it arrives is not stored', async () => {
  const { app } = scene
  const max = await app.person('Max')
  await addMember(scene.ana, teamId, max)
  const file = largeFile()
  const upload = await begin(max, file.length)
  await upload.send(file.subarray(0, enough))
  await max.call.auth.signOut()
  upload.finish(file.subarray(enough))
  expect(await upload.answer).toMatchObject({ status: 401 })
})
