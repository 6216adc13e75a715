import { parseArgs } from 'node:util'
import { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { readConfig, SettingsRefused } from '../config.ts'
import { DatabaseRefused } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { migrate } from '../db/schema/migrate.ts'
import { recomputeLaps } from './computeLaps.ts'
import type { LapChange } from './storeLaps.ts'

/** npm run recompute -- --session ID: computes the laps of a session from the start, and prints the changes. */
async function main() {
  process.umask(0o077)
  const sessionId = sessionIn(process.argv.slice(2))
  const { databaseUrl, dataDir } = readConfig(process.env)
  const database = await openDatabase({ databaseUrl, dataDir })
  try {
    await database.withoutStatementTimeout(() => migrate(database.db))
    const changes = await recomputeLaps(database.db, sessionId)
    if (!changes)
      throw new CommandRefused(
        'No laps were computed: the session does not exist, its lap timing is off, or its positions keep changing.',
      )
    for (const change of changes) printLine(lineOf(change))
    if (changes.length === 0) printLine('No lap changed.')
  } finally {
    await database.close()
  }
}

class CommandRefused extends Error {}

function sessionIn(args: string[]): SessionId {
  try {
    const { values } = parseArgs({ args, options: { session: { type: 'string' } } })
    return SessionId.parse(values.session)
  } catch {
    throw new CommandRefused('Name a session by its id: npm run recompute -- --session ID')
  }
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
