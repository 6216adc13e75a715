import { expect, test } from 'vitest'
import type { RecordedBlock } from '#racing/timing/recordedFeed.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { playable, playRecording } from './playRecording.ts'

/** Plays blocks on a clock that passes only while the player waits. */
async function played(
  blocks: readonly RecordedBlock[],
  speed: number,
  send: (number: number) => Promise<unknown> = async () => undefined,
) {
  let nowMs = 1_000_000
  const batches: { atMs: number; number: number; lines: readonly string[] }[] = []
  const progress: number[] = []
  await playRecording(blocks, speed, {
    async send(number, lines) {
      await send(number)
      batches.push({ atMs: nowMs - 1_000_000, number, lines })
    },
    wait: async ms => {
      nowMs += ms
      if (nowMs > 10_000_000) throw new Error('stopped')
    },
    now: () => nowMs,
    onProgress: done => progress.push(done),
  })
  return { batches, progress }
}

const minute = Array.from({ length: 61 }, (_, second) => ({
  atMs: second * 1000,
  lines: [`$F,${second}`],
}))

test('a recording is sent in its order, as fast as it was received times the speed', async () => {
  for (const speed of [1, 10]) {
    const { batches, progress } = await played(minute, speed)
    expect(batches.flatMap(({ lines }) => lines)).toEqual(minute.flatMap(({ lines }) => lines))
    const lastMs = batches.at(-1)?.atMs ?? 0
    expect(lastMs).toBeGreaterThanOrEqual(60_000 / speed)
    expect(lastMs).toBeLessThan(60_000 / speed + 600)
    expect(progress.at(-1)).toBe(1)
  }
})

test('a batch has at most 500 lines and fits into a request', async () => {
  const many = [{ atMs: 0, lines: Array.from({ length: 1201 }, () => '$I') }]
  const { batches } = await played(many, 1000)
  expect(batches.map(({ lines }) => lines.length)).toEqual([500, 500, 201])
  const long = [{ atMs: 0, lines: Array.from({ length: 200 }, () => 'x'.repeat(3000)) }]
  for (const { lines } of (await played(playable(long), 1000)).batches)
    expect(JSON.stringify(lines).length).toBeLessThan(200 * 1024)
})

test('a batch is retried until the server accepts it, and a refusal ends the recording', async () => {
  let tries = 0
  const busy = async () => {
    tries += 1
    if (tries === 2) throw new CallRefused({ code: 'too-many', retryAfterSeconds: 30 })
    if (tries === 3) throw new CallRefused({ code: 'unreachable' })
  }
  const { batches } = await played(minute.slice(0, 3), 1, busy)
  expect(batches.flatMap(({ lines }) => lines)).toEqual(['$F,0', '$F,1', '$F,2'])
  expect(batches[1]?.atMs).toBeGreaterThanOrEqual(32_000)
  const refused = played(minute, 1, async () => {
    throw new CallRefused({ code: 'invalid-input', detail: 'x' })
  })
  await expect(refused).rejects.toMatchObject({ code: 'invalid-input' })
})
