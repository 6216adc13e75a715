import { eachLine } from '../formats/lines.ts'

/** Lines of a recorded feed that were received together. */
export interface RecordedBlock {
  /** Time since the start of the recording. */
  readonly atMs: number
  readonly lines: readonly string[]
}

/** A longer pause of a recording, such as the night between two days, is played as one of this length. */
const longestPauseMs = 60_000

/** RMonitor has a line `$F` each second, by which a recording without times of receipt is played. */
const heartbeatMs = 1000

/**
 * Splits a recording into blocks with their times: those of the lines `##date time` above them, or else one second for
 * each line `$F`. Times never go back.
 */
export function recordedBlocks(text: string): RecordedBlock[] {
  const blocks: { atMs: number; lines: string[] }[] = []
  let isTimed = false
  let receivedMs: number | null = null
  let atMs = 0
  const pass = (ms: number) => {
    atMs += Math.min(Math.max(ms, 0), longestPauseMs)
    blocks.push({ atMs, lines: [] })
  }
  eachLine(text, received => {
    const line = received.replace(/^\uFEFF/, '').trim()
    const timeMs = timeOf(line)
    if (timeMs !== null) {
      isTimed = true
      pass(receivedMs === null ? 0 : timeMs - receivedMs)
      receivedMs = timeMs
    } else if (line !== '') {
      if (blocks.length === 0) pass(0)
      else if (!isTimed && line.startsWith('$F,')) pass(heartbeatMs)
      blocks.at(-1)?.lines.push(line)
    }
  })
  return blocks.filter(({ lines }) => lines.length > 0)
}

/** Reads `##2026-06-20 14:00:00.100`, in milliseconds; null for any other line. */
function timeOf(line: string): number | null {
  const parts = /^##\s*(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)/.exec(line)
  if (!parts) return null
  const ms = Date.parse(`${parts[1]}T${parts[2]}Z`)
  return Number.isNaN(ms) ? null : ms
}
