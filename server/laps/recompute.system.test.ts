import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testDataDir } from '#testing/database/database.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { patience } from '#testing/patience.ts'
import { quickStart } from '#testing/quickStart.ts'
import { addVersion, newestVersion } from '../circuits/storedCircuits.ts'
import { openEmbedded } from '../db/engines/embedded.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'

/** The program that `npm run recompute` starts after the build. */
const builtProgram = join(import.meta.dirname, '../../dist/server/recompute.js')

test('recomputing prints what changed, and nothing when repeated', {
  timeout: 120_000 * patience,
}, async () => {
  await using folder = await testDataDir()
  const sessionId = await drivenSession(folder.dataDir)
  const first = await recompute(folder.dataDir, '--session', sessionId)
  expect(first.output.match(/^Lap \d: none → .*\((out|full)\)$/gm)).toHaveLength(3)
  expect(first.code).toBe(0)
  expect(await recompute(folder.dataDir, '--session', sessionId)).toEqual({
    code: 0,
    output: 'No lap changed.\n',
    errors: '',
  })
  await moveLine(folder.dataDir, sessionId)
  // The end of the session completes its last part.
  await recompute(folder.dataDir, '--session', sessionId)
  expect(await recompute(folder.dataDir, '--session', sessionId)).toMatchObject({
    output: 'No lap changed.\n',
  })
  const latest = ['--session', sessionId, '--circuit', 'latest']
  const moved = await recompute(folder.dataDir, ...latest)
  expect(moved.output).toMatch(/^Circuit: version 1 → 2\.\nLap 0: .* → .*\nLap 1: /)
  expect((await recompute(folder.dataDir, ...latest)).output).toBe(
    'Circuit: version 2 is the newest.\nNo lap changed.\n',
  )
  const wrong = await recompute(folder.dataDir, '--session', sessionId, '--circuit', '1')
  expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('[--circuit latest]') })
  const unknown = await recompute(folder.dataDir, '--session', crypto.randomUUID())
  expect(unknown).toMatchObject({ code: 1, errors: expect.stringContaining('does not exist') })
  const without = await recompute(folder.dataDir)
  expect(without).toMatchObject({ code: 1, errors: expect.stringContaining('--session ID') })
})

/** Ends the session, and moves the line of its circuit afterwards. */
async function moveLine(dataDir: string, sessionId: string) {
  const database = await openEmbedded(dataDir, () => undefined)
  try {
    const { db } = database
    const { team_id } = await db
      .updateTable('sessions')
      .set({ status: 'Complete', date_ended: new Date() })
      .where('id', '=', sessionId)
      .returning('team_id')
      .executeTakeFirstOrThrow()
    const newest = await newestVersion(db, team_id, 'zolder')
    const [, , line] = newest.outline.slice(40)
    await addVersion(db, newest, 'line', { line: line! })
  } finally {
    await database.close()
  }
}

/** Creates a session with four laps that nobody has timed. */
async function drivenSession(dataDir: string): Promise<string> {
  const database = await openEmbedded(dataDir, () => undefined)
  try {
    const { db } = database
    const { sessionId, startMs } = await pastSession(db)
    const fixes = drivenFixes(startMs, { laps: 4 })
    await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
    return sessionId
  } finally {
    await database.close()
  }
}

async function recompute(dataDir: string, ...args: string[]) {
  const program = fork(builtProgram, args, {
    execArgv: quickStart,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const [[code], output, errors] = await Promise.all([
    once(program, 'exit'),
    text(program.stdout!),
    text(program.stderr!),
  ])
  return { code, output, errors }
}
