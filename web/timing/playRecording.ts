import { maxBatchBytes, maxLineLetters, maxLinesOfBatch } from '#contract/shared/timingRules.ts'
import type { RecordedBlock } from '#racing/timing/recordedFeed.ts'
import { CallRefused } from '#web/api/callRefused.ts'

/** The server accepts 120 batches a minute. */
const sendEveryMs = 600
const retryMs = 2000

/** Room for the rest of a batch, and for characters that JSON writes with more bytes. */
const maxLinesBytes = maxBatchBytes / 2

interface Player {
  /** Sends a batch. Rejects with CallRefused. */
  send(number: number, lines: readonly string[]): Promise<unknown>
  /** Resolves after a time; rejects once the recording is stopped. */
  wait(ms: number): Promise<void>
  /** Milliseconds since 1970: they number the batches, too. */
  now(): number
  /** Reports how much has been sent, from 0 to 1. */
  onProgress(done: number): void
}

/**
 * Sends a recording as fast as it was received, times the speed, or slower if the limits of the server demand it. Batches
 * are sent again until they are accepted. Rejects with CallRefused if the server refuses one, as after a change of the
 * source, and with the reason of `wait` once it is stopped.
 */
export async function playRecording(
  blocks: readonly RecordedBlock[],
  speed: number,
  { send, wait, now, onProgress }: Player,
) {
  const startedAt = now()
  // Higher than the number of any batch of an earlier recording.
  let number = startedAt
  let sent = 0
  const queue: string[] = []
  let taken = 0
  const total = blocks.reduce((sum, { lines }) => sum + lines.length, 0)
  while (sent < total) {
    const playedMs = (now() - startedAt) * speed
    for (;;) {
      const block = blocks[taken]
      if (!block || block.atMs > playedMs || queue.length >= maxLinesOfBatch) break
      for (const line of block.lines) queue.push(line)
      taken += 1
    }
    const batch = queue.splice(0, countOfBatch(queue))
    if (batch.length > 0) {
      number += 1
      await sendUntilAccepted(() => send(number, batch), wait)
      sent += batch.length
      onProgress(sent / total)
    }
    if (sent < total) await wait(sendEveryMs)
  }
}

async function sendUntilAccepted(send: () => Promise<unknown>, wait: Player['wait']) {
  for (;;) {
    try {
      await send()
      return
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error
      if (!error.mayRetrySoon && error.code !== 'too-many') throw error
      await wait((error.retryAfterSeconds ?? 0) * 1000 || retryMs)
    }
  }
}

/** Returns how many of the oldest lines fit into one batch. */
function countOfBatch(lines: readonly string[]): number {
  let bytes = 0
  let count = 0
  for (const line of lines.slice(0, maxLinesOfBatch)) {
    bytes += line.length * 2
    if (bytes > maxLinesBytes && count > 0) break
    count += 1
  }
  return count
}

/** Returns blocks whose lines the server accepts: those that are too long are cut, and count as unreadable. */
export function playable(blocks: readonly RecordedBlock[]): RecordedBlock[] {
  return blocks.map(({ atMs, lines }) => ({
    atMs,
    lines: lines.map(line => line.slice(0, maxLineLetters).replaceAll(/[\0\p{Cs}]/gu, ' ')),
  }))
}
