import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { lapTimingStopped } from '#contract/shared/lapTimingStops.ts'
import { moveToNewest } from '../circuits/settleCircuit.ts'
import { readConfig, SettingsRefused } from '../config.ts'
import { DatabaseRefused } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { migrate } from '../db/migrate.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { LapChange } from './changedResult.ts'
import { recomputeLaps } from './computeLaps.ts'
import { storedStop } from './storedStop.ts'

/**
 * npm run recompute -- --session ID: computes the laps of a session from the start, by the circuit's version that it
 * names, and prints the changes. `--circuit latest` moves it to the newest version first.
 */
async function main() {
  process.umask(0o077)
  const { sessionId, toLatest } = optionsIn(process.argv.slice(2))
  const { databaseUrl, dataDir } = readConfig(process.env)
  const database = await openDatabase({ databaseUrl, dataDir })
  try {
    await database.withoutStatementTimeout(() => migrate(database.db))
    if (toLatest) printLine(await moveToLatest(database.db, sessionId))
    const changes = await recomputeLaps(database.db, sessionId)
    if (!changes)
      throw new CommandRefused(
        'No laps were computed: the session does not exist, its lap timing is off, or its positions keep changing.',
      )
    const { laps, visits } = changes
    for (const change of laps) printLine(lineOf(change))
    for (const { before, after } of visits)
      printLine(`Pit visit: ${visitText(before)} → ${visitText(after)}`)
    if (laps.length + visits.length === 0) printLine('No lap changed.')
    const stop = await storedStop(database.db, sessionId)
    if (stop) printLine(lapTimingStopped(stop))
  } finally {
    await database.close()
  }
}

class CommandRefused extends Error {}

function optionsIn(args: string[]): { sessionId: SessionId; toLatest: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: { session: { type: 'string' }, circuit: { type: 'string' } },
    })
    if (values.circuit !== undefined && values.circuit !== 'latest') throw new Error()
    return { sessionId: SessionId.parse(values.session), toLatest: values.circuit === 'latest' }
  } catch {
    throw new CommandRefused(
      'Name a session by its id: npm run recompute -- --session ID [--circuit latest]',
    )
  }
}

async function moveToLatest(db: Kysely<Tables>, sessionId: SessionId): Promise<string> {
  const moved = await moveToNewest(db, sessionId)
  if (!moved) return 'The circuit of this session is not known, or was deleted.'
  const { from, to } = moved
  return from === to ? `Circuit: version ${to} is the newest.` : `Circuit: version ${from} → ${to}.`
}

function lineOf({ number, before, after }: LapChange): string {
  return `Lap ${number}: ${lapText(before)} → ${lapText(after)}`
}

function lapText(lap: Lap | undefined): string {
  if (!lap) return 'none'
  const notes = [lap.kind, ...(lap.isSeen ? [] : ['not seen']), ...(lap.yellow ? ['yellow'] : [])]
  const startedAt = new Date(lap.startedAt).toISOString()
  return `${startedAt} ${lap.timeMs / 1000} s ± ${lap.plusMinusMs / 1000} s (${notes.join(', ')})`
}

function visitText(visit: PitVisit | undefined): string {
  if (!visit) return 'none'
  const { startedAt, endedAt } = visit
  const length = endedAt === null ? 'no end' : `${(endedAt - startedAt) / 1000} s`
  return `${new Date(startedAt).toISOString()} (${length})`
}

function printLine(text: string) {
  process.stdout.write(`${text}\n`)
}

main().catch((error: unknown) => {
  const isExpected =
    error instanceof CommandRefused ||
    error instanceof SettingsRefused ||
    error instanceof DatabaseRefused
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
})
